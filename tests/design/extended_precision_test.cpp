// Derivatives of motions against differences in extended precision (64 bits of mantissa): a twin of the discrete map,
// written from its equations and sharing no code with the program. Its residuals vanish to 1e-19, so fourth-order
// differences with δ = 1e-4 have 1e-15 of round-off and δ⁴ of fifth derivatives: far below the 1e-8 that is asked for.
//
//   flow    p0 + N(q0)λ + D1L_d = 0,  c(q1) = 0,  p1 = D2L_d + N(q1)ξ,  NᵀM⁻¹p1 = 0   (N: constraints, what is held)
//   impact  gap(q̃) = 0,  p⁺ = p⁻ − (1 + e) c_n/Δ_nn n,  n projected on the constraints; slip: −μ sign(c_t) of it along
//   t

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <map>

#include "ricochet/design/sensitivity.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet::extended_precision_test {
namespace {

using R = long double;
using V = Eigen::Matrix<R, Eigen::Dynamic, 1>;
using M = Eigen::Matrix<R, Eigen::Dynamic, Eigen::Dynamic>;
using Theta = std::map<std::string, R>;

V vec(std::initializer_list<R> x) {
  V v(static_cast<Eigen::Index>(x.size()));
  std::copy(x.begin(), x.end(), v.data());
  return v;
}

struct Row {  // c(q) = 0 held, or a gap
  std::function<R(const V&)> value;
  std::function<V(const V&)> normal;
};

struct Twin {
  std::function<V(const V&, const V&)> Lq, Lv;
  Row gap{};
  std::vector<Row> held{};  // constraints
  bool midpoint = false, rests = false;
  R e = 1, mu = 0;
  V tangent{};
  V q{}, v{};
  R T = 1;
  int impacts = 0;
  V p{};

  M mass(const V& at) const {
    M m(at.size(), at.size());
    const V zero = V::Zero(at.size());
    for (Eigen::Index j = 0; j < at.size(); ++j) {
      V unit = zero;
      unit[j] = 1;
      m.col(j) = Lv(at, unit) - Lv(at, zero);
    }
    return m;
  }
  M normals(const V& at) const {
    M N(at.size(), static_cast<Eigen::Index>(held.size()));
    for (std::size_t k = 0; k < held.size(); ++k) N.col(static_cast<Eigen::Index>(k)) = held[k].normal(at);
    return N;
  }
  // x − N(NᵀM⁻¹N)⁻¹NᵀM⁻¹x
  V project(const V& at, const V& x) const {
    if (held.empty()) return x;
    const M N = normals(at), W = mass(at).inverse();
    return x - N * (N.transpose() * W * N).inverse() * (N.transpose() * (W * x));
  }
  void flow(R h, V& q1, V& p1) const {
    const Eigen::Index n = q.size(), rows = static_cast<Eigen::Index>(held.size());
    const M N = normals(q);
    V D2;
    const auto residual = [&](const V& z) {
      const V w = z.head(n);
      q1 = q + h * w;
      V r(n + rows);
      if (midpoint) {
        const V middle = q + h / 2 * w, force = h / 2 * Lq(middle, w), momentum = Lv(middle, w);
        r.head(n) = p + force - momentum;
        D2 = momentum + force;
      } else {
        const V momentum = (Lv(q, w) + Lv(q1, w)) / 2;
        r.head(n) = p + h / 2 * Lq(q, w) - momentum;
        D2 = momentum + h / 2 * Lq(q1, w);
      }
      if (rows > 0) r.head(n) += N * z.tail(rows);
      for (Eigen::Index k = 0; k < rows; ++k) r[n + k] = held[static_cast<std::size_t>(k)].value(q1) / h;
      return r;
    };
    V z = V::Zero(n + rows);
    z.head(n) = mass(q).inverse() * p;
    for (int turn = 0; turn < 8; ++turn) {
      M J(n + rows, n + rows);
      for (Eigen::Index k = 0; k < n + rows; ++k) {
        V up = z, down = z;
        up[k] += 1e-6L, down[k] -= 1e-6L;
        J.col(k) = (residual(up) - residual(down)) / 2e-6L;
      }
      z -= J.fullPivLu().solve(residual(z));
    }
    residual(z);
    p1 = project(q1, D2);
  }
  void impact() {
    ++impacts;
    const V n = project(q, gap.normal(q));
    const M W = mass(q).inverse();
    const R c = n.dot(W * p), impulse = -(1 + e) * c / n.dot(W * n);
    if (mu > 0) {
      const R slip = tangent.dot(W * p);
      p -= mu * impulse * (slip > 0 ? 1 : -1) * tangent;
      EXPECT_GT(tangent.dot(W * p) * slip, 0) << "it slips to the end";
    }
    p += impulse * n;
    if (rests) held.push_back(gap);
  }
  void run(int steps) {
    p = Lv(q, v);
    for (int k = 0; k < steps; ++k) {
      R left = T / steps;
      for (int turns = 0; turns < 10; ++turns) {
        V q1, p1;
        flow(left, q1, p1);
        const bool open = !rests || impacts == 0;
        if (!open || gap.value(q1) >= 0) {
          q = q1, p = p1;
          break;
        }
        R low = 0, high = left;
        for (int turn = 0; turn < 70; ++turn) {
          const R middle = (low + high) / 2;
          flow(middle, q1, p1);
          (gap.value(q1) >= 0 ? low : high) = middle;
        }
        flow(high, q1, p1);
        q = q1, p = p1;
        left -= high;
        impact();
      }
    }
    v = mass(q).inverse() * p;
  }
};

struct Case {
  const char* name;
  std::string system;
  const char* start;
  const char* rule;
  double T;
  int impacts;
  Theta values;  // of the file; what may vary is an increment of them, 0 where the file has a formula
  Twin (*twin)(Theta&);
};

const std::string particle = R"t([system]
coordinates = ["x", "y"]
)t";

const Case cases[] = {
    {"nonlinear_potential",
     particle + R"t(lagrangian = "m/2*(x'^2 + y'^2) - m*g*y - k/4*x^4"
parameters = { m = 1.3, g = 9.81, k = 0.8, a = 0.3, b = 0.1 }
[[system.contact]]
name = "floor"
gap = "y - a*x^2 - b"
law = "newton"
restitution = 0.7
)t",
     "position = [\"b + 0.4\", 1.1]\nvelocity = [0.6, \"3*a\"]",
     "trapezoidal",
     1.2,
     2,
     {{"parameters.m", 1.3},
      {"parameters.g", 9.81},
      {"parameters.k", 0.8},
      {"parameters.a", 0.3},
      {"parameters.b", 0.1},
      {"contact.floor.restitution", 0.7},
      {"position.y", 1.1},
      {"velocity.x", 0.6}},
     [](Theta& o) {
       const R m = o["parameters.m"], g = o["parameters.g"], k = o["parameters.k"], a = o["parameters.a"],
               b = o["parameters.b"];
       Twin s;
       s.Lq = [=](const V& q, const V&) { return vec({-k * q[0] * q[0] * q[0], -m * g}); };
       s.Lv = [=](const V&, const V& v) -> V { return m * v; };
       s.gap = {[=](const V& q) { return q[1] - a * q[0] * q[0] - b; },
                [=](const V& q) {
                  return vec({-2 * a * q[0], 1});
                }};
       s.e = o["contact.floor.restitution"];
       s.q = vec({b + 0.4 + o["position.x"], o["position.y"]});
       s.v = vec({o["velocity.x"], 3 * a + o["velocity.y"]});
       return s;
     }},
    {"mass_of_the_configuration",
     R"t([system]
coordinates = ["s", "phi"]
lagrangian = "(M + m)/2*s'^2 + m*l*cos(phi)*s'*phi' + m*l^2/2*phi'^2 + m*g*l*cos(phi) - k/2*s^2"
parameters = { M = 2.0, m = 0.7, l = 0.9, g = 9.81, k = 3.0, w = 0.25 }
[[system.contact]]
name = "right"
gap = "w - s - 0.1*sin(phi)"
)t",
     "position = [-0.3, 0.9]\nvelocity = [1.8, 0.5]",
     "midpoint",
     4.0,
     2,
     {{"parameters.M", 2.0},
      {"parameters.m", 0.7},
      {"parameters.l", 0.9},
      {"parameters.g", 9.81},
      {"parameters.k", 3.0},
      {"parameters.w", 0.25},
      {"position.s", -0.3},
      {"position.phi", 0.9},
      {"velocity.s", 1.8},
      {"velocity.phi", 0.5}},
     [](Theta& o) {
       const R heavy = o["parameters.M"], m = o["parameters.m"], l = o["parameters.l"], g = o["parameters.g"],
               k = o["parameters.k"], w = o["parameters.w"];
       Twin s;
       s.midpoint = true;
       s.Lq = [=](const V& q, const V& v) {
         return vec({-k * q[0], -m * l * std::sin(q[1]) * v[0] * v[1] - m * g * l * std::sin(q[1])});
       };
       s.Lv = [=](const V& q, const V& v) {
         return vec(
             {(heavy + m) * v[0] + m * l * std::cos(q[1]) * v[1], m * l * std::cos(q[1]) * v[0] + m * l * l * v[1]});
       };
       const R tenth = 0.1;  // as the program reads it
       s.gap = {[=](const V& q) { return w - q[0] - tenth * std::sin(q[1]); },
                [=](const V& q) {
                  return vec({-1, -tenth * std::cos(q[1])});
                }};
       s.q = vec({o["position.s"], o["position.phi"]});
       s.v = vec({o["velocity.s"], o["velocity.phi"]});
       return s;
     }},
    {"constraint",
     particle + R"t(lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
parameters = { m = 1.2, g = 9.81, l = 1.1, w = 0.5, a = 0.7, c = 0.1 }
[[system.holonomic]]
name = "rod"
equation = "x^2 + y^2 - l^2"
[[system.contact]]
name = "wall"
gap = "w - x"
law = "newton"
restitution = 0.8
)t",
     "position = [\"-l*sin(a)\", \"-l*cos(a)\"]\nvelocity = [\"c*l*cos(a)\", \"-c*l*sin(a)\"]",
     "trapezoidal",
     3.3,
     2,
     {{"parameters.m", 1.2},
      {"parameters.g", 9.81},
      {"parameters.l", 1.1},
      {"parameters.w", 0.5},
      {"parameters.a", 0.7},
      {"parameters.c", 0.1},
      {"contact.wall.restitution", 0.8}},
     [](Theta& o) {
       const R m = o["parameters.m"], g = o["parameters.g"], l = o["parameters.l"], w = o["parameters.w"],
               a = o["parameters.a"], c = o["parameters.c"];
       Twin s;
       s.Lq = [=](const V&, const V&) { return vec({0, -m * g}); };
       s.Lv = [=](const V&, const V& v) -> V { return m * v; };
       s.held = {{[=](const V& q) { return q.squaredNorm() - l * l; }, [](const V& q) -> V { return 2 * q; }}};
       s.gap = {[=](const V& q) { return w - q[0]; }, [](const V&) { return vec({-1, 0}); }};
       s.e = o["contact.wall.restitution"];
       s.q = vec({-l * std::sin(a), -l * std::cos(a)});
       s.v = vec({c * l * std::cos(a), -c * l * std::sin(a)});
       return s;
     }},
    {"coulomb_slip",
     R"t([system]
coordinates = ["x", "y", "theta"]
lagrangian = "m/2*(x'^2 + y'^2) + I/2*theta'^2 - m*g*y"
parameters = { m = 1.0, g = 9.81, r = 0.2, I = "0.4*m*r^2" }
[[system.contact]]
name = "floor"
gap = "y - r"
law = "coulomb"
restitution = 0.8
friction = 0.04
tangent = [["1", "0", "r"]]
)t",
     "position = [0.0, 1.0, 0.0]\nvelocity = [2.5, 0.3, 4.0]",
     "trapezoidal",
     1.4,
     2,
     {{"parameters.m", 1.0},
      {"parameters.g", 9.81},
      {"parameters.r", 0.2},
      {"contact.floor.restitution", 0.8},
      {"contact.floor.friction", 0.04},
      {"position.y", 1.0},
      {"velocity.x", 2.5},
      {"velocity.y", 0.3},
      {"velocity.theta", 4.0}},
     [](Theta& o) {
       const R m = o["parameters.m"], g = o["parameters.g"], r = o["parameters.r"], part = 0.4,
               I = part * m * r * r + o["parameters.I"];
       Twin s;
       s.Lq = [=](const V&, const V&) { return vec({0, -m * g, 0}); };
       s.Lv = [=](const V&, const V& v) { return vec({m * v[0], m * v[1], I * v[2]}); };
       s.gap = {[=](const V& q) { return q[1] - r; }, [](const V&) { return vec({0, 1, 0}); }};
       s.e = o["contact.floor.restitution"], s.mu = o["contact.floor.friction"];
       s.tangent = vec({1, 0, r});
       s.q = vec({o["position.x"], o["position.y"], o["position.theta"]});
       s.v = vec({o["velocity.x"], o["velocity.y"], o["velocity.theta"]});
       return s;
     }},
    {"rest_in_a_bowl",
     particle + R"t(lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
parameters = { m = 1.3, g = 9.81, a = 0.7, b = 0.1 }
[[system.contact]]
name = "bowl"
gap = "y - a*x^2 + b*x"
law = "newton"
restitution = 0.0
)t",
     "position = [\"0.5 + b\", 0.9]\nvelocity = [0.2, -0.1]",
     "trapezoidal",
     1.5,
     1,
     {{"parameters.m", 1.3},
      {"parameters.g", 9.81},
      {"parameters.a", 0.7},
      {"parameters.b", 0.1},
      {"position.y", 0.9},
      {"velocity.x", 0.2},
      {"velocity.y", -0.1}},
     [](Theta& o) {
       const R m = o["parameters.m"], g = o["parameters.g"], a = o["parameters.a"], b = o["parameters.b"];
       Twin s;
       s.rests = true;
       s.Lq = [=](const V&, const V&) { return vec({0, -m * g}); };
       s.Lv = [=](const V&, const V& v) -> V { return m * v; };
       s.gap = {[=](const V& q) { return q[1] - a * q[0] * q[0] + b * q[0]; },
                [=](const V& q) {
                  return vec({b - 2 * a * q[0], 1});
                }};
       s.e = 0;
       s.q = vec({0.5 + b + o["position.x"], o["position.y"]});
       s.v = vec({o["velocity.x"], o["velocity.y"]});
       return s;
     }},
};

class ExtendedPrecision : public testing::TestWithParam<Case> {};

TEST_P(ExtendedPrecision, DerivativesAgreeWithDifferences) {
  const Case& c = GetParam();
  const std::string text = c.system + "[initial]\n" + c.start +
                           "\n[integrator]\nmethod = \"variational-collision\"\nimpact_energy = \"continuous\"\n"
                           "step = 0.01\ndiscretization = \"" +
                           c.rule + "\"\n[run]\nduration = " + std::to_string(c.T) + "\n";
  const Shot shot = shot_of(read_again(read_scenario_text(text, c.name), {.guesses = {}, .all = true}));
  const Course course = fly(shot, Derivatives::steps);
  ASSERT_EQ(course.reason, "");
  std::vector<Quantity> outputs;
  for (const Expr& x : shot.model.q()) outputs.push_back({"q", x});
  for (const Expr& x : shot.model.v()) outputs.push_back({"v", x});
  const Sensitivity forward = sensitivity_forward(shot, course, outputs);

  Theta theta;
  const std::vector<formula::Parameter>& parameters = shot.model.graph->parameters();
  for (const formula::Parameter& p : parameters) {
    const auto value = c.values.find(p.name);
    theta[p.name] = p.value + (value == c.values.end() ? 0 : value->second);
  }
  const auto run = [&](Theta at) {
    Twin twin = c.twin(at);
    twin.T = at.at("duration");
    twin.run(static_cast<int>(std::lround(c.T / 0.01)));
    EXPECT_EQ(twin.impacts, c.impacts);
    V end(2 * twin.q.size());
    end << twin.q, twin.v;
    return end;
  };
  const V end = run(theta);
  // the same motion: round-off of some hundred steps, grown by derivatives of size up to 100
  for (Eigen::Index j = 0; j < end.size(); ++j) EXPECT_NEAR(static_cast<double>(end[j]), forward.values[j], 1e-11) << j;
  const double size = forward.by_theta.cwiseAbs().maxCoeff();
  int compared = 0;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const bool off = c.name == std::string("constraint") &&
                     (parameters[k].name.starts_with("position") || parameters[k].name.starts_with("velocity"));
    if (off) continue;                                               // such starts leave the constraint
    if (parameters[k].name == "contact.bowl.restitution") continue;  // at 0 it has one side only
    const R delta = 1e-4L;
    V difference = V::Zero(end.size());
    for (const auto& [shift, weight] : {std::pair{1, 8.0L}, {-1, -8.0L}, {2, -1.0L}, {-2, 1.0L}}) {
      Theta moved = theta;
      moved[parameters[k].name] += shift * delta;
      difference += weight * run(moved) / (12 * delta);
    }
    for (Eigen::Index j = 0; j < end.size(); ++j)
      EXPECT_NEAR(static_cast<double>(difference[j]), forward.by_theta(j, static_cast<Eigen::Index>(k)), 1e-8 * size)
          << parameters[k].name << " " << j;
    ++compared;
  }
  EXPECT_GE(compared, 8);
}

INSTANTIATE_TEST_SUITE_P(Motions, ExtendedPrecision, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ricochet::extended_precision_test
