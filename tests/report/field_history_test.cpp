#include "ricochet/report/field_history.hpp"

#include <gtest/gtest.h>

#include "report/scenarios.hpp"
#include "ricochet/report/report.hpp"
#include "ricochet/report/run_plot.hpp"

namespace ricochet::field_history_test {
namespace {

Labels two_bodies() {
  Labels labels;
  labels.bodies = {"a", "b"};
  labels.fields = {{"x", {0, 5, 8}}, {"v", {0, 5, 8}}, {"stress", {0, 4, 6}}};
  return labels;
}

TEST(FieldHistory, KeepsEdgesAndMeansOfGroups) {
  FieldHistory history(two_bodies(), 3);
  EXPECT_EQ(history.cells, (std::vector<std::size_t>{2, 1}));
  const double x[] = {0, 1, 2, 3, 4, 10, 11, 12}, stress[] = {1, 3, -5, -7, 2, 4};
  history.add(0.5, x, stress);
  EXPECT_EQ(history.x, (std::vector<float>{0, 2, 4, 10, 12}));
  EXPECT_EQ(history.stress, (std::vector<float>{2, -6, 3}));
  EXPECT_EQ(history.largest, 6);
  const std::string svg = svg_field_history(history, "a < b", 400, 300);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_EQ(count(svg, "<path fill="), 3u);  // three colours
}

TEST(FieldHistory, AllCellsWhereTheyAreFew) {
  FieldHistory history(two_bodies(), 100);
  EXPECT_EQ(history.cells, (std::vector<std::size_t>{4, 2}));
}

// A run of two rods through archive, report and picture: the page has the diagram, the stacked energies and the
// episode.
TEST(FieldHistory, ReportOfBodies) {
  const TemporaryDirectory directory;
  const Scenario scenario = read_scenario_text(R"(
[continuum]
courant = 1.0
[[continuum.body]]
name = "rod1"
mesh = { length = 1.0, cells = 10 }
material = { kind = "linear", rho = 1.0, E = 1.0 }
velocity = ["1"]
[[continuum.body]]
name = "rod2"
mesh = { from = 1.0, length = 1.0, cells = 10 }
material = { kind = "linear", rho = 1.0, E = 1.0 }
[[continuum.contact]]
between = ["rod1", "rod2"]
treatment = "interval"
[run]
duration = 3.0
)",
                                               "rods.toml");
  std::vector<std::string> warnings;
  run(*make_stepper(scenario, warnings), scenario.run, describe(scenario), directory.path);
  const std::string json = run_report_data(directory.path).json;
  for (const char* word :
       {"\"continuum\":", "\"Energies\"", "\"Contact forces\"", "\"interval\"", "\"end_time\"", "\"largest_force\""})
    EXPECT_NE(json.find(word), std::string::npos) << word;
  PlotOptions options;
  options.kind = "trajectory";
  EXPECT_NE(plot_run(directory.path, options).find("time t"), std::string::npos);
  const ArchiveReader archive(directory.path / "trajectory.h5");
  EXPECT_EQ(archive.header().labels.bodies, (std::vector<std::string>{"rod1", "rod2"}));
  EXPECT_EQ(archive.header().labels.treatments, std::vector<std::string>{"interval"});
  const FieldHistory history = read_field_history(archive, 7, 4);
  EXPECT_LE(history.t.size(), 8u);
  EXPECT_EQ(history.t.back(), 3);
  // one episode, from 0 to 2, stress ½
  ASSERT_EQ(archive.sizes().impacts, 1);
  EXPECT_NEAR(archive.read("impacts/end_time", 0, 1)[0], 2, 1e-12);
  EXPECT_NEAR(archive.read("impacts/largest_force", 0, 1)[0], 0.5, 1e-12);
  const std::string ledger = text_of(directory.path / "ledger.csv");
  EXPECT_NE(ledger.find(",end_time,largest_force"), std::string::npos);
  EXPECT_NE(ledger.find(",interval,1,"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::field_history_test
