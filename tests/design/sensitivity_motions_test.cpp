// Derivatives of whole motions by everything that may vary, against differences of the motions themselves: through
// impacts of every law, lasting contact, constraints, moving obstacles and forces.

#include <gtest/gtest.h>

#include "ricochet/design/sensitivity.hpp"
#include "ricochet/error.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet::sensitivity_motions_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Case {
  const char* name;
  const char* text;
  int impacts;  // at least
};

// Each has parameters wherever they may stand, and a motion without chaos.
const Case cases[] = {
    {"curved_floor_and_quartic_potential", R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y - k/4*x^4"
parameters = { m = 1.3, g = 9.81, k = 0.8, a = 0.3, b = 0.1 }
[[system.contact]]
name = "floor"
gap = "y - a*x^2 - b"
law = "newton"
restitution = 0.7
[initial]
position = ["b + 0.4", 1.1]
velocity = [0.6, "3*a"]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 1.2
)toml",
     2},
    {"mass_that_depends_on_position_elastic", R"toml(
[system]
coordinates = ["s", "phi"]
lagrangian = "(M + m)/2*s'^2 + m*l*cos(phi)*s'*phi' + m*l^2/2*phi'^2 + m*g*l*cos(phi) - k/2*s^2"
parameters = { M = 2.0, m = 0.7, l = 0.9, g = 9.81, k = 3.0, w = 0.25 }
[[system.contact]]
name = "right"
gap = "w - s - 0.1*sin(phi)"
[initial]
position = [-0.3, 0.9]
velocity = [1.8, 0.5]
[integrator]
method = "variational-collision"
discretization = "midpoint"
impact_energy = "continuous"
step = 0.01
[run]
duration = 4.0
)toml",
     2},
    {"rod_constraint_and_wall", R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
parameters = { m = 1.2, g = 9.81, l = 1.1, w = 0.5 }
[[system.holonomic]]
name = "rod"
equation = "x^2 + y^2 - l^2"
[[system.contact]]
name = "wall"
gap = "w - x"
law = "newton"
restitution = 0.8
[initial]
position = ["-l*sin(0.7)", "-l*cos(0.7)"]
velocity = [0.0, 0.0]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 3.3
)toml",
     2},
    {"coulomb_slip", R"toml(
[system]
coordinates = ["x", "y", "theta"]
lagrangian = "m/2*(x'^2 + y'^2) + I/2*theta'^2 - m*g*y"
parameters = { m = 1.0, g = 9.81, r = 0.2, I = "0.4*m*r^2" }
[[system.contact]]
name = "floor"
gap = "y - r"
law = "coulomb"
restitution = 0.8
friction = 0.15
tangent = [["1", "0", "r"]]
[initial]
position = [0.0, 1.0, 0.0]
velocity = [2.5, 0.3, 4.0]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 1.4
)toml",
     2},
    {"coulomb_that_grips", R"toml(
[system]
coordinates = ["x", "y", "theta"]
lagrangian = "m/2*(x'^2 + y'^2) + I/2*theta'^2 - m*g*y"
parameters = { m = 1.0, g = 9.81, a = 0.35, I = 0.05 }
[[system.contact]]
name = "floor"
gap = "y + a*sin(theta - 1)"
law = "coulomb"
restitution = 0.6
friction = 0.9
point = ["x + a*cos(theta - 1)", "y + a*sin(theta - 1)"]
[initial]
position = [0.0, 1.0, 0.3]
velocity = [0.4, 0.0, 1.0]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 0.7
)toml",
     1},
    {"comes_to_rest_in_a_bowl", R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
parameters = { m = 1.3, g = 9.81, a = 0.7, b = 0.1 }
[[system.contact]]
name = "bowl"
gap = "y - a*x^2 + b*x"
law = "newton"
restitution = 0.3
[initial]
position = ["0.5 + b", 0.9]
velocity = [0.2, -0.1]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 1.5
)toml",
     3},
    {"moving_table_with_drag", R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
parameters = { m = 1.1, g = 9.81, A = 0.1, w = 7.0, c = 0.2, d = 0.05 }
[[system.contact]]
name = "table"
gap = "y - A*sin(w*t) - d*x"
law = "newton"
restitution = 0.75
[[system.force]]
name = "air"
components = ["-c*x'*sqrt(x'^2 + y'^2)", "-c*y'*sqrt(x'^2 + y'^2) + d*sin(w*t)"]
[initial]
position = [0.0, 0.83]
velocity = [0.7, 0.0]
[integrator]
method = "variational-collision"
step = 0.01
[run]
start = 0.35
duration = 1.3
)toml",
     2},
    {"restitution_of_speed", R"toml(
[system]
coordinates = ["y"]
lagrangian = "m/2*y'^2 - m*g*y"
parameters = { m = 1.1, g = 9.81, b = 0.1 }
[[system.contact]]
name = "floor"
gap = "y"
law = "newton"
restitution = "1/(1 + b*speed)"
[initial]
position = [1.0]
velocity = [0.0]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 1.7
)toml",
     2},
    {"fast_particle_elastic", R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "-m*c^2*sqrt(1 - (x'^2 + y'^2)/c^2) - m*g*y"
parameters = { m = 1.0, c = 6.0, g = 4.0, a = 0.2 }
[[system.contact]]
name = "floor"
gap = "y - a*x"
[initial]
position = [0.0, 0.9]
velocity = [1.5, 0.0]
[integrator]
method = "variational-collision"
discretization = "midpoint"
impact_energy = "continuous"
step = 0.01
[run]
duration = 1.5
)toml",
     1},
    {"magnetic_field_galerkin", R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) + B/2*(x*y' - y*x') - k/4*(x^2 + y^2)^2 - m*g*y*cos(w*t)"
parameters = { m = 1.0, B = 0.9, k = 0.5, g = 2.0, w = 1.7, r = 1.2 }
[[system.contact]]
name = "ring"
gap = "r^2 - x^2 - y^2"
law = "newton"
restitution = 0.85
[initial]
position = [0.1, 0.2]
velocity = [1.7, 0.4]
[integrator]
method = "variational-collision"
discretization = "galerkin"
step = 0.02
[run]
duration = 2.5
)toml",
     2},
    {"knife_edge_and_wall", R"toml(
[system]
coordinates = ["x", "y", "phi"]
lagrangian = "m/2*(x'^2 + y'^2) + I/2*phi'^2 - m*g*x*sin(a)"
parameters = { m = 1.0, I = 0.3, g = 9.81, a = 0.05, w = 0.6 }
[[system.nonholonomic]]
name = "blade"
equation = "sin(phi)*x' - cos(phi)*y'"
[[system.contact]]
name = "wall"
gap = "w - x"
law = "newton"
restitution = 0.7
[initial]
position = [0.0, 0.0, 0.3]
velocity = ["1.5*cos(0.3)", "1.5*sin(0.3)", 0.4]
[integrator]
method = "nonholonomic-collision"
step = 0.01
[run]
duration = 1.0
)toml",
     1},
    {"blade_symmetric", R"toml(
[system]
coordinates = ["x", "y", "phi"]
lagrangian = "m/2*(x'^2 + y'^2) + I/2*phi'^2 - m*g*x*sin(a)"
parameters = { m = 1.0, I = 0.3, g = 9.81, a = 0.05, w = 0.6 }
[[system.nonholonomic]]
name = "blade"
equation = "sin(phi)*x' - cos(phi)*y'"
[[system.contact]]
name = "wall"
gap = "w - x"
law = "newton"
restitution = 0.7
[initial]
position = [0.0, 0.0, 0.3]
velocity = ["1.5*cos(0.3)", "1.5*sin(0.3)", 0.4]
[integrator]
method = "nonholonomic-symmetric"
step = 0.01
[run]
duration = 1.0
)toml",
     1},
    {"chain_with_lists_and_a_shortened_last_step", R"toml(
[system]
coordinates = ["u[1..n]"]
lagrangian = "sum(i in 1..n, m[i]/2*u[i]'^2) - k/2*u[1]^2 - sum(i in 1..n-1, k/2*(u[i+1] - u[i])^2 + q/4*(u[i+1] - u[i])^4)"
parameters = { n = 3, m = [1.0, 1.4, 0.8], k = 5.0, q = 2.0 }
[[system.contact]]
name = "stop"
gap = "0.3 - u[3]"
law = "newton"
restitution = 0.9
[initial]
position = { u = "0.1*i" }
velocity = { u = "0.4*i" }
[integrator]
method = "variational-collision"
discretization = "rectangle"
gamma = 0.5
step = 0.013
[run]
duration = 1.5
)toml",
     1},
    {"slides_on_a_slope_and_stops", R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
parameters = { m = 1.3, g = 9.81, a = 0.3, b = 0.02 }
[[system.contact]]
name = "slope"
gap = "cos(a)*y - sin(a)*x + b*x^2"
law = "coulomb"
restitution = 0.0
friction = 0.6
point = ["x", "y"]
[initial]
position = [0.0, 0.2]
velocity = [-0.8, -0.5]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 1.0
)toml",
     1},
    {"bounces_then_slides_in_a_rough_bowl", R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
parameters = { m = 1.3, g = 9.81, a = 0.7, b = 0.1 }
[[system.contact]]
name = "bowl"
gap = "y - a*x^2 + b*x"
law = "coulomb"
restitution = 0.3
friction = 0.12
point = ["x", "y"]
[initial]
position = ["0.5 + b", 0.9]
velocity = [0.2, -0.1]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 1.4
)toml",
     3},
    {"rod_that_lands_on_its_tip_and_turns_about_it", R"toml(
[system]
coordinates = ["x", "y", "theta"]
lagrangian = "m/2*(x'^2 + y'^2) + I/2*theta'^2 - m*g*y"
parameters = { m = 1.0, g = 9.81, l = 0.5, I = "m*l^2/3" }
[[system.contact]]
name = "floor"
gap = "y - l*sin(theta)"
law = "plastic"
friction = 1.0
point = ["x - l*cos(theta)", "y - l*sin(theta)"]
[initial]
position = [0.0, 0.9, 1.2]
velocity = [0.3, 0.0, -0.2]
[integrator]
method = "variational-collision"
discretization = "midpoint"
step = 0.01
[run]
duration = 0.7
)toml",
     1},
    {"dry_friction_and_a_spring", R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y - k/2*(x - d*t)^2"
parameters = { m = 1.0, g = 9.81, k = 30.0, d = 0.1 }
[[system.contact]]
name = "floor"
gap = "y"
law = "coulomb"
restitution = 0.0
friction = 0.1
point = ["x", "y"]
[initial]
position = [0.35, 0.0]
velocity = [-0.3, 0.0]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 1.5
)toml",
     0},
    {"smooth_pendulum_of_two_rods", R"toml(
[system]
coordinates = ["a", "b"]
lagrangian = "(m1 + m2)/2*l1^2*a'^2 + m2/2*l2^2*b'^2 + m2*l1*l2*a'*b'*cos(a - b) + (m1 + m2)*g*l1*cos(a) + m2*g*l2*cos(b)"
parameters = { m1 = 1.0, m2 = 0.8, l1 = 1.0, l2 = 0.7, g = 9.81 }
[initial]
position = [0.9, 0.4]
momentum = [0.1, "0.2*l1"]
[integrator]
method = "variational"
discretization = "midpoint"
step = 0.01
[run]
duration = 1.0
)toml",
     0},
};

class Sensitivities : public testing::TestWithParam<Case> {};

std::vector<Quantity> outputs_of(const Shot& shot, const Course& course) {
  std::vector<Quantity> outputs;
  const std::vector<Expr> q = shot.model.q(), v = shot.model.v();
  for (std::size_t i = 0; i < q.size(); ++i) outputs.push_back({"q", q[i]}), outputs.push_back({"v", v[i]});
  const Expr t = shot.model.graph->time();
  for (int k = 1; k <= static_cast<int>(course.impacts.size()) && k <= 2; ++k)
    for (const bool after : {false, true}) outputs.push_back({"at impact", q[0] * v.back() + t * t + v[0], k, after});
  return outputs;
}

std::string branch(const Course& course) {
  std::string words;
  for (const Passage& p : course.impacts) words += p.contacts + (p.rest ? "(rest) " : " ");
  for (const double mode : course.end.modes) words += std::to_string(static_cast<int>(mode));
  return words;
}

// Where an impact crosses a grid time the map has a kink: another split of the steps changes the derivative by O(h²),
// the value not. The motions here keep away from that. Differences of fourth order, δ = 1e-4: δ⁴ times fifth
// derivatives, and ε/δ times the growth of round-off, 1e-8 of derivatives up to 1e3.
TEST_P(Sensitivities, AgreeWithDifferences) {
  const Scenario scenario = read_scenario_text(GetParam().text, GetParam().name);
  Shot shot = shot_of(read_again(scenario, {.guesses = {}, .all = true}));
  const Course course = fly(shot, Derivatives::steps);
  ASSERT_EQ(course.reason, "");
  EXPECT_GE(static_cast<int>(course.impacts.size()), GetParam().impacts);
  const std::vector<Quantity> outputs = outputs_of(shot, course);
  const Sensitivity forward = sensitivity_forward(shot, course, outputs);
  const Sensitivity adjoint = sensitivity_adjoint(shot, course, outputs);
  const double size = 1 + forward.by_theta.cwiseAbs().maxCoeff();
  EXPECT_LE((forward.by_theta - adjoint.by_theta).cwiseAbs().maxCoeff(), 1e-12 * size);

  const std::vector<double> values = shot.theta();
  const VectorXd theta = Eigen::Map<const VectorXd>(values.data(), shot.parameters());
  for (int k = 0; k < shot.parameters(); ++k) {
    const formula::Parameter parameter = shot.model.graph->parameters()[k];
    if (parameter.in_range) continue;
    VectorXd difference = VectorXd::Zero(static_cast<Eigen::Index>(outputs.size()));
    const double delta = 1e-4;
    bool same = true;
    for (const auto& [shift, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
      VectorXd moved = theta;
      moved[k] += shift * delta;
      shot.set_theta(moved);
      try {
        const Course other = fly(shot, Derivatives::none);
        same = same && branch(other) == branch(course);
        for (std::size_t j = 0; j < outputs.size() && same; ++j)
          difference[static_cast<Eigen::Index>(j)] += weight * evaluate(outputs[j], other, false).value / (12 * delta);
      } catch (const ModelError&) {  // a start that leaves the constraints
        same = false;
      } catch (const SolverError&) {  // a restitution below 0
        same = false;
      }
    }
    shot.set_theta(theta);
    if (!same) continue;
    EXPECT_LE((difference - forward.by_theta.col(k)).cwiseAbs().maxCoeff(), 1e-8 * size)
        << parameter.name << "\n"
        << (MatrixXd(difference.size(), 2) << difference, forward.by_theta.col(k)).finished();
  }
}

INSTANTIATE_TEST_SUITE_P(Motions, Sensitivities, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ricochet::sensitivity_motions_test
