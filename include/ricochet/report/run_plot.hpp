#pragma once
// Pictures of a run without a browser.

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace ricochet {

struct PlotOptions {
  std::string kind = "energy";  // one of plot_kinds()
  std::string coordinate;       // of a phase portrait; none: the first
  // of a trajectory; none: as many records as make a readable picture
  double until = std::numeric_limits<double>::quiet_NaN();
  bool title = true;
};
const std::vector<std::string>& plot_kinds();

// SVG, from trajectory.h5 (or audit.json, kind "order") of a directory. Throws InputError.
std::string plot_run(const std::filesystem::path& directory, const PlotOptions& options);

}  // namespace ricochet
