# Installs library, headers, program and gallery, and a package for find_package(ricochet).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ricochet)

install(TARGETS ricochet EXPORT ricochet ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET ricochet_cli)
  install(TARGETS ricochet_cli DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/ricochet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/ricochet FILES_MATCHING PATTERN "*.toml")
install(FILES LICENSE CITATION.cff CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# pkg-config --cflags --libs --static ricochet
file(RELATIVE_PATH back /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(cmake/ricochet.pc.in ricochet.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ricochet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What the program says of itself: the manual page and the completions of shells.
if(TARGET ricochet_cli)
  install(CODE "
    function(say file)
      execute_process(COMMAND $<TARGET_FILE:ricochet_cli> \${ARGN} OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/\${file} COMMAND_ERROR_IS_FATAL ANY)
    endfunction()
    say(ricochet.1 man)
    say(ricochet.bash completion bash)
    say(_ricochet completion zsh)")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ricochet.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ricochet.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ricochet)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/_ricochet DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()

install(EXPORT ricochet NAMESPACE ricochet:: FILE ricochetTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/ricochetConfig.cmake.in ricochetConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(ricochetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ricochetConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/ricochetConfigVersion.cmake
  DESTINATION ${package_dir})

# The same name inside the build tree as after installation.
add_library(ricochet::ricochet ALIAS ricochet)
