#include "ricochet/contact/generalized_reflection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/error.hpp"
#include "ricochet/numerics/nonnegative_least_squares.hpp"

namespace ricochet {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd pick(const VectorXd& x, const std::vector<int>& v) {
  VectorXd result(static_cast<int>(v.size()));
  for (std::size_t i = 0; i < v.size(); ++i) result[static_cast<int>(i)] = x[v[i]];
  return result;
}
MatrixXd pick(const MatrixXd& x, const std::vector<int>& v) {
  const int m = static_cast<int>(v.size());
  MatrixXd result(m, m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) result(i, j) = x(v[i], v[j]);
  return result;
}

// One pass over the contacts V; false if its impulse is zero or leaves V approaching.
bool pass(const MatrixXd& gram, const VectorXd& c, const std::vector<int>& v, const MatrixXd& metric,
          const VectorXd& speed, const VectorXd& still, VectorXd& y) {
  y = v.size() == 1 ? VectorXd::Constant(1, std::max(0.0, -2 * c[v[0]] / gram(v[0], v[0])))
                    : nonnegative_least_squares(pick(gram, v), 2 * pick(c, v));
  const VectorXd after = pick(speed, v) + pick(metric, v) * y;
  return y.maxCoeff() > 0 && (after + pick(still, v)).minCoeff() >= 0;
}

template <class Choose>
ReflectionResult reflect(const ReflectionProblem& problem, const Choose& choose) {
  const int m = static_cast<int>(problem.c.size());
  ReflectionResult result{VectorXd::Zero(m), problem.c, 0, 0};
  VectorXd c2 = problem.c2, y;
  const bool shadow = problem.gram2.size() > 0;
  for (;;) {
    const std::vector<int> v = choose(result);
    if (v.empty()) return result;
    if (++result.passes > problem.max_passes)
      throw SolverError(
          fmt::format("the reflection of {} contacts did not end after {} passes", m, problem.max_passes),
          -result.c.minCoeff(), problem.max_passes,
          "contacts that oppose each other (a slot thinner than the way of one step) need a smaller integrator.step");
    bool done = false;
    if (shadow) {
      done = pass(problem.gram2, c2, v, problem.gram, result.c, problem.still, y);
      result.fallbacks += !done;
    }
    if (!done) pass(problem.gram, result.c, v, problem.gram, result.c, problem.still, y);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double impulse = y[static_cast<int>(i)];
      result.impulses[v[i]] += impulse;
      result.c += impulse * problem.gram.col(v[i]);
      if (shadow) c2 += impulse * problem.gram2.col(v[i]);
    }
  }
}

}  // namespace

ReflectionResult generalized_reflection(const ReflectionProblem& problem) {
  return reflect(problem, [&](const ReflectionResult& now) {
    std::vector<int> v;
    for (int k = 0; k < now.c.size(); ++k)
      if (now.c[k] < -problem.still[k]) v.push_back(k);
    return v;
  });
}

// One pass over all contacts that do not separate: the touching ones carry the impulse on.
ReflectionResult moreau_reflection(const ReflectionProblem& problem) {
  return reflect(problem, [&](const ReflectionResult& now) {
    std::vector<int> v;
    if (now.passes > 0 || (now.c + problem.still).minCoeff() >= 0) return v;
    for (int k = 0; k < now.c.size(); ++k)
      if (now.c[k] <= problem.still[k]) v.push_back(k);
    return v;
  });
}

}  // namespace ricochet
