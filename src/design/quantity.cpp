#include "ricochet/design/quantity.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/formula/dual.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/mechanics/lagrangian.hpp"

namespace ricochet {

using Eigen::Map;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

struct Point {
  const double *q, *v;
  double t;
};

Point point_of(const Quantity& quantity, const Course& course) {
  if (quantity.at == 0) return {course.end.q.data(), course.v.data(), course.end.t};
  if (quantity.at > static_cast<int>(course.impacts.size()))
    throw SolverError(fmt::format("{} is asked for at impact {}, but the motion has {}", quantity.name, quantity.at,
                                  course.impacts.size()),
                      0, 0, "another guess, or a longer duration");
  const Passage& impact = course.impacts[static_cast<std::size_t>(quantity.at) - 1];
  return {impact.q.data(), quantity.after ? impact.v_after.data() : impact.v_before.data(), impact.t};
}

}  // namespace

QuantityPoint evaluate(const Quantity& quantity, const Course& course, bool derivative) {
  const System& system = *course.system;
  const int n = system.n(), m = system.parameters();
  const Point at = point_of(quantity, course);
  std::vector<Expr> qvt = system.model().q();
  for (const Expr& v : system.model().v()) qvt.push_back(v);
  qvt.push_back(system.model().graph->time());
  const auto set = [&](auto& program) {
    for (int i = 0; i < n; ++i) program.inputs()[i] = at.q[i], program.inputs()[n + i] = at.v[i];
    program.inputs()[2 * n] = at.t;
    program.run();
  };
  QuantityPoint result;
  if (!derivative) {
    const formula::Program value({quantity.formula}, qvt);
    formula::Evaluator<double> program(value);
    set(program);
    result.value = program.output(0);
    return result;
  }
  const formula::ScalarFunction f(quantity.formula, qvt);
  formula::Evaluator<double> program(f.order(1));
  set(program);
  result.value = program.output(0);
  RowVectorXd by = RowVectorXd::Zero(2 * n + 1);
  for (std::size_t e = 0; e < f.gradient_pattern().size(); ++e) by[f.gradient_pattern()[e]] = program.output(1 + e);
  for (int i = 0; i < n; ++i) result.size += std::abs(by[i] * at.q[i]) + std::abs(by[n + i] * at.v[i]);
  result.size += std::abs(by[2 * n] * at.t);
  formula::Evaluator<formula::Dual<double>> dual(f.order(0));
  result.by_theta.setZero(m);
  for (int k = 0; k < m; ++k) {
    if (!dual.vary_parameter(k)) continue;
    set(dual);
    result.by_theta[k] = dual.output(0).derivative;
  }
  // velocities by momenta
  Lagrangian lagrangian(system);
  VectorXd p(n), v(n), w(n), in = VectorXd::Zero(2 * n + 1), out(2 * n + 1);
  lagrangian.momentum(at.q, at.v, at.t, p.data());
  lagrangian.velocity(at.q, p.data(), at.t, v.data());  // factorises the mass
  const VectorXd of_v = by.segment(n, n).transpose();
  lagrangian.apply_inverse_mass(of_v.data(), w.data());  // M is symmetric: φ_v M⁻¹
  lagrangian.evaluate(2, at.q, at.v, at.t);
  in.segment(n, n) = w;
  lagrangian.apply_hessian(in.data(), out.data());  // L_qv w, L_tv w
  result.by_state.resize(2 * n);
  result.by_state << by.head(n) - out.head(n).transpose(), w.transpose();
  result.by_t = by[2 * n] - out[2 * n];
  for (int k = 0; k < m; ++k) {
    lagrangian.parameter_derivative(k, at.q, at.v, at.t, out.data());
    result.by_theta[k] -= w.dot(out.segment(n, n));
  }
  return result;
}

}  // namespace ricochet
