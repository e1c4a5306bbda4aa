#include "ricochet/simulation/section_stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/method_stepper.hpp"
#include "toy_stepper.hpp"

namespace ricochet::section_stepper_test {
namespace {

using std::numbers::pi;
using Direction = Section::Direction;

// Gauss's method of order 12: at h = 0.1 its error over these motions is below round-off.
IntegratorOptions gauss(const std::string& method) {
  return {.method = method, .discretization = "galerkin", .step = 0.1, .parameters = {{"degree", 6.0}}};
}

struct Oscillator {
  Model model;
  Expr x = model.coordinate("x");
  Oscillator() { model.lagrangian = (square(dot(x)) - square(x)) / 2; }
  std::unique_ptr<Stepper> start() {
    return make_stepper(model, gauss("variational"), {.position = {1}, .velocity = {0}});
  }
};

// A ball under g = 1 from height ½ between grid points: impacts with speed 1 at 1, 3, 5 …; the trapezoidal rule is
// exact, and so are impacts that keep H.
struct Ball {
  Model model;
  Expr y = model.coordinate("y");
  Ball() {
    model.lagrangian = square(dot(y)) / 2 - y;
    model.contacts = {{.name = "floor", .gap = y}};
  }
  std::unique_ptr<Stepper> start(double h = 0.3) {
    return make_stepper(model,
                        {.method = "variational-collision",
                         .discretization = "trapezoidal",
                         .step = h,
                         .parameters = {{"impact_energy", std::string("continuous")}}},
                        {.position = {0.5}, .velocity = {0}});
  }
};

std::vector<SectionPoint> points(Stepper& stepper, double h, int steps) {
  std::vector<SectionPoint> all;
  for (int k = 0; k < steps; ++k) {
    stepper.advance(k * h, h);
    for (const SectionPoint& p : stepper.section_points()) all.push_back(p);
  }
  return all;
}

// x = cos t falls through zero at π/2, 5π/2 … with the velocity −1.
TEST(SectionStepper, finds_zeros_of_a_formula_to_the_accuracy_of_the_method) {
  for (const Direction direction : {Direction::up, Direction::down, Direction::both}) {
    Oscillator o;
    const auto stepper = with_sections(o.start(), o.model, {{"s", {"x", "x'"}, {o.x, dot(o.x)}, o.x, direction}});
    const std::vector<SectionPoint> found = points(*stepper, 0.1, 300);  // to t = 30
    const bool both = direction == Direction::both;
    ASSERT_EQ(found.size(), both ? 10u : 5u);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double t = pi * (0.5 + (both ? k : 2 * k + (direction == Direction::up ? 1 : 0)));
      EXPECT_NEAR(found[k].t, t, 1e-12);
      EXPECT_NEAR(found[k].values[0], 0, 1e-15);
      EXPECT_NEAR(found[k].values[1], -std::sin(t), 1e-12);
    }
  }
}

TEST(SectionStepper, impacts_are_points_and_a_jump_over_zero_is_none) {
  Ball ball;
  const Expr v = dot(ball.y), t = ball.model.time();
  const auto stepper = with_sections(ball.start(), ball.model,
                                     {{"before", {"y'", "t"}, {v, t}},
                                      {"after", {"y'"}, {v}, {}, Direction::up, {0}, true},
                                      {"other", {"y'"}, {v}, {}, Direction::up, {1}},
                                      {"apex", {"y"}, {ball.y}, v, Direction::down},
                                      {"jump", {"y"}, {ball.y}, v, Direction::up}});
  std::vector<std::vector<SectionPoint>> of(5);
  for (const SectionPoint& p : points(*stepper, 0.3, 48)) of[static_cast<std::size_t>(p.section)].push_back(p);
  ASSERT_EQ(of[0].size(), 7u);  // 1, 3, … 13
  ASSERT_EQ(of[1].size(), 7u);
  EXPECT_TRUE(of[2].empty());
  ASSERT_EQ(of[3].size(), 7u);  // 2, 4, … 14
  EXPECT_TRUE(of[4].empty());
  for (std::size_t k = 0; k < 7; ++k) {  // round-off of 48 steps
    EXPECT_NEAR(of[0][k].t, 2.0 * k + 1, 1e-13);
    EXPECT_EQ(of[0][k].values[1], of[0][k].t);
    EXPECT_NEAR(of[0][k].values[0], -1, 1e-13);
    EXPECT_NEAR(of[1][k].values[0], 1, 1e-13);
    EXPECT_NEAR(of[3][k].t, 2.0 * k + 2, 1e-13);
    EXPECT_NEAR(of[3][k].values[0], 0.5, 1e-13);
  }
}

// Two passages and an impact in one long step, in the order of time.
TEST(SectionStepper, several_in_one_step) {
  Ball ball;
  const auto stepper = with_sections(
      ball.start(2.2), ball.model,
      {{"low", {"y"}, {ball.y}, ball.y - 0.375, Direction::both}, {"hits", {"y"}, {ball.y}, {}, Direction::up, {}}});
  stepper->advance(0, 2.2);
  const auto found = stepper->section_points();
  // ½ − t²/2 = 3/8 at ½; the impact at 1; the arc ½ − (t − 2)²/2 rises above 3/8 at 1½
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[0].t, 0.5, 1e-14);
  EXPECT_EQ(found[1].section, 1);
  EXPECT_NEAR(found[1].t, 1, 1e-14);
  EXPECT_NEAR(found[2].t, 1.5, 1e-14);
}

TEST(SectionStepper, a_run_with_sections_is_the_run_without) {
  Ball with, without;
  RunSettings settings = toy_settings(0.3, 29.4);
  const auto watched =
      with_sections(with.start(), with.model,
                    {{"apex", {"y"}, {with.y}, dot(with.y), Direction::both}, {"hits", {"y'"}, {dot(with.y)}}});
  const auto plain = without.start();
  const Summary a = run(*watched, settings, toy_description()), b = run(*plain, settings, toy_description());
  EXPECT_EQ(a.state_hash, b.state_hash);
  EXPECT_EQ(a.impacts, b.impacts);
  EXPECT_EQ(a.energy.drift_per_time, b.energy.drift_per_time);
}

std::vector<double> rows(const std::filesystem::path& directory, std::int64_t& count) {
  const ArchiveReader archive(directory / "trajectory.h5");
  archive.verify();
  count = archive.sizes().sections;
  std::vector<double> all = archive.read("sections/values", 0, count);
  for (const double t : archive.read("sections/t", 0, count)) all.push_back(t);
  for (const std::int64_t k : archive.read_integers("sections/step", 0, count)) all.push_back(static_cast<double>(k));
  return all;
}

// Stopped at every tenth step and resumed: the same points; and the archive says what they are.
TEST(SectionStepper, resumed_runs_have_the_same_points) {
  const auto make = [](const RunDescription&) -> std::pair<std::unique_ptr<Stepper>, RunSettings> {
    Ball ball;
    auto stepper = with_sections(ball.start(), ball.model,
                                 {{"apex", {"y", "t"}, {ball.y, ball.model.time()}, dot(ball.y), Direction::down},
                                  {"hits", {"y'"}, {dot(ball.y)}}});
    return {std::move(stepper), toy_settings(0.3, 29.4)};
  };
  const TemporaryDirectory whole, parts;
  const RunDescription about = toy_description();
  run(*make(about).first, toy_settings(0.3, 29.4), about, whole.path);
  std::atomic<bool> stop{false};
  RunControl control;
  control.stop = &stop;
  int impacts = 0;
  control.impact = [&](const Impact&) { stop = ++impacts % 3 == 0; };
  Summary s = run(*make(about).first, toy_settings(0.3, 29.4), about, parts.path, control);
  for (int k = 0; k < 20 && s.status == "interrupted"; ++k) {
    stop = false;
    s = resume(parts.path, make, control);
  }
  ASSERT_EQ(s.status, "completed");
  std::int64_t a = 0, b = 0;
  EXPECT_EQ(rows(whole.path, a), rows(parts.path, b));
  EXPECT_EQ(a, 29);  // impacts at 1, 3 … 29, apices at 2, 4 … 28
  EXPECT_EQ(a, b);
  const Labels labels = ArchiveReader(parts.path / "trajectory.h5").header().labels;
  ASSERT_EQ(labels.sections.size(), 2u);
  EXPECT_EQ(labels.sections[0].name, "apex");
  EXPECT_FALSE(labels.sections[0].at_impacts);
  EXPECT_TRUE(labels.sections[1].at_impacts);
  EXPECT_EQ(labels.sections[0].quantities, (std::vector<std::string>{"y", "t"}));
}

TEST(SectionStepper, a_quantity_without_a_value_ends_the_run) {
  Ball ball;
  const auto stepper = with_sections(ball.start(), ball.model, {{"hits", {"1/y"}, {1 / (ball.y - ball.y)}}});
  const Summary s = run(*stepper, toy_settings(0.3, 29.4), toy_description());
  EXPECT_EQ(s.status, "failed");
  EXPECT_NE(s.message.find("section 'hits'"), std::string::npos) << s.message;
}

// On a constraint the points are on it too.
TEST(SectionStepper, points_meet_the_constraints) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
  m.holonomic = {{"rod", square(x) + square(y) - 1}};
  auto inner = make_stepper(m, {.method = "variational", .discretization = "midpoint", .step = 0.05, .parameters = {}},
                            {.position = {1, 0}, .velocity = {0, 0}});
  const auto stepper =
      with_sections(std::move(inner), m, {{"lowest", {"r"}, {sqrt(square(x) + square(y))}, x, Direction::both}});
  const std::vector<SectionPoint> found = points(*stepper, 0.05, 200);
  ASSERT_GE(found.size(), 7u);
  for (const SectionPoint& p : found) EXPECT_NEAR(p.values[0], 1, 1e-14);
}

}  // namespace
}  // namespace ricochet::section_stepper_test
