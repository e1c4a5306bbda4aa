#include "ricochet/mechanics/forces.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

Forces::Forces(const System& system)
    : n_(system.n()), count_(static_cast<int>(system.model().forces.size())), sum_(&system.forces()) {
  if (empty()) return;
  order0_ = formula::Evaluator<double>(system.forces().order(0));
  order1_ = formula::Evaluator<double>(system.forces().order(1));
  powers_ = formula::Evaluator<double>(system.powers());
  pattern_ = system.forces().jacobian_pattern();
  F_.assign(n_, 0.0);
  derivative_.assign(pattern_.size(), 0.0);
}

void Forces::set_inputs(formula::Evaluator<double>& program, const double* q, const double* v, double t) const {
  double* const in = program.inputs();
  std::copy(q, q + n_, in);
  std::copy(v, v + n_, in + n_);
  in[2 * n_] = t;
}

void Forces::evaluate(int order, const double* q, const double* v, double t) {
  formula::Evaluator<double>& program = order == 0 ? order0_ : order1_;
  set_inputs(program, q, v, t);
  program.run();
  for (int i = 0; i < n_; ++i) F_[i] = program.output(i);
  if (order == 0) return;
  smooth_ = true;
  for (std::size_t k = 0; k < pattern_.size(); ++k) {
    const double slope = program.output(static_cast<std::size_t>(n_) + k);
    derivative_[k] = std::isfinite(slope) ? slope : 0;
    smooth_ = smooth_ && !std::isinf(slope);
  }
}

void Forces::apply_derivative(const double* x, double* y) const {
  std::fill(y, y + n_, 0.0);
  for (std::size_t k = 0; k < pattern_.size(); ++k) y[pattern_[k].first] += derivative(k) * x[pattern_[k].second];
}

void Forces::parameter_derivative(int k, const double* q, const double* v, double t, double* dF) {
  std::fill(dF, dF + n_, 0.0);
  if (empty()) return;
  if (dual_.empty()) dual_.emplace_back(sum_->order(0));
  formula::Evaluator<formula::Dual<double>>& program = dual_.front();
  if (!program.vary_parameter(k)) return;
  for (int i = 0; i < n_; ++i) program.inputs()[i] = {q[i], 0.0}, program.inputs()[n_ + i] = {v[i], 0.0};
  program.inputs()[2 * n_] = {t, 0.0};
  program.run();
  for (int i = 0; i < n_; ++i) {
    const double slope = program.output(i).derivative;
    dF[i] = std::isfinite(slope) ? slope : 0;  // 0·∞ at rest, as above
  }
}

void Forces::add_powers(double weight, const double* q, const double* v, double t, double* work) {
  if (empty()) return;
  set_inputs(powers_, q, v, t);
  powers_.run();
  for (int k = 0; k < count_; ++k) work[k] += weight * powers_.output(k);
}

}  // namespace ricochet
