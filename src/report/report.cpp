#include "ricochet/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "block.hpp"
#include "ricochet/report/base64.hpp"
#include "ricochet/report/contact_bars.hpp"
#include "ricochet/report/envelope.hpp"
#include "ricochet/report/field_history.hpp"
#include "ricochet/report/impact_digest.hpp"
#include "ricochet/report/landscape.hpp"
#include "ricochet/report/mesh_history.hpp"
#include "ricochet/report/orbit.hpp"
#include "ricochet/report/page.hpp"
#include "ricochet/report/reel.hpp"
#include "ricochet/report/section_points.hpp"
#include "ricochet/report/sizes.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/output_file.hpp"
#include "ricochet/simulation/record_fields.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "ricochet/simulation/statistics.hpp"
#include "ricochet/simulation/summary.hpp"

namespace ricochet {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t min_points = 4001;       // of a curve, or more
constexpr std::size_t max_points = 50001;      // while all curves together have
constexpr std::size_t curve_numbers = 200000;  // at most so many numbers: the page shows more where one zooms in
constexpr std::size_t orbit_numbers = 60000;   // of all phase portraits
constexpr std::int64_t max_frames = 5001;      // of a reel
constexpr std::int64_t max_numbers = 1500000;  // of a reel, whatever its tracks
constexpr std::int64_t max_lines = 5000;       // of the ledger
constexpr std::int64_t max_section_points = 20000;
constexpr std::size_t max_bars = 5000;  // of lasting contact
constexpr std::size_t max_curves = 12;  // in a plot
constexpr std::size_t max_orbits = 8;

// Curves of one plot: the first `shown` of the columns of a dataset.
struct CurveGroup {
  std::string dataset, title;
  std::vector<std::string> names;
  std::size_t shown;
  Envelope envelope{0, 0};  // of so many points as all curves together allow
  CurveGroup(std::string set, std::string heading, std::vector<std::string> all)
      : dataset(std::move(set)),
        title(std::move(heading)),
        names(std::move(all)),
        shown(std::min(names.size(), max_curves)) {}
};

// Records that are shown as they are, in the order of the page.
constexpr std::pair<const char*, const char*> plain_plots[] = {
    {"energy", "Energy"}, {"momenta", "Momenta"}, {"gaps", "Gaps"}, {"q", "Coordinates"}};

std::vector<std::string> curve_names(const std::string& dataset, const Labels& labels) {
  for (const RecordField& field : record_fields())
    if (field.dataset == dataset && field.names) return labels.*field.names;
  return {dataset};
}

Json to_json(const DrawnShape& shape) {
  Json out = {{"kind", shape.kind}, {"color", shape.color}, {"label", shape.label}};
  for (const auto& [key, numbers] : shape.values)
    for (const DrawnNumber& n : numbers)
      out[key].push_back(n.track < 0 ? Json(n.constant) : Json({{"track", n.track}}));
  if (!shape.points.empty()) out["points"] = shape.points;
  if (shape.kind == "spring") out["coils"] = shape.coils;
  return out;
}

Json to_json(const Reel& reel) {
  Json tracks = Json::array();
  for (const std::vector<float>& track : reel.tracks) tracks.push_back(base64(track));
  return {{"name", reel.name},
          {"records", reel.last - reel.first},
          {"stride", reel.stride},
          {"t", base64(reel.t)},
          {"tracks", tracks}};
}

Json to_json(const Landscape& l) {
  return {{"x", l.x},
          {"y", l.y},
          {"from", l.from},
          {"to", l.to},
          {"columns", l.columns},
          {"rows", l.rows},
          {"gap", base64(l.gap)},
          {"hidden", l.hidden}};
}

Json to_json(const Histogram& h) { return {{"edges", h.edges}, {"counts", h.counts}, {"logarithmic", h.logarithmic}}; }

Json to_json(const ImpactDigest& digest) {
  Json columns = Json::object();
  for (const auto& [name, values] : digest.columns) columns[name] = base64(values);
  return {{"lines", digest.lines},
          {"columns", columns},
          {"contacts", digest.contacts},
          {"laws", digest.laws},
          {"lossy", digest.lossy},
          {"alpha", to_json(digest.alpha)},
          {"interval", to_json(digest.interval)},
          {"energy_change", digest.energy_change}};
}

Json to_json(const ContactBars& contacts, const std::vector<std::string>& names) {
  std::vector<double> contact, from, to;
  Json modes = Json::array();
  for (const ContactBar& bar : contacts.bars) {
    contact.push_back(bar.contact);
    from.push_back(bar.from);
    to.push_back(bar.to);
    modes.push_back(name(bar.mode));
  }
  return {{"count", contacts.count},    {"names", names},       {"modes", modes},
          {"contact", base64(contact)}, {"from", base64(from)}, {"to", base64(to)}};
}

Json to_json(const CurveGroup& group) {
  Json curves = Json::array();
  for (std::size_t k = 0; k < group.shown; ++k)
    curves.push_back({{"name", group.names[k]}, {"y", base64(group.envelope.curve(k))}});
  return {{"key", group.dataset}, {"title", group.title}, {"of", group.names.size()}, {"curves", curves}};
}

Json to_json(const std::string& name, const Orbit& orbit) {
  std::vector<double> t, x, y;
  for (const Orbit::Point& p : orbit.points()) t.push_back(p.t), x.push_back(p.x), y.push_back(p.y);
  return {{"name", name}, {"t", base64(t)}, {"q", base64(x)}, {"v", base64(y)}};
}

Json to_json(const SectionLabel& label, const SectionPoints& points) {
  Json values = Json::array();
  for (const std::vector<double>& list : points.values) values.push_back(base64(list));
  return {{"name", label.name},    {"at_impacts", label.at_impacts},
          {"count", points.count}, {"quantities", label.quantities},
          {"t", base64(points.t)}, {"values", values}};
}

Json to_json(const FieldHistory& h) {
  return {{"bodies", h.bodies}, {"cells", h.cells},           {"t", base64(h.t)},
          {"x", base64(h.x)},   {"stress", base64(h.stress)}, {"largest", h.largest}};
}

Json to_json(const MeshHistory& h) {
  std::vector<double> t;
  for (const MeshFrame& f : h.frames) t.push_back(f.t);
  const auto integers = [](const std::vector<std::int64_t>& list) {
    return base64(std::vector<std::int32_t>(list.begin(), list.end()));
  };
  Json walls = Json::array();
  for (const continuum::PlaneWall& w : h.walls)
    walls.push_back({{"name", w.name}, {"circle", w.circle}, {"at", w.at}, {"normal", w.normal}, {"radius", w.radius}});
  return {{"bodies", h.bodies},
          {"cells", h.cells},
          {"triangles", integers(h.triangles)},
          {"outline", integers(h.outline)},
          {"box", h.box()},
          {"walls", walls},
          {"t", base64(t)},
          {"x", base64(h.places())},
          {"stress", base64(h.levels())},
          {"largest", h.largest}};
}

// H − H0 against the sum of its causes, then each of them; none where nothing should change the energy.
bool is_cause(const std::string& name) { return name.starts_with("work.") || name.starts_with("loss."); }

// The running scalars that the energy balances.
std::vector<std::size_t> causes(const Labels& labels) {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < labels.scalars.size(); ++k)
    if (is_cause(labels.scalars[k])) result.push_back(k);
  return result;
}

// Columns of a dataset that are not zero all the time.
std::vector<std::size_t> columns_in_use(const ArchiveReader& archive, const char* dataset) {
  const auto width = static_cast<std::size_t>(archive.width(dataset));
  std::vector<char> used(width, 0);
  const std::int64_t rows = width > 0 ? archive.sizes().rows : 0;
  for (std::int64_t first = 0; first < rows; first += block) {
    const std::vector<double> values = archive.read(dataset, first, std::min(block, rows - first));
    for (std::size_t k = 0; k < values.size(); ++k) used[k % width] |= values[k] != 0;
  }
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < width; ++k)
    if (used[k] != 0) columns.push_back(k);
  return columns;
}

std::vector<std::string> balance_curves(const Labels& labels, const ImpactDigest& impacts, bool rubs) {
  const auto works = [](const std::string& name) { return name.starts_with("work."); };
  if (std::none_of(labels.scalars.begin(), labels.scalars.end(), works) && !impacts.lossy && !rubs) return {};
  std::vector<std::string> names{"change of energy", "sum of works and losses"};
  for (const std::size_t k : causes(labels)) names.push_back(labels.scalars[k]);
  return names;
}

// A run that was killed has no summary: what its records say.
Summary summary_of_records(const ArchiveHeader& header, const Statistics& statistics, const ArchiveReader& archive,
                           std::int64_t impacts) {
  Summary summary;
  summary.description = header.about;
  summary.status = "interrupted";
  summary.message = "the run was killed or is still under way; this is what it had recorded";
  summary.impacts = impacts;
  summary.ledger_lines = summary.impacts_stored = archive.sizes().impacts;
  summary.steps = archive.read_integers("step", archive.sizes().rows - 1, 1).front();
  summary.time_start = archive.read("t", 0, 1).front();
  summary.time_end = archive.read("t", archive.sizes().rows - 1, 1).front();
  summary.exit_code = 130;
  statistics.summarize(header.labels, summary);
  return summary;
}

// The summary and the archive of one run, or a reason to stop.
Json read_json(const fs::path& path, const std::string& archived_hash) {
  Json summary = Json::parse(read_summary_text(path));
  if (summary.at("state_hash") != archived_hash)
    throw InputError(
        fmt::format("{}: belongs to another run than {}; ricochet resume may mend it", path.string(), archive_name));
  return summary;
}

}  // namespace

ReportData run_report_data(const fs::path& directory) {
  const fs::path source = directory / archive_name;
  if (!fs::exists(source)) throw InputError(fmt::format("{}: there is no {} here", directory.string(), archive_name));
  clear_swmr_flag(source);
  const ArchiveReader archive(source);
  const ArchiveHeader& header = archive.header();
  const Labels& labels = header.labels;
  const std::int64_t records = archive.sizes().rows;
  if (records == 0) throw InputError(fmt::format("{}: nothing is recorded", source.string()));
  const Scenario scenario =
      read_scenario_text(header.about.scenario_text, header.about.scenario_name, header.about.overrides);

  const ImpactDigest impacts = digest_impacts(archive, max_lines);
  Drawing drawing(scenario);
  const auto tracks = static_cast<std::int64_t>(std::max<std::size_t>(drawing.tracks(), 1));
  Reels reels(drawing, records, impacts.times, std::clamp<std::int64_t>(max_numbers / tracks, 100, max_frames));
  std::vector<CurveGroup> groups;
  for (const auto& [dataset, title] : plain_plots) groups.emplace_back(dataset, title, curve_names(dataset, labels));
  const std::size_t plain = groups.size();
  const std::vector<std::size_t> contact_forces = columns_in_use(archive, "contact_force"),
                                 scalars_in_use = columns_in_use(archive, "scalars");
  const bool rubs = std::any_of(scalars_in_use.begin(), scalars_in_use.end(),
                                [&](std::size_t k) { return labels.scalars[k] == "loss.friction"; });
  groups.emplace_back("balance", "Energy balance", balance_curves(labels, impacts, rubs));
  const std::vector<std::size_t> cause = causes(labels);
  std::vector<double> balance_row(2 + cause.size());
  // Of a continuum: its energies one upon the other, and the forces of its contacts. Of a motion under control: both
  // sides of its optimum.
  std::vector<std::size_t> energies, forces, controls, costates;
  for (std::size_t k = 0; k < labels.scalars.size(); ++k) {
    if (labels.scalars[k].starts_with("energy.")) energies.push_back(k);
    if (labels.scalars[k].starts_with("force.")) forces.push_back(k);
    if (labels.scalars[k].starts_with("control.")) controls.push_back(k);
    if (labels.scalars[k].starts_with("costate.")) costates.push_back(k);
  }
  const auto names_of = [](const std::vector<std::size_t>& list, const std::vector<std::string>& all) {
    std::vector<std::string> names;
    names.reserve(list.size());
    for (const std::size_t k : list) names.push_back(all[k]);
    return names;
  };
  groups.emplace_back("energies", "Energies", names_of(energies, labels.scalars));
  groups.emplace_back("forces", "Contact forces", names_of(forces, labels.scalars));
  groups.emplace_back("contact_force", "Contact forces", names_of(contact_forces, labels.contact_forces));
  groups.emplace_back("controls", "Controls", names_of(controls, labels.scalars));
  groups.emplace_back("costates", "Costates", names_of(costates, labels.scalars));
  std::size_t curve_count = 1;  // the times
  for (const CurveGroup& group : groups) curve_count += group.shown;
  for (CurveGroup& group : groups)
    group.envelope = Envelope(group.shown, std::clamp(curve_numbers / curve_count, min_points, max_points));
  std::vector<double> part(labels.scalars.size() + contact_forces.size());
  double first_energy = 0;
  const std::size_t portraits = std::min(labels.coordinates.size(), max_orbits);
  const std::size_t orbit_points = std::max(min_points, orbit_numbers / std::max<std::size_t>(3 * portraits, 1));
  std::vector<Orbit> orbits(portraits, Orbit(records, static_cast<std::int64_t>(orbit_points)));
  Statistics statistics;
  Observables point;
  Span times{0, 0}, spans[2] = {{0, 0}, {0, 0}};  // of the run, for its landscape

  for (std::int64_t first = 0; first < records; first += block) {
    const std::int64_t count = std::min(block, records - first);
    const auto t = archive.read("t", first, count), q = archive.read("q", first, count),
               v = archive.read("v", first, count), energy = archive.read("energy", first, count),
               momenta = archive.read("momenta", first, count), scalars = archive.read("scalars", first, count),
               lasting = archive.read("contact_force", first, count);
    const std::size_t n = labels.coordinates.size(), s = labels.momenta.size(), r = labels.scalars.size(),
                      f = labels.contact_forces.size();
    for (std::size_t g = 0; g < plain; ++g) {
      const std::vector<double> values = archive.read(groups[g].dataset, first, count);
      for (std::size_t row = 0; row < t.size(); ++row)
        groups[g].envelope.add(t[row], values.data() + row * groups[g].names.size());
    }
    if (first == 0) first_energy = energy.front();
    for (std::size_t row = 0; row < t.size(); ++row) {
      const double *q_row = q.data() + row * n, *v_row = v.data() + row * n;
      if (groups[plain].shown > 0) {
        const double* scalar_row = scalars.data() + row * r;
        balance_row[0] = energy[row] - first_energy;
        balance_row[1] = 0;
        for (std::size_t k = 0; k < cause.size(); ++k) balance_row[1] += balance_row[2 + k] = scalar_row[cause[k]];
        groups[plain].envelope.add(t[row], balance_row.data());
      }
      const auto add = [&](std::size_t group, const std::vector<std::size_t>& list, const double* values) {
        for (std::size_t k = 0; k < list.size(); ++k) part[k] = values[list[k]];
        if (!list.empty()) groups[group].envelope.add(t[row], part.data());
      };
      add(plain + 1, energies, scalars.data() + row * r);
      add(plain + 2, forces, scalars.data() + row * r);
      add(plain + 3, contact_forces, lasting.data() + row * f);
      add(plain + 4, controls, scalars.data() + row * r);
      add(plain + 5, costates, scalars.data() + row * r);
      for (std::size_t k = 0; k < orbits.size(); ++k) orbits[k].add(t[row], q_row[k], v_row[k]);
      reels.add(t[row], q_row, v_row);
      if (first == 0 && row == 0) {
        times = {t[row], t[row]};
        for (std::size_t k = 0; k < std::min<std::size_t>(n, 2); ++k) spans[k] = {q_row[k], q_row[k]};
      }
      times.max = t[row];
      for (std::size_t k = 0; k < std::min<std::size_t>(n, 2); ++k)
        spans[k] = {std::min(spans[k].min, q_row[k]), std::max(spans[k].max, q_row[k])};
      point.t = t[row];
      point.energy = energy[row];
      point.momenta.assign(momenta.data() + row * s, momenta.data() + (row + 1) * s);
      point.scalars.assign(scalars.data() + row * r, scalars.data() + (row + 1) * r);
      statistics.record(point);
    }
  }

  Json curves = Json::array(), phase = Json::array(), shapes = Json::array(), films = Json::array();
  std::rotate(groups.begin() + 1, groups.begin() + static_cast<std::ptrdiff_t>(plain),
              groups.end());  // balance and energies beside the energy
  for (const CurveGroup& group : groups)
    if (group.shown > 0) curves.push_back(to_json(group));
  for (std::size_t k = 0; k < orbits.size(); ++k) {
    orbits[k].finish();
    phase.push_back(to_json(labels.coordinates[k], orbits[k]));
  }
  for (const DrawnShape& shape : drawing.shapes()) shapes.push_back(to_json(shape));
  for (const Reel& reel : reels.reels()) films.push_back(to_json(reel));
  const fs::path summary = directory / summary_name;
  Json data = {
      {"format", 1},
      {"kind", "run"},
      {"version", header.version},
      {"summary", fs::exists(summary)
                      ? read_json(summary, header.state_hash)
                      : Json::parse(summary_json(summary_of_records(header, statistics, archive, impacts.impacts)))},
      {"scenario",
       {{"name", scenario.name},
        {"title", scenario.title},
        {"reference", scenario.reference},
        {"text", header.about.scenario_text},
        {"overrides", header.about.overrides}}},
      {"records", records},
      {"coordinates", labels.coordinates.size()},
      {"t", base64(groups[0].envelope.t())},
      {"plots", curves},
      {"phase", phase},
      {"impacts", to_json(impacts)},
      {"drawing",
       {{"dimension", drawing.dimension()}, {"standard", drawing.standard()}, {"shapes", shapes}, {"reels", films}}}};
  if (drawing.landscape() && labels.fields.empty())
    data["drawing"]["landscape"] = to_json(landscape(scenario.model, times, spans[0], spans[1]));
  const Sizes sizes = measure_sizes(scenario, archive);
  data["sizes"] = {{"momentum", Json::object()},
                   {"holonomic", sizes.holonomic ? Json(*sizes.holonomic) : Json()},
                   {"nonholonomic", sizes.nonholonomic ? Json(*sizes.nonholonomic) : Json()},
                   {"gaps", sizes.gaps ? Json(*sizes.gaps) : Json()}};
  for (std::size_t k = 0; k < sizes.momenta.size(); ++k)
    data["sizes"]["momentum"][labels.momenta[k]] = sizes.momenta[k];
  const std::vector<SectionPoints> sections = section_points(archive, max_section_points);
  for (std::size_t k = 0; k < sections.size(); ++k)
    data["sections"].push_back(to_json(labels.sections[k], sections[k]));
  if (const ContactBars bars = contact_bars(archive, max_bars); labels.fields.empty() && bars.count > 0)
    data["lasting"] = to_json(bars, labels.contacts);
  if (!labels.triangles.empty())
    data["mesh"] = to_json(read_mesh_history(archive, plane_walls(header.about)));
  else if (!labels.fields.empty())
    data["continuum"] = to_json(read_field_history(archive, 300, 400));
  return {data.dump(-1, ' ', false, Json::error_handler_t::replace), drawing.dimension() == 3};
}

void write_report(const fs::path& directory) {
  const ReportData data = run_report_data(directory);
  write_atomically(directory / report_name, make_page(data.json, data.space));
}

}  // namespace ricochet
