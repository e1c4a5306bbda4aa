#include "ricochet/simulation/summary.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ricochet/error.hpp"
#include "ricochet/simulation/checksum.hpp"
#include "ricochet/simulation/output_file.hpp"

namespace ricochet {

using Json = nlohmann::ordered_json;

namespace {

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
Json violation(double x) { return x < 0 ? Json(nullptr) : number(x); }  // −1: no such constraint
Json numbers(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double x : values) out.push_back(number(x));
  return out;
}
// Of all fields but wall_seconds, which is no result: equal runs have equal summaries.
std::string summary_checksum(Json summary) {
  summary.erase("wall_seconds");
  summary.erase("check");
  return fmt::format("{:016x}", checksum(summary.dump(-1, ' ', false, Json::error_handler_t::replace)));
}
double number_or(const Json& j, double otherwise) { return j.is_null() ? otherwise : j.get<double>(); }

// "residuals.momentum" of a probe becomes {"residuals": {"momentum": …}}.
Json probes_json(const std::vector<ProbeReport>& probes) {
  Json out = Json::object();
  for (const ProbeReport& probe : probes) {
    Json& values = out[probe.name] = Json::object();
    for (const auto& [path, value] : probe.values) {
      const std::size_t dot = path.find('.');
      if (dot == std::string::npos)
        values[path] = number(value);
      else
        values[path.substr(0, dot)][path.substr(dot + 1)] = number(value);
    }
  }
  return out;
}

void read_probes(const Json& probes, std::vector<ProbeReport>& out) {
  for (const auto& [name, values] : probes.items()) {
    ProbeReport& probe = out.emplace_back(ProbeReport{name, {}});
    for (const auto& [key, value] : values.items())
      if (value.is_object())
        for (const auto& [inner, x] : value.items())
          probe.values.emplace_back(key + "." + inner, number_or(x, std::numeric_limits<double>::quiet_NaN()));
      else
        probe.values.emplace_back(key, number_or(value, std::numeric_limits<double>::quiet_NaN()));
  }
}

}  // namespace

std::string summary_json(const Summary& s) {
  Json momentum = Json::object(), scalars = Json::object(), counters = Json::array();
  for (const MomentumSummary& m : s.momenta)
    momentum[m.name] = {{"initial", number(m.initial)}, {"max_deviation", number(m.max_deviation)}};
  for (const ScalarSummary& x : s.scalars)
    scalars[x.name] = {
        {"initial", number(x.initial)}, {"final", number(x.final)}, {"min", number(x.min)}, {"max", number(x.max)}};
  for (const Counter& c : s.counters) counters.push_back(c.name);
  const EnergySummary& e = s.energy;
  Json out = {
      {"format", 1},
      {"title", s.description.title},
      {"method", s.description.method},
      {"discretization", s.description.discretization},
      {"step", number(s.step)},
      {"steps", s.steps},
      {"impacts", s.impacts},
      {"impacts_stored", s.impacts_stored},
      {"status", s.status},
      {"message", s.message},
      {"time", {{"start", number(s.time_start)}, {"end", number(s.time_end)}}},
      {"wall_seconds", number(s.wall_seconds)},
      {"state_hash", s.state_hash},
      {"final",
       {{"position", numbers(s.position)}, {"velocity", numbers(s.velocity)}, {"momentum", numbers(s.momentum)}}},
      {"energy",
       {{"initial", number(e.initial)},
        {"final", number(e.final)},
        {"min", number(e.min)},
        {"max", number(e.max)},
        {"relative_range", number(e.relative_range)},
        {"drift_per_time", number(e.drift_per_time)}}},
      {"momentum", momentum},
      {"scalars", scalars},
      {"gap_min", number(s.extremes.gap_min)},
      {"holonomic_max", violation(s.extremes.holonomic_max)},
      {"nonholonomic_max", violation(s.extremes.nonholonomic_max)},
      {"counters", counters},
      {"exit_code", s.exit_code},
      {"scenario", s.description.scenario_name},
      {"overrides", s.description.overrides},
      {"version", RICOCHET_VERSION}};
  if (!s.has_coordinates) out["final"] = {{"position", nullptr}, {"velocity", nullptr}, {"momentum", nullptr}};
  if (!s.probes.empty()) out["probes"] = probes_json(s.probes);
  if (!s.contacts.empty()) out["contacts"] = probes_json(s.contacts);
  for (const Counter& c : s.counters) out[c.name] = c.count;  // fields of their own, so that [expect] can name them
  out["check"] = summary_checksum(out);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_summary(const std::filesystem::path& path, const Summary& s) { write_atomically(path, summary_json(s)); }

std::string read_summary_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw InputError(path.string() + ": there is no such summary");
  try {
    const Json j = Json::parse(text.str());
    if (j.at("check") != summary_checksum(j))
      throw InputError(path.string() + ": the summary is damaged: its checksum does not fit");
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: no readable summary: {}", path.string(), error.what()));
  }
  return text.str();
}

Summary read_summary(const std::filesystem::path& path) {
  const std::string text = read_summary_text(path);
  try {
    const Json j = Json::parse(text);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Summary s;
    s.description = {j.at("title"), j.at("method"), j.at("discretization"), j.at("scenario"), "", j.at("overrides")};
    s.step = j.at("step");
    s.steps = j.at("steps");
    s.impacts = j.at("impacts");
    s.impacts_stored = j.at("impacts_stored");
    s.status = j.at("status");
    s.message = j.at("message");
    s.time_start = j.at("time").at("start");
    s.time_end = j.at("time").at("end");
    s.wall_seconds = j.at("wall_seconds");
    s.state_hash = j.at("state_hash");
    const Json& last = j.at("final");
    s.has_coordinates = !last.at("position").is_null();
    if (s.has_coordinates) {
      s.position = last.at("position").get<std::vector<double>>();
      s.velocity = last.at("velocity").get<std::vector<double>>();
      s.momentum = last.at("momentum").get<std::vector<double>>();
    }
    if (j.contains("probes")) read_probes(j.at("probes"), s.probes);
    if (j.contains("contacts")) read_probes(j.at("contacts"), s.contacts);
    const Json& e = j.at("energy");
    s.energy = {number_or(e.at("initial"), nan),
                number_or(e.at("final"), nan),
                number_or(e.at("min"), nan),
                number_or(e.at("max"), nan),
                number_or(e.at("relative_range"), nan),
                number_or(e.at("drift_per_time"), nan)};
    for (const auto& [name, m] : j.at("momentum").items())
      s.momenta.push_back({name, m.at("initial"), m.at("max_deviation")});
    for (const auto& [name, x] : j.at("scalars").items())
      s.scalars.push_back({name, x.at("initial"), x.at("final"), x.at("min"), x.at("max")});
    s.extremes = {number_or(j.at("gap_min"), std::numeric_limits<double>::infinity()),
                  number_or(j.at("holonomic_max"), -1), number_or(j.at("nonholonomic_max"), -1)};
    for (const std::string name : j.at("counters")) s.counters.push_back({name, j.at(name)});
    s.exit_code = j.at("exit_code");
    return s;
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: no readable summary: {}", path.string(), error.what()));
  }
}

std::string state_hash(std::int64_t step, const Observables& state) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::uint64_t bits) {
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (bits >> shift & 0xff)) * 0x100000001b3u;
  };
  add(static_cast<std::uint64_t>(step));
  add(std::bit_cast<std::uint64_t>(state.t));
  for (const double x : state.q) add(std::bit_cast<std::uint64_t>(x));
  for (const double x : state.p) add(std::bit_cast<std::uint64_t>(x));
  for (const std::vector<double>& field : state.fields)
    for (const double x : field) add(std::bit_cast<std::uint64_t>(x));
  return fmt::format("{:016x}", hash);
}

}  // namespace ricochet
