#include "../src/scenario/plane_reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "ricochet/scenario/scenario.hpp"
#include "support/gmsh_files.hpp"

namespace ricochet::plane_reader_test {
namespace {

const std::string bodies = R"toml(title = "Bodies"
[continuum]
gravity = [0.0, -1.0]
threads = 1
[[continuum.body]]
name = "box"
mesh = { kind = "box", from = [0.0, 0.0], size = [1.0, 2.0], cells = [3, 4], grading = [1.0, 2.0] }
material = { kind = "linear", rho = 2.0, E = 2.5, nu = 0.25 }
velocity = ["0.1*Y", "X"]
displacement = ["0", "0"]
sliding = ["left"]
moving = { top = ["0", "0.1*max(0, t)"] }
[[continuum.body]]
name = "ring"
mesh = { kind = "ring", center = [3.0, 0.0], radius = 1.0, inner = 0.5, cells = [2, 12] }
material = { kind = "st-venant", rho = 1.0, lambda = 1.0, mu = 1.0 }
fixed = ["inner"]
[[continuum.wall]]
name = "pin"
kind = "circle"
center = [0.0, -3.0]
radius = 1.0
[[continuum.wall]]
name = "floor"
at = [0.0, -1.5]
normal = [0.0, 2.0]
[[continuum.contact]]
between = ["box", "ring"]
treatment = "decomposed"
friction = 0.3
nodal_restitution = 0.5
[[continuum.contact]]
between = ["ring", "ring"]
[[continuum.contact]]
between = ["ring", "floor"]
treatment = "penalty"
stiffness = 10.0
[run]
duration = 1.0
[expect]
momentum."angular".max_deviation = { min = 0.0 }
scalars."loss.friction".final = { max = 0.0 }
scalars."impulse.supports.angular".final = { min = -100.0 }
contacts.ring-ring.episodes = { min = 0 }
)toml";

TEST(PlaneReader, ReadsBodiesWallsAndContacts) {
  const Scenario s = read_scenario_text(bodies, "x.toml");
  ASSERT_TRUE(s.continuum && s.continuum->plane);
  const continuum::Plane& plane = *s.continuum->plane;
  ASSERT_EQ(plane.bodies.size(), 2u);
  EXPECT_EQ(plane.bodies[0].mesh.triangles.size(), 24u);
  EXPECT_EQ(plane.bodies[1].mesh.triangles.size(), 48u);
  EXPECT_DOUBLE_EQ(continuum::lambda_of(plane.bodies[0].law), 1);  // E = 5/2, ν = 1/4
  EXPECT_DOUBLE_EQ(continuum::mu_of(plane.bodies[0].law), 1);
  EXPECT_EQ(plane.bodies[0].velocity(2, 3), (std::array<double, 2>{0.1 * 3, 2}));
  EXPECT_EQ(plane.bodies[0].conditions[1].motion(2), (std::array<double, 2>{0, 0.2}));
  EXPECT_TRUE(plane.walls[0].circle);
  EXPECT_EQ(plane.walls[1].normal, (std::array<double, 2>{0, 1}));
  EXPECT_EQ(s.continuum->contacts[0].friction, 0.3);
  EXPECT_EQ(s.expect.size(), 4u);
  std::vector<std::string> warnings;
  EXPECT_EQ(make_stepper(s, warnings)->labels().triangles.size(), 3u * 72);
}

std::string message(const std::string& from, const std::string& to) {
  std::string text = bodies;
  text.replace(text.find(from), from.size(), to);
  try {
    const Scenario s = read_scenario_text(text, "x.toml");
    std::vector<std::string> warnings;
    make_stepper(s, warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PlaneReader, ErrorsNamePlaceKeyAndWhatIsWrong) {
  const auto part = [](const std::string& text, const std::string& wanted) {
    EXPECT_NE(text.find(wanted), std::string::npos) << text;
  };
  part(message("kind = \"box\"", "kind = \"bx\""), "did you mean \"box\"?");
  part(message("cells = [3, 4]", "cells = [3, 0]"), "expected 1 to");
  part(message("cells = [3, 4]", "cells = [30000, 40000]"), "triangles; a body has");
  part(message("size = [1.0, 2.0]", "size = [1.0]"), "expected 2 entries");
  part(message("nu = 0.25", "nu = 0.5"), "Poisson's ratio");
  part(message("nu = 0.25", "lambda = 0.25"), "E and nu are given already");
  part(message("material = { kind = \"st-venant\", rho = 1.0, lambda = 1.0, mu = 1.0 }\n", ""), "material: missing");
  part(message("sliding = [\"left\"]", "sliding = [\"lft\"]"), "did you mean \"left\"?");
  part(message("moving = { top", "moving = { left"), "the edge left is held already");
  part(message("treatment = \"decomposed\"\n", ""), "the treatment multiplier has no nodal_restitution");
  part(message("nodal_restitution = 0.5", "nodal_restitution = 1.5"), "expected 0 to 1");
  part(message("treatment = \"decomposed\"", "treatment = \"interval\""),
       "multiplier, redistributed, decomposed, penalty");
  part(message("treatment = \"decomposed\"", "treatment = \"redistributed\""),
       "redistributed has no nodal_restitution");
  part(message("normal = [0.0, 2.0]", "normal = [0.0, 0.0]"), "expected a direction");
  part(message("threads = 1", "threads = -1"), "expected 0 (all cores)");
  part(message("threads = 1", "viscosity = { linear = 1.0 }"), "for bodies on a line");
  part(message("inner = 0.5", "inner = 1.5"), "expected less than the radius");
  part(message("center = [3.0, 0.0]", "center = [1.5, 0.0]"), "box-ring overlap at the start");
  part(message("displacement = [\"0\", \"0\"]", "displacement = [\"0\", \"1/(Y-2)\"]"), "no finite value at");
  part(message("{ kind = \"box\", from = [0.0, 0.0], size = [1.0, 2.0], cells = [3, 4], grading = [1.0, 2.0] }",
               "{ file = \"nowhere.msh\" }"),
       "nowhere.msh: No such file");
}

// A mesh file is named from the scenario's place; its physical groups are edges.
TEST(PlaneReader, ReadsAMeshFileBesideTheScenario) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "ricochet-plane-reader";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "square.msh") << test::gmsh_41;
  std::ofstream(folder / "x.toml") << R"toml(
[continuum]
[[continuum.body]]
name = "square"
mesh = { file = "square.msh" }
material = { kind = "neo-hookean", rho = 1.0, lambda = 1.0, mu = 1.0 }
fixed = ["clamp"]
sliding = ["free side"]
[run]
duration = 0.1
)toml";
  const Scenario s = read_scenario(folder / "x.toml");
  EXPECT_EQ(s.continuum->plane->bodies[0].mesh.triangles.size(), 2u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ricochet::plane_reader_test
