#include "ricochet/mechanics/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/numerics/linear_solver.hpp"

namespace ricochet {

Constraints::Constraints(const System& system)
    : system_(&system), n_(system.n()), values_(system.constraints().size(), 0.0) {
  for (int k = 0; k < count(); ++k) {
    const formula::ScalarFunction& f = system.constraints()[k];
    gradients_.emplace_back(f.order(1));
    hessians_.emplace_back(f.order(2));
    value_boxes_.emplace_back(f.order(0));
    gradient_boxes_.emplace_back(f.order(1));
    // holonomic: derivatives by q; nonholonomic: derivatives by v
    const int first = k < holonomic() ? 0 : n_;
    for (std::size_t e = 0; e < f.gradient_pattern().size(); ++e) {
      const int input = static_cast<int>(f.gradient_pattern()[e]), i = input - first;
      if (first > 0 && input < n_) {
        rate_entries_.push_back({input, k, 0.0});
        rate_source_.emplace_back(k, static_cast<int>(1 + e));
      }
      if (i < 0 || i >= n_) continue;
      entries_.push_back({i, k, 0.0});
      source_.emplace_back(k, static_cast<int>(1 + e));
    }
  }
}

const std::string& Constraints::name(int k) const {
  const Model& model = system_->model();
  return k < holonomic() ? model.holonomic[k].name : model.nonholonomic[k - holonomic()].name;
}

void Constraints::evaluate(const double* q) {
  if (std::equal(q, q + n_, at_.begin(), at_.end())) return;  // the end of a step is the start of the next
  at_.assign(q, q + n_);
  for (int k = 0; k < count(); ++k) {  // at v = 0, where a nonholonomic equation is b
    std::copy(q, q + n_, gradients_[k].inputs());
    gradients_[k].run();
    values_[k] = gradients_[k].output(0);
  }
  for (std::size_t e = 0; e < entries_.size(); ++e)
    entries_[e].value = gradients_[source_[e].first].output(source_[e].second);
}

struct Constraints::Metric {
  Metric(const System& system, const std::vector<Entry>& entries, int holonomic)
      : lagrangian(system), n(system.n()), m(holonomic), kkt(n + m, pattern(lagrangian, entries, m)) {
    for (std::size_t e = 0; e < lagrangian.pattern().size(); ++e) {
      const auto [i, j] = places(e);
      if (i < 0) continue;
      mass_slots.emplace_back(e, kkt.slot(i, j));
      if (i != j) mass_slots.emplace_back(e, kkt.slot(j, i));
    }
    for (const Entry& e : entries)
      if (e.constraint < m)
        column_slots.emplace_back(kkt.slot(e.coordinate, n + e.constraint), kkt.slot(n + e.constraint, e.coordinate));
    at_rest.assign(n, 0.0);
    for (auto* vector : {&shift, &q, &reach}) vector->assign(n + m, 0.0);
  }
  // Row and column of the mass that an entry of the Hessian of L is; −1: none.
  std::pair<int, int> places(std::size_t e) const {
    const int i = static_cast<int>(lagrangian.pattern()[e].first) - lagrangian.n(),
              j = static_cast<int>(lagrangian.pattern()[e].second) - lagrangian.n();
    return i < 0 || i >= lagrangian.n() || j < 0 ? std::pair(-1, -1) : std::pair(i, j);
  }
  static LinearSolver::Pattern pattern(const Lagrangian& lagrangian, const std::vector<Entry>& entries, int m) {
    LinearSolver::Pattern result;
    const int n = lagrangian.n();
    for (const auto& [row, column] : lagrangian.pattern()) {
      const int i = static_cast<int>(row) - n, j = static_cast<int>(column) - n;
      if (i < 0 || i >= n || j < 0) continue;
      result.emplace_back(i, j);
      result.emplace_back(j, i);
    }
    for (const Entry& e : entries) {
      if (e.constraint >= m) continue;
      result.emplace_back(e.coordinate, n + e.constraint);
      result.emplace_back(n + e.constraint, e.coordinate);
    }
    for (int k = 0; k < n + m; ++k) result.emplace_back(k, k);
    return result;
  }

  Lagrangian lagrangian;
  int n, m;
  LinearSolver kkt;
  std::vector<std::pair<std::size_t, int>> mass_slots;
  std::vector<std::pair<int, int>> column_slots;  // of −C and Cᵀ, for the holonomic entries, which come first
  std::vector<double> at_rest, shift, q, reach;
};

Constraints::~Constraints() = default;
Constraints::Constraints(Constraints&&) noexcept = default;
Constraints& Constraints::operator=(Constraints&&) noexcept = default;

void Constraints::move_onto(double* q) {
  const int m = holonomic();
  if (m == 0) return;
  if (!metric_) metric_ = std::make_unique<Metric>(*system_, entries_, m);
  Metric& w = *metric_;
  double least = INFINITY;
  constexpr double near = 1e4;  // in round-offs: half of the digits; a quadratic step from here is the last but one
  for (int iteration = 0; iteration < 50; ++iteration) {
    evaluate(q);
    for (int i = 0; i < n_; ++i) w.reach[i] = std::abs(q[i]);
    double worst = 0;  // |f_k| as a part of its round-off
    for (int k = 0; k < m; ++k)
      if (value(k) != 0) worst = std::fmax(worst, std::abs(value(k)) / round_off(k, q, w.reach.data()));
    const bool stagnates = least <= near && !(worst < least / 4);
    if (worst < least) {
      least = worst;
      std::copy(q, q + n_, w.q.begin());
    }
    if (worst == 0 || stagnates) break;
    w.lagrangian.evaluate(2, q, w.at_rest.data(), 0);
    w.kkt.clear();
    double* values = w.kkt.values();
    for (const auto& [entry, slot] : w.mass_slots) values[slot] = w.lagrangian.hessian(entry);
    for (std::size_t e = 0; e < w.column_slots.size(); ++e) {
      values[w.column_slots[e].first] = -entries_[e].value;
      values[w.column_slots[e].second] = entries_[e].value;
    }
    std::fill(w.shift.begin(), w.shift.end(), 0.0);
    for (int k = 0; k < m; ++k) w.shift[n_ + k] = -value(k);
    if (w.kkt.factorize())
      w.kkt.solve(w.shift.data(), w.shift.data());
    else
      w.kkt.solve_minimum_norm(w.shift.data(), w.shift.data());
    for (int i = 0; i < n_; ++i) q[i] += w.shift[i];
  }
  if (least < INFINITY) std::copy(w.q.begin(), w.q.begin() + n_, q);  // the best point
}

namespace {

void set_boxes(formula::Interval* boxes, const double* x, const double* reach, int n) {
  constexpr double two_epsilon = 2 * std::numeric_limits<double>::epsilon();
  for (int i = 0; i < n; ++i) boxes[i] = {x[i] - two_epsilon * reach[i], x[i] + two_epsilon * reach[i]};
}

}  // namespace

double Constraints::round_off(int k, const double* q, const double* reach) {
  formula::Evaluator<formula::Interval>& f = value_boxes_[k];
  set_boxes(f.inputs(), q, reach, n_);
  std::fill(f.inputs() + n_, f.inputs() + 2 * n_ + 1, formula::Interval(0.0));
  f.run();
  return f.output(0).hi - f.output(0).lo;
}

double Constraints::rate_round_off(int k, const double* q, const double* reach, const double* v,
                                   const double* v_reach) {
  if (k >= holonomic()) {
    formula::Evaluator<formula::Interval>& f = value_boxes_[k];
    set_boxes(f.inputs(), q, reach, n_);
    set_boxes(f.inputs() + n_, v, v_reach, n_);
    f.inputs()[2 * n_] = 0.0;
    f.run();
    return f.output(0).hi - f.output(0).lo;
  }
  formula::Evaluator<formula::Interval>& f = gradient_boxes_[k];
  set_boxes(f.inputs(), q, reach, n_);
  std::fill(f.inputs() + n_, f.inputs() + 2 * n_ + 1, formula::Interval(0.0));
  f.run();
  formula::Interval sum(0.0);
  for (std::size_t e = 0; e < system_->constraints()[k].gradient_pattern().size(); ++e) {
    const int i = static_cast<int>(system_->constraints()[k].gradient_pattern()[e]);
    formula::Interval velocity(0.0);
    set_boxes(&velocity, v + i, v_reach + i, 1);
    sum = sum + f.output(1 + e) * velocity;
  }
  return sum.hi - sum.lo;
}

void Constraints::rates(const double* v, double* r) const {
  for (int k = 0; k < count(); ++k) r[k] = k < holonomic() ? 0 : values_[k];
  for (const Entry& e : entries_) r[e.constraint] += e.value * v[e.coordinate];
}

void Constraints::curvature_times(const double* q, const double* nu, const double* x, double* y) {
  for (int k = 0; k < count(); ++k) {
    const formula::ScalarFunction& f = system_->constraints()[k];
    std::copy(q, q + n_, hessians_[k].inputs());
    std::fill(hessians_[k].inputs() + n_, hessians_[k].inputs() + 2 * n_, 0.0);
    hessians_[k].run();
    const int rows = k < holonomic() ? 0 : n_;  // c_k = f_q: entries (q,q); c_k = ω_v: entries (v,q)
    for (std::size_t e = 0; e < f.hessian_pattern().size(); ++e) {
      const int i = static_cast<int>(f.hessian_pattern()[e].first), j = static_cast<int>(f.hessian_pattern()[e].second);
      const double h = hessians_[k].output(f.hessian_output(e));
      if (i >= rows && i < rows + n_ && j < n_) y[i - rows] += nu[k] * h * x[j];
      if (rows == 0 && i != j && i < n_) y[j] += nu[k] * h * x[i];
    }
  }
}

void Constraints::rate_derivative(const double* q, const double* v, const double* x, double* r) {
  for (int k = 0; k < count(); ++k) {
    const formula::ScalarFunction& f = system_->constraints()[k];
    r[k] = 0;
    if (k < holonomic()) {  // v·(∇²f) x
      std::copy(q, q + n_, hessians_[k].inputs());
      std::fill(hessians_[k].inputs() + n_, hessians_[k].inputs() + 2 * n_, 0.0);
      hessians_[k].run();
      for (std::size_t e = 0; e < f.hessian_pattern().size(); ++e) {
        const int i = static_cast<int>(f.hessian_pattern()[e].first),
                  j = static_cast<int>(f.hessian_pattern()[e].second);
        const double h = hessians_[k].output(f.hessian_output(e));
        r[k] += h * v[i] * x[j];
        if (i != j) r[k] += h * v[j] * x[i];
      }
    } else {  // ω_q x at (q, v)
      std::copy(q, q + n_, gradients_[k].inputs());
      std::copy(v, v + n_, gradients_[k].inputs() + n_);
      gradients_[k].run();
      for (std::size_t e = 0; e < f.gradient_pattern().size(); ++e) {
        const int j = static_cast<int>(f.gradient_pattern()[e]);
        if (j < n_) r[k] += gradients_[k].output(1 + e) * x[j];
      }
      std::fill(gradients_[k].inputs() + n_, gradients_[k].inputs() + 2 * n_, 0.0);
    }
  }
}

const std::vector<Constraints::Entry>& Constraints::parameter_derivative(int k, const double* q, double* values) {
  if (duals_.empty()) {
    for (const formula::ScalarFunction& f : system_->constraints()) duals_.emplace_back(f.order(1));
    parameter_entries_ = entries_;
  }
  for (int j = 0; j < count(); ++j) {  // at v = 0
    for (int i = 0; i < n_; ++i) duals_[j].inputs()[i] = {q[i], 0.0};
    duals_[j].vary_parameter(k);
    duals_[j].run();
    values[j] = duals_[j].output(0).derivative;
  }
  for (std::size_t e = 0; e < entries_.size(); ++e)
    parameter_entries_[e].value = duals_[source_[e].first].output(source_[e].second).derivative;
  return parameter_entries_;
}

const std::vector<Constraints::Entry>& Constraints::rate_gradient(const double* q, const double* v) {
  for (int k = holonomic(); k < count(); ++k) {
    std::copy(q, q + n_, gradients_[k].inputs());
    std::copy(v, v + n_, gradients_[k].inputs() + n_);
    gradients_[k].run();
  }
  for (std::size_t e = 0; e < rate_entries_.size(); ++e)
    rate_entries_[e].value = gradients_[rate_source_[e].first].output(rate_source_[e].second);
  for (int k = holonomic(); k < count(); ++k)
    std::fill(gradients_[k].inputs() + n_, gradients_[k].inputs() + 2 * n_, 0.0);
  return rate_entries_;
}

}  // namespace ricochet
