#include <gtest/gtest.h>

#include "ricochet/simulation/output_file.hpp"
#include "ricochet/simulation/summary.hpp"

namespace ricochet::design_summary_json_test {
namespace {

TEST(DesignSummary, IsReadBackAsItWasWritten) {
  Summary summary;
  DesignSummary& d = summary.design;
  d.solution = DesignSummary::Solution{.status = "solved",
                                       .message = "",
                                       .iterations = 3,
                                       .residual = 1e-15,
                                       .unknowns = {{"velocity.x", 0.1}},
                                       .guess = {{"velocity.x", 2}},
                                       .conditions = {{"x - 1", 1e-17}},
                                       .verified = {{"x - 1", std::nan("")}},
                                       .history = {{0.5, 0.25, 1, {2.0}}}};
  d.quantities = {{"x^2", 4.0}};
  d.sensitivities = {{"position.x", {{"parameters.g", -0.5}, {"duration", std::nan("")}}}};
  d.floquet = {{0.25, -0.5}};
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "design-summary-test.json";
  write_summary(file, summary);
  const Summary again = read_summary(file);
  std::filesystem::remove(file);
  EXPECT_EQ(summary_json(again), summary_json(summary));
  EXPECT_EQ(again.design.solution->unknowns, d.solution->unknowns);
  EXPECT_EQ(again.design.solution->history[0].damping, 0.25);
  EXPECT_TRUE(std::isnan(again.design.sensitivities[0].second[1].second));
  EXPECT_EQ(again.design.floquet, d.floquet);
}

TEST(DesignSummary, ARunWithoutAProblemHasNoneOfIt) {
  const std::string text = summary_json(Summary{});
  for (const char* name : {"solution", "sensitivities", "floquet", "quantities"})
    EXPECT_EQ(text.find(std::string("\"") + name + "\""), std::string::npos) << name;
}

}  // namespace
}  // namespace ricochet::design_summary_json_test
