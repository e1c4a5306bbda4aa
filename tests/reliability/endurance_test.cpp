// Long and large runs: memory does not grow with the number of impacts, and a hundred thousand coordinates are few.

#include <sys/resource.h>

#include "cli/program.hpp"

namespace ricochet::endurance_test {
namespace {

using test::Outcome;

class Endurance : public test::Workplace {
 protected:
  struct Cost {
    long kilobytes;  // resident, at most
    double seconds;  // of the processor
  };
  Cost run(const std::vector<std::string>& arguments) const {
    const pid_t child = start(arguments);
    int status = 0;
    rusage usage{};
    EXPECT_EQ(wait4(child, &status, 0, &usage), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << test::text_of(here() / ".err");
    return {usage.ru_maxrss,
            static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec)};
  }
};

constexpr const char* walls = R"([system]
coordinates = ["x"]
lagrangian = "x'^2/2"
[[system.contact]]
name = "left"
gap = "x"
[[system.contact]]
name = "right"
gap = "1 - x"
[initial]
position = [0.4]
velocity = [1]
[integrator]
method = "variational-collision"
step = 0.9
[run]
impacts = 1000
[output]
every = 0
impacts = 1000
)";

TEST_F(Endurance, MemoryDoesNotGrowWithTheImpacts) {
  file("walls.toml", walls);
#ifdef __SANITIZE_ADDRESS__
  const std::string many = "300000";
#else
  const std::string many = std::getenv("RICOCHET_LONG") ? "100000000" : "300000";
#endif
  const Cost few = run({"run", "walls.toml", "-o", "few", "--quiet", "--set", "run.impacts=100000"});
  const Cost lots = run({"run", "walls.toml", "-o", "lots", "--quiet", "--set", "run.impacts=" + many});
  EXPECT_EQ(summary("lots")["impacts"], std::stoll(many));
  EXPECT_EQ(summary("lots")["impacts_stored"], 1000);
  EXPECT_LT(test::fs::file_size(here() / "lots/trajectory.h5"), 2000000u);
  EXPECT_LT(lots.kilobytes, few.kilobytes + 8000) << "what allocators keep";
  EXPECT_LT(std::abs(summary("lots")["energy"]["relative_range"].get<double>()), 1e-9);
  RecordProperty("microseconds for each of 1e5 impacts", std::to_string(10 * few.seconds));
  RecordProperty("microseconds for each of " + many, std::to_string(1e6 * lots.seconds / std::stod(many)));
  RecordProperty("kilobytes", std::to_string(lots.kilobytes));
}

constexpr const char* large = R"toml([system]
coordinates = ["x[1..n]"]
lagrangian = "sum(i in 1..n, x[i]'^2/2)"
[system.parameters]
n = 100000
[initial]
position = { x = "i" }
velocity = { x = "1" }
[integrator]
method = "variational"
step = 0.01
[run]
duration = 1
[output]
every = 0
)toml";

TEST_F(Endurance, AHundredThousandFreeCoordinates) {
  file("large.toml", large);
  const Cost cost = run({"run", "large.toml", "-o", "large", "--quiet"});
  EXPECT_EQ(summary("large")["steps"], 100);
  RecordProperty("seconds", std::to_string(cost.seconds));
  RecordProperty("kilobytes", std::to_string(cost.kilobytes));
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(cost.kilobytes, 500000);
#endif
}

}  // namespace
}  // namespace ricochet::endurance_test
