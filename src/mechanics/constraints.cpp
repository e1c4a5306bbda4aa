#include "ricochet/mechanics/constraints.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace ricochet {

Constraints::Constraints(const System& system)
    : system_(&system), n_(system.n()), values_(system.constraints().size(), 0.0) {
  for (int k = 0; k < count(); ++k) {
    const formula::ScalarFunction& f = system.constraints()[k];
    gradients_.emplace_back(f.order(1));
    hessians_.emplace_back(f.order(2));
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

void Constraints::move_onto(double* q) {
  const int m = holonomic();
  if (m == 0) return;
  Eigen::MatrixXd F(m, n_);
  Eigen::VectorXd f(m);
  for (int k = 0; k < 50; ++k) {
    evaluate(q);
    F.setZero();
    for (const Entry& e : entries_)
      if (e.constraint < m) F(e.constraint, e.coordinate) = e.value;
    for (int i = 0; i < m; ++i) f[i] = value(i);
    const Eigen::VectorXd shift = F.completeOrthogonalDecomposition().solve(f);
    Eigen::Map<Eigen::VectorXd> x(q, n_);
    x -= shift;
    if (shift.norm() <= 1e-15 * (1 + x.norm())) break;
  }
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
