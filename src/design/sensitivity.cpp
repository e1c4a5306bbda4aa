#include "ricochet/design/sensitivity.hpp"

#include "ricochet/formula/differentiate.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/mechanics/lagrangian.hpp"

namespace ricochet {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

std::vector<Expr> symbols(const Shot& shot) {
  std::vector<Expr> result;
  formula::Graph& graph = *shot.model.graph;
  for (std::size_t k = 0; k < graph.parameters().size(); ++k)
    result.push_back(graph.symbol(formula::SymbolKind::parameter, static_cast<std::uint32_t>(k),
                                  std::string(graph.parameters()[k].name)));
  return result;
}

// d(h_k, t_k, θ)/dθ
MatrixXd inputs_by_theta(const Shot& shot, const Course& course, std::size_t k) {
  const int m = shot.parameters();
  MatrixXd U = MatrixXd::Zero(2 + m, m);
  U.bottomRows(m).setIdentity();
  if (shot.duration >= 0) {
    U(0, shot.duration) = course.length_share(k);
    U(1, shot.duration) = course.time_share(k);
  }
  return U;
}

RowVectorXd end_time(const Shot& shot, const Course& course) {
  RowVectorXd t = RowVectorXd::Zero(shot.parameters());
  if (shot.duration >= 0) t[shot.duration] = course.time_share(course.times.size() - 1);
  return t;
}

// (q̃, p̃∓, t̃) of an impact by (x_k, h_k, t_k, θ): the rows that a quantity asks for.
MatrixXd rows_of(const StepJacobian::AtImpact& at, bool after) {
  const Eigen::Index n = at.q.rows();
  MatrixXd rows(2 * n + 1, at.q.cols());
  rows << at.q, after ? at.p_plus : at.p_minus, at.t;
  return rows;
}

}  // namespace

MatrixXd start_derivative(const Shot& shot, const Course& course) {
  const int n = course.system->n(), m = shot.parameters();
  MatrixXd X = MatrixXd::Zero(2 * n, m);
  const std::vector<Expr> theta = symbols(shot);
  MatrixXd dv(n, m);
  for (int i = 0; i < n; ++i) {
    const std::vector<Expr> q = formula::gradient(shot.position[i], theta),
                            v = formula::gradient(shot.velocity[i], theta);
    for (int k = 0; k < m; ++k) X(i, k) = formula::fixed_value(q[k]), dv(i, k) = formula::fixed_value(v[k]);
  }
  if (shot.momentum_given) {
    X.bottomRows(n) = dv;
    return X;
  }
  // p = L_v(q, v, t, θ)
  Lagrangian lagrangian(*course.system);
  VectorXd v(n), in = VectorXd::Zero(2 * n + 1), out(2 * n + 1);
  for (int i = 0; i < n; ++i) v[i] = formula::fixed_value(shot.velocity[i]);
  lagrangian.evaluate(2, course.start.q.data(), v.data(), course.start.t);
  for (int k = 0; k < m; ++k) {
    in.head(n) = X.col(k).head(n);
    in.segment(n, n) = dv.col(k);
    lagrangian.apply_hessian(in.data(), out.data());
    X.col(k).tail(n) = out.segment(n, n);
    lagrangian.parameter_derivative(k, course.start.q.data(), v.data(), course.start.t, out.data());
    X.col(k).tail(n) += out.segment(n, n);
  }
  return X;
}

namespace {

void begin(const Shot& shot, const Course& course, ForwardDerivative& x) {
  x.end = start_derivative(shot, course);
  x.monodromy = MatrixXd::Identity(x.end.rows(), x.end.rows());
}

void advance(const Shot& shot, const Course& course, std::size_t k, const StepJacobian& step, ForwardDerivative& x) {
  const Eigen::Index states = x.end.rows();
  const MatrixXd U = inputs_by_theta(shot, course, k);
  for (const StepJacobian::AtImpact& at : step.impacts) {
    MatrixXd rows(3 * states / 2 + 1, at.q.cols());
    rows << at.q, at.p_minus, at.p_plus, at.t;
    x.impacts.emplace_back(rows.leftCols(states) * x.end + rows.rightCols(U.rows()) * U);
  }
  x.end = step.matrix * x.end + step.inputs * U;
  x.monodromy = step.matrix * x.monodromy;
}

}  // namespace

ForwardDerivative forward(const Shot& shot, const Course& course) {
  ForwardDerivative result;
  begin(shot, course, result);
  for (std::size_t k = 0; k < course.steps.size(); ++k) advance(shot, course, k, course.steps[k], result);
  return result;
}

FlownShot fly_forward(const Shot& shot, const std::atomic<bool>* stop) {
  FlownShot flight;
  const auto see = [&](const Course& course, const StepJacobian& step) {
    if (flight.derivative.end.size() == 0) begin(shot, course, flight.derivative);
    advance(shot, course, course.times.size() - 2, step, flight.derivative);
  };
  flight.course = fly(shot, see, stop);
  if (flight.derivative.end.size() == 0) begin(shot, flight.course, flight.derivative);
  return flight;
}

namespace {

Sensitivity of_quantities(const Shot& shot, const Course& course, const ForwardDerivative& X,
                          std::span<const Quantity> quantities) {
  const int n = course.system->n(), count = static_cast<int>(quantities.size());
  Sensitivity result{VectorXd(count), VectorXd(count), MatrixXd(count, shot.parameters())};
  for (int j = 0; j < count; ++j) {
    const QuantityPoint point = evaluate(quantities[j], course, true);
    result.values[j] = point.value;
    result.sizes[j] = point.size;
    if (quantities[j].at == 0) {
      result.by_theta.row(j) = point.by_state * X.end + point.by_t * end_time(shot, course) + point.by_theta;
      continue;
    }
    const MatrixXd& at = X.impacts[static_cast<std::size_t>(quantities[j].at) - 1];
    result.by_theta.row(j) = point.by_state.head(n) * at.topRows(n) +
                             point.by_state.tail(n) * at.middleRows(quantities[j].after ? 2 * n : n, n) +
                             point.by_t * at.bottomRows(1) + point.by_theta;
  }
  return result;
}

}  // namespace

Sensitivity sensitivity_forward(const Shot& shot, const Course& course, std::span<const Quantity> quantities) {
  return of_quantities(shot, course, forward(shot, course), quantities);
}

Sensitivity sensitivity_forward(const Shot& shot, const FlownShot& flight, std::span<const Quantity> quantities) {
  return of_quantities(shot, flight.course, flight.derivative, quantities);
}

Sensitivity sensitivity_adjoint(const Shot& shot, const Course& course, std::span<const Quantity> quantities) {
  const int states = 2 * course.system->n(), m = shot.parameters(), count = static_cast<int>(quantities.size());
  Sensitivity result{VectorXd(count), VectorXd(count), MatrixXd(count, m)};
  const MatrixXd X = start_derivative(shot, course);
  for (int j = 0; j < count; ++j) {
    const Quantity& quantity = quantities[j];
    const QuantityPoint point = evaluate(quantity, course, true);
    result.values[j] = point.value;
    result.sizes[j] = point.size;
    RowVectorXd lambda = RowVectorXd::Zero(states), mu = point.by_theta;
    std::size_t k = course.steps.size();  // λ belongs to x_k
    if (quantity.at == 0) {
      lambda = point.by_state;
      mu += point.by_t * end_time(shot, course);
    } else {
      const auto number = static_cast<std::size_t>(quantity.at) - 1;
      k = static_cast<std::size_t>(course.impacts[number].step);
      std::size_t first = number;  // of the impacts of this step
      while (first > 0 && course.impacts[first - 1].step == course.impacts[number].step) --first;
      RowVectorXd of_point(states + 1);
      of_point << point.by_state, point.by_t;
      const RowVectorXd by = of_point * rows_of(course.steps[k].impacts[number - first], quantity.after);
      lambda = by.head(states);
      mu += by.tail(by.size() - states) * inputs_by_theta(shot, course, k);
    }
    while (k-- > 0) {
      mu += (lambda * course.steps[k].inputs) * inputs_by_theta(shot, course, k);
      lambda = lambda * course.steps[k].matrix;
    }
    result.by_theta.row(j) = mu + lambda * X;
  }
  return result;
}

}  // namespace ricochet
