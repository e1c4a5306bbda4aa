#include "ricochet/report/run_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "block.hpp"
#include "ricochet/formula/parser.hpp"
#include "ricochet/report/envelope.hpp"
#include "ricochet/report/field_history.hpp"
#include "ricochet/report/mesh_history.hpp"
#include "ricochet/report/orbit.hpp"
#include "ricochet/report/strobe.hpp"
#include "ricochet/report/svg_plot.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/run_directory.hpp"

namespace ricochet {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t plot_points = 3000;      // of a curve
constexpr std::int64_t readable_records = 800;  // of a trajectory
constexpr std::size_t plot_curves = 8;

ArchiveReader open(const fs::path& directory) {
  const fs::path source = directory / archive_name;
  if (!fs::exists(source)) throw InputError(fmt::format("{}: there is no {} here", directory.string(), archive_name));
  clear_swmr_flag(source);
  ArchiveReader archive(source);
  if (archive.sizes().rows == 0) throw InputError(fmt::format("{}: nothing is recorded", source.string()));
  return archive;
}

// The curves of a dataset, each as deviation from its start over `scale` of it if asked for.
SvgPlot over_time(const ArchiveReader& archive, const std::string& dataset, const std::vector<std::string>& names,
                  bool deviation, bool relative) {
  if (names.empty()) throw InputError(fmt::format("this run has no {}", dataset));
  const std::int64_t records = archive.sizes().rows;
  const std::size_t width = names.size(), shown = std::min(width, plot_curves);
  Envelope envelope(shown, plot_points);
  std::vector<double> start, row(shown);
  bool scaled = relative;
  for (std::int64_t first = 0; first < records; first += block) {
    const std::int64_t count = std::min(block, records - first);
    const auto t = archive.read("t", first, count), values = archive.read(dataset, first, count);
    if (start.empty()) start.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(shown));
    scaled = relative && start[0] != 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
      for (std::size_t c = 0; c < shown; ++c)
        row[c] = (values[k * width + c] - (deviation ? start[c] : 0)) / (scaled ? std::abs(start[c]) : 1);
      envelope.add(t[k], row.data());
    }
  }
  SvgPlot plot;
  for (std::size_t c = 0; c < shown; ++c) plot.curves.push_back({names[c], envelope.t(), envelope.curve(c)});
  plot.x_label = "time t";
  plot.y_label = scaled ? "(H − H₀) / |H₀|" : dataset == "energy" ? "H − H₀" : deviation ? "deviation J − J₀" : "gap g";
  plot.title = archive.header().about.title + (shown < width ? fmt::format(" (the first {} of {})", shown, width) : "");
  return plot;
}

SvgPlot phase(const ArchiveReader& archive, const std::string& coordinate) {
  const std::vector<std::string>& names = archive.header().labels.coordinates;
  if (names.empty()) throw InputError("this run has no coordinates: --kind trajectory shows its fields");
  const auto found = coordinate.empty() ? names.begin() : std::find(names.begin(), names.end(), coordinate);
  if (found == names.end()) {
    const std::string near = formula::nearest(coordinate, names);
    throw InputError(fmt::format("there is no coordinate {}{}", coordinate,
                                 near.empty() ? fmt::format("; there are {}", fmt::join(names, ", "))
                                              : fmt::format("; did you mean {}?", near)));
  }
  const auto c = static_cast<std::size_t>(found - names.begin());
  const std::int64_t records = archive.sizes().rows;
  Orbit orbit(records, plot_points);
  for (std::int64_t first = 0; first < records; first += block) {
    const std::int64_t count = std::min(block, records - first);
    const auto t = archive.read("t", first, count), q = archive.read("q", first, count),
               v = archive.read("v", first, count);
    for (std::size_t k = 0; k < t.size(); ++k) orbit.add(t[k], q[k * names.size() + c], v[k * names.size() + c]);
  }
  orbit.finish();
  SvgCurve curve{*found, {}, {}, std::ssize(orbit.points()) < records};  // joined, thinned records would mislead
  for (const Orbit::Point& p : orbit.points()) curve.x.push_back(p.x), curve.y.push_back(p.y);
  return {archive.header().about.title, *found, *found + "′", {std::move(curve)}};
}

std::string trajectory(const ArchiveReader& archive, const PlotOptions& options) {
  const ArchiveHeader& header = archive.header();
  Drawing drawing(read_scenario_text(header.about.scenario_text, header.about.scenario_name, header.about.overrides));
  const std::int64_t records = archive.sizes().rows;
  const bool whole = std::isfinite(options.until);
  std::vector<StrobeFrame> frames;
  const std::int64_t limit = whole ? records : std::min(records, readable_records);
  for (std::int64_t first = 0; first < limit; first += block) {
    const std::int64_t count = std::min(block, limit - first);
    const auto t = archive.read("t", first, count), q = archive.read("q", first, count),
               v = archive.read("v", first, count);
    const std::size_t n = drawing.coordinates();
    for (std::size_t k = 0; k < t.size(); ++k) {
      if (whole && t[k] > options.until) break;
      if (frames.size() >= 20000) throw InputError("--until: too many records for one picture; choose an earlier time");
      frames.push_back({t[k], drawing.evaluate(t[k], q.data() + k * n, v.data() + k * n)});
    }
    if (whole && t.back() > options.until) break;
  }
  if (frames.empty()) throw InputError("--until: nothing is recorded before this time");
  if (!whole) frames.resize(readable_frames(drawing, frames));
  StrobeOptions strobe;
  strobe.title = options.title ? header.about.title : "";
  return svg_strobe(drawing, frames, strobe);
}

std::string order(const fs::path& directory) {
  const fs::path file = directory / "audit.json";
  std::ifstream in(file);
  if (!in)
    throw InputError(fmt::format("{}: there is no audit.json here; make it with: ricochet audit", directory.string()));
  try {
    const auto data = nlohmann::json::parse(in);
    SvgPlot plot;
    plot.title = data.at("title");
    plot.x_label = "step h";
    plot.y_label = "error";
    plot.logarithmic = true;
    for (const auto& audit : data.at("audits")) {
      if (!audit.contains("order") || audit["order"].is_null()) continue;
      SvgCurve curve{audit.at("method"), {}, {}, true};
      if (const auto& value = audit["order"].at("value"); !value.is_null())
        curve.name += fmt::format(": order {:.2f}", value.get<double>());
      for (const auto& point : audit["order"].at("points")) {
        if (point.at("error").is_null()) continue;
        curve.x.push_back(point.at("step"));
        curve.y.push_back(point.at("error"));
      }
      if (!curve.x.empty()) plot.curves.push_back(std::move(curve));
    }
    if (plot.curves.empty()) throw InputError(fmt::format("{}: no order was measured", file.string()));
    if (plot.curves.size() == 1) plot.title += ", " + plot.curves[0].name;
    return svg_plot(plot);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{}: no readable audit: {}", file.string(), error.what()));
  }
}

}  // namespace

const std::vector<std::string>& plot_kinds() {
  static const std::vector<std::string> kinds{"energy", "phase", "trajectory", "momenta", "gaps", "order"};
  return kinds;
}

std::string plot_run(const fs::path& directory, const PlotOptions& options) {
  if (options.kind == "order") return order(directory);
  const ArchiveReader archive = open(directory);
  const Labels& labels = archive.header().labels;
  if (options.kind == "trajectory" && !labels.triangles.empty())
    return svg_mesh_history(read_mesh_history(archive, plane_walls(archive.header().about)),
                            options.title ? archive.header().about.title : "", 720, 480);
  if (options.kind == "trajectory" && !labels.fields.empty())
    return svg_field_history(read_field_history(archive, 150, 200), options.title ? archive.header().about.title : "",
                             720, 480);
  if (options.kind == "trajectory") return trajectory(archive, options);
  SvgPlot plot = options.kind == "energy"    ? over_time(archive, "energy", {"energy"}, true, true)
                 : options.kind == "momenta" ? over_time(archive, "momenta", labels.momenta, true, false)
                 : options.kind == "gaps"    ? over_time(archive, "gaps", labels.contacts, false, false)
                                             : phase(archive, options.coordinate);
  if (!options.title) plot.title.clear();
  return svg_plot(plot);
}

}  // namespace ricochet
