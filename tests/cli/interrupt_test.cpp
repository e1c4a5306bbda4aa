// A signal ends every verb soon, wherever it is. The limits of time are far above the second that is promised, as
// machines may be busy; what is compared is that nothing waits for its end.

#include "cli/program.hpp"

namespace ricochet::interrupt_test {
namespace {

using test::Outcome;
using Interrupt = test::Workplace;

// A spring so stiff that one step of the reference takes minutes.
constexpr const char* stiff = R"([system]
coordinates = ["x"]
lagrangian = "x'^2/2 - 1e16*x^2/2"
[initial]
position = [1]
velocity = [0]
[integrator]
method = "reference"
step = 1
[run]
duration = 10
)";

TEST_F(Interrupt, InALongStepOfTheReference) {
  file("stiff.toml", stiff);
  const pid_t child = start({"run", "stiff.toml", "-o", "r", "--quiet"});
  while (!test::fs::exists(here() / "r/checkpoint.cbor")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // inside the first step
  kill(child, SIGINT);
  const Outcome o = wait(child);
  EXPECT_EQ(o.exit_code, 130) << o.err;
  EXPECT_EQ(summary("r")["status"], "interrupted");
  EXPECT_EQ(summary("r")["steps"], 0);
  EXPECT_TRUE(test::fs::exists(here() / "r/checkpoint.cbor"));
}

TEST_F(Interrupt, WhereNobodyAsks) {
  file("stiff.toml", stiff);
  // compare looks for a truth before it runs: nothing in there asks for signals
  const pid_t child = start({"compare", "stiff.toml", "--methods", "reference", "-o", "r", "--quiet"});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  kill(child, SIGTERM);
  const Outcome o = wait(child);
  EXPECT_TRUE(o.exit_code == 130 || o.exit_code == 128 + SIGTERM) << o.exit_code;
}

}  // namespace
}  // namespace ricochet::interrupt_test
