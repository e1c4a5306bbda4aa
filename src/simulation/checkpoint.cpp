#include "ricochet/simulation/checkpoint.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ricochet/error.hpp"
#include "ricochet/simulation/checksum.hpp"
#include "ricochet/simulation/output_file.hpp"

namespace ricochet {

using nlohmann::json;

namespace {

json bytes_of(const std::vector<double>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(double));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return json::binary(std::move(bytes));
}

std::vector<double> doubles_of(const json& stored) {
  const auto& bytes = stored.get_binary();
  std::vector<double> values(bytes.size() / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& c) {
  const RunDescription& a = c.about;
  const RunSettings& s = c.settings;
  const json out = {
      {"format", 1},
      {"about", {a.title, a.method, a.discretization, a.scenario_name, a.scenario_text, a.overrides}},
      {"settings", {bytes_of({s.start, s.step, s.duration}), s.impacts, s.every, s.ledger, s.stored_impacts}},
      {"step", c.step},
      {"impacts", c.impacts},
      {"lines", c.lines},
      {"recorded_step", c.recorded_step},
      {"stepper", bytes_of(c.stepper)},
      {"statistics", bytes_of(c.statistics)},
      {"archive", {c.archive.rows, c.archive.impacts, c.archive.sections}},
      {"ledger_bytes", c.ledger_bytes},
      {"wall_seconds", c.wall_seconds}};
  const std::vector<std::uint8_t> content = json::to_cbor(out);
  const std::vector<std::uint8_t> bytes =
      json::to_cbor({{"check", checksum(text_of(content))}, {"content", json::binary(content)}});
  write_atomically(path, text_of(bytes));
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.string() + ": there is no such checkpoint");
  try {
    const json outer = json::from_cbor(in);
    const std::vector<std::uint8_t>& content = outer.at("content").get_binary();
    if (outer.at("check") != checksum(text_of(content)))
      throw InputError(path.string() + ": the checkpoint is damaged: its checksum does not fit");
    const json from = json::from_cbor(content);
    if (from.at("format") != 1) throw InputError(path.string() + ": a checkpoint of another format; 1 is expected");
    Checkpoint c;
    const json& a = from.at("about");
    c.about = {a.at(0), a.at(1), a.at(2), a.at(3), a.at(4), a.at(5)};
    const json& s = from.at("settings");
    const std::vector<double> times = doubles_of(s.at(0));
    c.settings = {times.at(0), times.at(1), times.at(2), s.at(1), s.at(2), s.at(3), s.at(4)};
    c.step = from.at("step");
    c.impacts = from.at("impacts");
    c.lines = from.at("lines");
    c.recorded_step = from.at("recorded_step");
    c.stepper = doubles_of(from.at("stepper"));
    c.statistics = doubles_of(from.at("statistics"));
    c.archive = {from.at("archive").at(0), from.at("archive").at(1), from.at("archive").at(2)};
    c.ledger_bytes = from.at("ledger_bytes");
    c.wall_seconds = from.at("wall_seconds");
    return c;
  } catch (const json::exception& e) {
    throw InputError(fmt::format("{}: no readable checkpoint: {}", path.string(), e.what()));
  } catch (const std::out_of_range&) {
    throw InputError(fmt::format("{}: no readable checkpoint: settings are missing", path.string()));
  }
}

}  // namespace ricochet
