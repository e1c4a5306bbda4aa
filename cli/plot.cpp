// ricochet plot DIR: a picture of a run, as SVG; as PNG where rsvg-convert is installed.

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <filesystem>

#include "output_path.hpp"
#include "ricochet/error.hpp"
#include "ricochet/report/run_plot.hpp"
#include "ricochet/simulation/output_file.hpp"
#include "terminal.hpp"
#include "verb.hpp"

extern char** environ;  // NOLINT: of the C library

namespace ricochet::cli {

namespace {

namespace fs = std::filesystem;

void convert(const fs::path& svg, const fs::path& png) {
  std::string program = "rsvg-convert", output = "-o", to = png.string(), from = svg.string();
  char* arguments[] = {program.data(), output.data(), to.data(), from.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0)
    throw std::runtime_error("PNG needs rsvg-convert, from the Debian package librsvg2-bin; SVG needs nothing");
  if (waitpid(child, &status, 0) != child || status != 0)
    throw std::runtime_error(fmt::format("rsvg-convert could not write {}", png.string()));
}

}  // namespace

void add_plot(CLI::App& app, int&) {
  struct PlotArguments {
    std::string directory, file;
    PlotOptions options;
    bool quiet = false, bare = false;
  };
  const auto arguments = std::make_shared<PlotArguments>();
  CLI::App* verb = app.add_subcommand("plot", "draw a run as SVG or PNG");
  verb->add_option("DIR", arguments->directory, "the directory of the run")->required();
  verb->add_option("--kind", arguments->options.kind,
                   fmt::format("{} (default: energy); order needs an audit", fmt::join(plot_kinds(), ", ")))
      ->check(CLI::IsMember(plot_kinds()));
  verb->add_option("-o,--output", arguments->file, "the file, .svg or .png (default: DIR/KIND.svg)")->type_name("FILE");
  verb->add_option("--coordinate", arguments->options.coordinate, "of a phase portrait (default: the first)")
      ->type_name("NAME");
  verb->add_option("--until", arguments->options.until, "last time of a trajectory")->type_name("T");
  verb->add_flag("--bare", arguments->bare, "without a title");
  verb->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  verb->callback([arguments] {
    const fs::path directory(arguments->directory);
    const fs::path file =
        arguments->file.empty() ? directory / (arguments->options.kind + ".svg") : fs::path(arguments->file);
    if (file.extension() != ".svg" && file.extension() != ".png")
      throw UsageError(fmt::format("{}: a picture is .svg or .png", file.string()));
    refuse_input(file, run_files(directory));
    arguments->options.title = !arguments->bare;
    const std::string picture = plot_run(directory, arguments->options);
    if (file.extension() == ".svg") {
      write_atomically(file, picture);
    } else {
      const fs::path svg = file.string() + ".svg.tmp";
      write_atomically(svg, picture);
      try {
        convert(svg, file);
      } catch (...) {
        fs::remove(svg);
        throw;
      }
      fs::remove(svg);
    }
    if (!arguments->quiet) say("{}\n", file.string());
  });
}

}  // namespace ricochet::cli
