#include "ricochet/simulation/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "toy_stepper.hpp"

namespace ricochet::summary_test {
namespace {

Summary example() {
  Summary s;
  s.description = toy_description();
  s.step = 0.1;
  s.steps = 12;
  s.impacts = 3;
  s.message = "";
  s.time_end = 1.2;
  s.wall_seconds = 0.5;
  s.state_hash = "0123456789abcdef";
  s.position = {1, 2};
  s.velocity = {3, 4};
  s.momentum = {5, 6};
  s.energy = {1, 1.5, 0.5, 2, 1.5, -0.25};
  s.momenta = {{"horizontal momentum", 2, 1e-15}};
  s.extremes = {-1e-3, 1e-9, 1e-8};
  s.counters = {{"grazing_fallbacks", 4}};
  return s;
}

TEST(Summary, FieldsOfTheContract) {
  const auto j = nlohmann::json::parse(summary_json(example()));
  EXPECT_EQ(j["format"], 1);
  EXPECT_EQ(j["title"], "Toy");
  EXPECT_EQ(j["method"], "kick-drift-kick");
  EXPECT_EQ(j["discretization"], "none");
  EXPECT_EQ(j["step"], 0.1);
  EXPECT_EQ(j["steps"], 12);
  EXPECT_EQ(j["impacts"], 3);
  EXPECT_EQ(j["status"], "completed");
  EXPECT_EQ(j["message"], "");
  EXPECT_EQ(j["time"]["start"], 0);
  EXPECT_EQ(j["time"]["end"], 1.2);
  EXPECT_EQ(j["wall_seconds"], 0.5);
  EXPECT_EQ(j["state_hash"], "0123456789abcdef");
  EXPECT_EQ(j["final"]["position"], (std::vector<double>{1, 2}));
  EXPECT_EQ(j["final"]["velocity"], (std::vector<double>{3, 4}));
  EXPECT_EQ(j["final"]["momentum"], (std::vector<double>{5, 6}));
  EXPECT_EQ(j["energy"]["initial"], 1);
  EXPECT_EQ(j["energy"]["final"], 1.5);
  EXPECT_EQ(j["energy"]["min"], 0.5);
  EXPECT_EQ(j["energy"]["max"], 2);
  EXPECT_EQ(j["energy"]["relative_range"], 1.5);
  EXPECT_EQ(j["energy"]["drift_per_time"], -0.25);
  EXPECT_EQ(j["momentum"]["horizontal momentum"]["initial"], 2);
  EXPECT_EQ(j["momentum"]["horizontal momentum"]["max_deviation"], 1e-15);
  EXPECT_EQ(j["gap_min"], -1e-3);
  EXPECT_EQ(j["holonomic_max"], 1e-9);
  EXPECT_EQ(j["nonholonomic_max"], 1e-8);
  EXPECT_EQ(j["grazing_fallbacks"], 4);
  EXPECT_EQ(j["exit_code"], 0);
}

TEST(Summary, WithoutMeaningIsNull) {
  Summary s = example();
  s.energy.relative_range = s.energy.drift_per_time = std::nan("");
  s.extremes = {std::numeric_limits<double>::infinity(), -1, -1};
  const auto j = nlohmann::json::parse(summary_json(s));
  EXPECT_TRUE(j["energy"]["relative_range"].is_null());
  EXPECT_TRUE(j["energy"]["drift_per_time"].is_null());
  EXPECT_TRUE(j["gap_min"].is_null());
  EXPECT_TRUE(j["holonomic_max"].is_null());
  EXPECT_TRUE(j["nonholonomic_max"].is_null());
}

TEST(Summary, ReadsBackWhatItWrote) {
  const TemporaryDirectory directory;
  for (const bool bare : {false, true}) {
    Summary s = example();
    if (bare) {
      s.energy.relative_range = std::nan("");
      s.extremes = {std::numeric_limits<double>::infinity(), -1, -1};
    }
    write_summary(directory.path / "summary.json", s);
    EXPECT_EQ(summary_json(read_summary(directory.path / "summary.json")), summary_json(s));
  }
  EXPECT_THROW(read_summary(directory.path / "none.json"), InputError);
}

TEST(Summary, HashIsFnv1aOfTheBits) {
  // By hand: FNV-1a of eight zero bytes for the step and eight for t, no coordinates.
  std::uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < 16; ++i) hash *= 1099511628211u;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  EXPECT_EQ(state_hash(0, {}), digits);
  Observables a, b;
  a.q = {0.0};
  b.q = {-0.0};
  EXPECT_NE(state_hash(0, a), state_hash(0, b)) << "a sign of zero is a bit too";
  EXPECT_NE(state_hash(0, a), state_hash(1, a));
}

}  // namespace
}  // namespace ricochet::summary_test
