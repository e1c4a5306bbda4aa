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
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT ricochet NAMESPACE ricochet:: FILE ricochetTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/ricochetConfig.cmake.in ricochetConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(ricochetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ricochetConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/ricochetConfigVersion.cmake
  DESTINATION ${package_dir})

# The same name inside the build tree as after installation.
add_library(ricochet::ricochet ALIAS ricochet)
