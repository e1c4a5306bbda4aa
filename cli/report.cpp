// ricochet report DIR: make the page of a run again, from its archive and summary.

#include "ricochet/report/report.hpp"

#include <fmt/format.h>

#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

void add_report(CLI::App& app, int&) {
  struct ReportArguments {
    std::string directory;
    bool quiet = false;
  };
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* verb = app.add_subcommand("report", "make the page of a run again");
  verb->add_option("DIR", arguments->directory, "the directory of the run")->required();
  verb->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  verb->callback([arguments] {
    write_report(arguments->directory);
    if (!arguments->quiet) say("{}\n", (std::filesystem::path(arguments->directory) / report_name).string());
  });
}

}  // namespace ricochet::cli
