#include "ricochet/report/comparison_report.hpp"

#include <gtest/gtest.h>

#include "report/scenarios.hpp"

namespace ricochet::comparison_report_test {
namespace {

Subject ball(const Scenario& scenario) {
  return make_subject(scenario.model, scenario.integrator,
                      {scenario.run.start, scenario.position, scenario.velocity_or_momentum, scenario.momentum_given},
                      scenario.run);
}

TEST(ComparisonReport, traces_the_energy_of_a_run) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "2.0", ball_view), "ball.toml");
  const EnergyTrace trace = trace_energy(ball(scenario), "m");
  ASSERT_EQ(trace.t.size(), 201u);
  EXPECT_EQ(trace.t.front(), 0);
  EXPECT_NEAR(trace.t.back(), 2, 1e-12);
  EXPECT_NEAR(trace.energy.front(), 9.81 + 0.125, 1e-12);
}

TEST(ComparisonReport, a_long_run_is_traced_at_its_beginning) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "1e7", ball_view), "ball.toml");
  const EnergyTrace trace = trace_energy(ball(scenario), "m");
  EXPECT_LE(trace.t.size(), 4000u);
  EXPECT_NEAR(trace.t.back(), 0.01 * traced_steps, 1e-6);
}

// Impacts of this ball are at √(2/g) times 1, 3, 5: the third at 2.2576, in the step that ends at 2.26.
TEST(ComparisonReport, a_run_that_ends_with_an_impact_is_traced_to_it) {
  Scenario scenario = read_scenario_text(ball_text("Ball", "100.0", ball_view), "ball.toml");
  scenario.run.impacts = 3;
  EXPECT_NEAR(trace_energy(ball(scenario), "m").t.back(), 2.26, 1e-9);
  std::vector<std::string> warnings;
  EXPECT_NEAR(trace_energy(*make_stepper(scenario, warnings), scenario.run, "m").t.back(), 2.26, 1e-9);
}

TEST(ComparisonReport, writes_a_page_with_the_result_in_it) {
  const TemporaryDirectory directory;
  const Scenario scenario = read_scenario_text(ball_text("A </script>", "1.0", ball_view), "ball.toml");
  write_comparison_report(directory.path, "audit", R"({"audits":[{"method":"m </script>"}]})", {{"m", {0, 1}, {2, 2}}},
                          scenario);
  const std::string page = text_of(directory.path / "audit.html");
  EXPECT_NE(page.find(R"("audits":[{"method":"m \u003c/script\u003e"}])"), std::string::npos);
  EXPECT_NE(page.find(R"("kind":"audit")"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::comparison_report_test
