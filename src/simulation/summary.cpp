#include "ricochet/simulation/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "design_summary_json.hpp"
#include "ricochet/error.hpp"
#include "ricochet/simulation/checksum.hpp"
#include "ricochet/simulation/output_file.hpp"
#include "ricochet/simulation/record_fields.hpp"
#include "ricochet/simulation/summary_fields.hpp"

namespace ricochet {

using Json = nlohmann::ordered_json;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

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
        for (const auto& [inner, x] : value.items()) probe.values.emplace_back(key + "." + inner, number_or(x, nan));
      else
        probe.values.emplace_back(key, number_or(value, nan));
  }
}

// "time.start" is start in the table time.
Json& at_path(Json& json, const std::string& path) {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? json[path] : json[path.substr(0, dot)][path.substr(dot + 1)];
}

struct Writer {
  Json& json;
  bool coordinates = true;  // else there is no final state
  void operator()(const char* path, double x, double null = nan) const {
    at_path(json, path) = x == null ? Json(nullptr) : number(x);
  }
  void operator()(const char* path, const std::vector<double>& values) const {
    Json& list = at_path(json, path) = coordinates ? Json::array() : Json(nullptr);
    if (coordinates)
      for (const double x : values) list.push_back(number(x));
  }
  void operator()(const char* path, const std::vector<Counter>& counters) const {
    Json& names = json[path] = Json::array();
    for (const Counter& c : counters) names.push_back(c.name);
  }
  template <class Named>
  requires requires(Named n) { n.name; }
  void operator()(const char* path, const std::vector<Named>& list) const {
    Json& table = json[path] = Json::object();
    for (const Named& one : list) each_field(one, Writer{table[one.name]});
  }
  void operator()(const char* path, const auto& value) const { at_path(json, path) = value; }
};

struct Reader {
  Json& json;  // not changed: a missing field is an error
  void operator()(const char* path, double& x, double null = nan) const { x = number_or(at(path), null); }
  void operator()(const char* path, std::vector<double>& values) const {
    if (!at(path).is_null()) values = at(path).get<std::vector<double>>();
  }
  void operator()(const char* path, std::vector<Counter>& counters) const {
    for (const std::string name : at(path)) counters.push_back({name, json.at(name)});
  }
  template <class Named>
  requires requires(Named n) { n.name; }
  void operator()(const char* path, std::vector<Named>& list) const {
    for (auto& [name, fields] : at(path).items()) {
      list.emplace_back().name = name;
      each_field(list.back(), Reader{fields});
    }
  }
  void operator()(const char* path, auto& value) const { at(path).get_to(value); }

 private:
  Json& at(const std::string& path) const {
    const std::size_t dot = path.find('.');
    return dot == std::string::npos ? json.at(path) : json.at(path.substr(0, dot)).at(path.substr(dot + 1));
  }
};

}  // namespace

std::string summary_json(const Summary& s) {
  Json out = {{"format", 1}};
  each_field(s, Writer{out, s.has_coordinates});
  out["version"] = RICOCHET_VERSION;
  if (!s.probes.empty()) out["probes"] = probes_json(s.probes);
  if (!s.contacts.empty()) out["contacts"] = probes_json(s.contacts);
  for (const Counter& c : s.counters) out[c.name] = c.count;  // fields of their own, so that [expect] can name them
  write_design(out, s.design);
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
    Json j = Json::parse(text);
    Summary s;
    each_field(s, Reader{j});
    s.has_coordinates = !j.at("final").at("position").is_null();
    if (j.contains("probes")) read_probes(j.at("probes"), s.probes);
    if (j.contains("contacts")) read_probes(j.at("contacts"), s.contacts);
    s.design = read_design(j);
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
  const auto add_number = [&](double x) { add(std::bit_cast<std::uint64_t>(x)); };
  const auto add_list = [&](const std::vector<double>& list) { std::for_each(list.begin(), list.end(), add_number); };
  for (const RecordField& f : record_fields()) {
    if (!f.hashed) continue;
    if (const auto* one = std::get_if<double Observables::*>(&f.value)) add_number(state.**one);
    if (const auto* list = std::get_if<std::vector<double> Observables::*>(&f.value)) add_list(state.**list);
  }
  std::for_each(state.fields.begin(), state.fields.end(), add_list);
  add_list(state.piece_modes);
  return fmt::format("{:016x}", hash);
}

}  // namespace ricochet
