#pragma once
// report.html of a run: everything there is to see, in one file. docs/report.md describes the page and its data.

#include <filesystem>
#include <string>

namespace ricochet {

inline constexpr const char* report_name = "report.html";

struct ReportData {
  std::string json;
  bool space = false;  // a scene in three dimensions
};

// From trajectory.h5 and summary.json. Rows are read in blocks and thinned as they come. Throws InputError.
ReportData run_report_data(const std::filesystem::path& directory);

// Writes DIR/report.html; a reader sees the old page or the new one.
void write_report(const std::filesystem::path& directory);

}  // namespace ricochet
