#include "ricochet/report/run_plot.hpp"

#include <gtest/gtest.h>

#include "report/scenarios.hpp"
#include "ricochet/error.hpp"

namespace ricochet::run_plot_test {
namespace {

TEST(RunPlot, draws_every_kind_of_a_run) {
  const TemporaryDirectory directory;
  run_ball(directory.path, "A <ball>", "5.0");
  for (const std::string& kind : plot_kinds()) {
    if (kind == "order") continue;  // needs an audit
    PlotOptions options;
    options.kind = kind;
    const std::string svg = plot_run(directory.path, options);
    EXPECT_NE(svg.find("A &lt;ball&gt;"), std::string::npos) << kind;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << kind;
  }
}

TEST(RunPlot, order_comes_from_the_audit) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path / "audit.json")
      << R"({"title":"T","audits":[{"method":"m","refused":null,"order":{"value":2.0,"points":[{"step":0.1,"error":0.01},{"step":0.01,"error":0.0001}]}}]})";
  PlotOptions options;
  options.kind = "order";
  EXPECT_NE(plot_run(directory.path, options).find("order 2.00"), std::string::npos);
}

std::string error_of(const std::filesystem::path& directory, const PlotOptions& options) {
  try {
    plot_run(directory, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(RunPlot, says_what_is_missing) {
  const TemporaryDirectory directory;
  EXPECT_NE(error_of(directory.path, {}).find("trajectory.h5"), std::string::npos);
  PlotOptions order;
  order.kind = "order";
  EXPECT_NE(error_of(directory.path, order).find("ricochet audit"), std::string::npos);
  run_ball(directory.path, "Ball", "1.0");
  PlotOptions phase;
  phase.kind = "phase";
  phase.coordinate = "z";
  EXPECT_NE(error_of(directory.path, phase).find("no coordinate z"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::run_plot_test
