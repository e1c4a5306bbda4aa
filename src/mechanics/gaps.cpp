#include "ricochet/mechanics/gaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

using formula::Interval;
using formula::KinkTree;

namespace {

Interval blurred(double x, double size) {
  const double slack = 2 * std::numeric_limits<double>::epsilon() * size;
  return {x - slack, x + slack};
}

}  // namespace

Gaps::Gaps(const System& system)
    : system_(&system), n_(system.n()), values_(system.piece_values()), enclosures_(system.piece_values()) {
  for (const formula::ScalarFunction& piece : system.pieces()) {
    single_values_.emplace_back(piece.order(0));
    gradients_.emplace_back(piece.order(1));
    hessians_.emplace_back(piece.order(2));
    singles_.emplace_back(piece.order(0));
  }
  for (const Gap& gap : system.gaps()) {
    gap_values_.emplace_back(gap.pieces);
    gap_enclosures_.emplace_back(gap.pieces);
    std::vector<int>& list = coordinates_.emplace_back();
    for (int piece = gap.first; piece < gap.first + gap.count; ++piece)
      for (const std::uint32_t i : system.pieces()[piece].gradient_pattern())
        if (std::find(list.begin(), list.end(), static_cast<int>(i)) == list.end()) list.push_back(static_cast<int>(i));
  }
}

void Gaps::evaluate(const double* q, double t) {
  if (pieces() == 0) return;
  std::copy(q, q + n_, values_.inputs());
  values_.inputs()[n_] = t;
  values_.run();
}

double Gaps::value(const KinkTree& tree) const {
  return fold(tree, [&](int k) { return values_.output(k); });
}

double Gaps::minimum() const {
  double result = std::numeric_limits<double>::infinity();
  for (int gap = 0; gap < count(); ++gap) result = std::fmin(result, value(gap));
  return result;
}

double Gaps::gradient(int piece, const double* q, double t, double* n, double& g_t) {
  formula::Evaluator<double>& program = gradients_[piece];
  std::copy(q, q + n_, program.inputs());
  program.inputs()[n_] = t;
  program.run();
  std::fill(n, n + n_, 0.0);
  g_t = 0;
  const auto& places = system_->pieces()[piece].gradient_pattern();
  for (std::size_t k = 0; k < places.size(); ++k) {
    const int i = static_cast<int>(places[k]);
    (i < n_ ? n[i] : g_t) = program.output(1 + k);
  }
  return program.output(0);
}

void Gaps::hessian_times(int piece, const double* q, double t, const double* x, double* y) {
  formula::Evaluator<double>& program = hessians_[piece];
  std::copy(q, q + n_, program.inputs());
  program.inputs()[n_] = t;
  program.run();
  std::fill(y, y + n_ + 1, 0.0);
  const formula::ScalarFunction& f = system_->pieces()[piece];
  for (std::size_t k = 0; k < f.hessian_pattern().size(); ++k) {
    const auto [i, j] = f.hessian_pattern()[k];
    const double h = program.output(f.hessian_output(k));
    y[i] += h * x[j];
    if (i != j) y[j] += h * x[i];
  }
}

double Gaps::parameter_derivative(int piece, int k, const double* q, double t, double* out) {
  if (duals_.empty())
    for (const formula::ScalarFunction& f : system_->pieces()) duals_.emplace_back(f.order(1));
  formula::Evaluator<formula::Dual<double>>& program = duals_[piece];
  std::fill(out, out + n_ + 1, 0.0);
  if (!program.vary_parameter(k)) return 0;
  for (int i = 0; i < n_; ++i) program.inputs()[i] = {q[i], 0.0};
  program.inputs()[n_] = {t, 0.0};
  program.run();
  const auto& places = system_->pieces()[piece].gradient_pattern();
  for (std::size_t e = 0; e < places.size(); ++e) out[places[e]] = program.output(1 + e).derivative;
  return program.output(0).derivative;
}

void Gaps::enclose(const Interval* q, Interval t) {
  if (pieces() == 0) return;
  std::copy(q, q + n_, enclosures_.inputs());
  enclosures_.inputs()[n_] = t;
  enclosures_.run();
}

double Gaps::lower_bound(int gap) const {
  return fold(gap, [&](int k) { return enclosures_.output(k).lo; });
}

void Gaps::add_coordinates(int piece, std::vector<int>& list) const {
  for (const std::uint32_t i : system_->pieces()[piece].gradient_pattern())
    if (static_cast<int>(i) < n_ && std::find(list.begin(), list.end(), static_cast<int>(i)) == list.end())
      list.push_back(static_cast<int>(i));
}

void Gaps::values_of(int gap, const double* q, double t, double* out) {
  formula::Evaluator<double>& program = gap_values_[gap];
  for (const int i : coordinates_[gap]) program.inputs()[i] = i < n_ ? q[i] : t;
  program.run();
  for (std::size_t k = 0; k < program.output_count(); ++k) out[k] = program.output(k);
}

void Gaps::enclosures_of(int gap, const Interval* q, Interval t, Interval* out) {
  formula::Evaluator<Interval>& program = gap_enclosures_[gap];
  for (const int i : coordinates_[gap]) program.inputs()[i] = i < n_ ? q[i] : t;
  program.run();
  for (std::size_t k = 0; k < program.output_count(); ++k) out[k] = program.output(k);
}

double Gaps::value_of(int piece, const double* q, double t) {
  formula::Evaluator<double>& program = single_values_[piece];
  for (const std::uint32_t i : system_->pieces()[piece].gradient_pattern())
    program.inputs()[i] = static_cast<int>(i) < n_ ? q[i] : t;
  program.run();
  return program.output(0);
}

Interval Gaps::enclosure_of(int piece, const Interval* q, Interval t) {
  formula::Evaluator<Interval>& program = singles_[piece];
  for (const std::uint32_t i : system_->pieces()[piece].gradient_pattern())
    program.inputs()[i] = static_cast<int>(i) < n_ ? q[i] : t;
  program.run();
  return program.output(0);
}

double Gaps::round_off(int piece, const double* q, double t, const double* reach) {
  formula::Evaluator<Interval>& program = singles_[piece];
  for (const std::uint32_t i : system_->pieces()[piece].gradient_pattern())
    program.inputs()[i] = static_cast<int>(i) < n_ ? blurred(q[i], reach[i]) : blurred(t, std::abs(t));
  program.run();
  return program.output(0).hi - program.output(0).lo;
}

Interval Gaps::slope(int piece, const Interval* dq) {
  const int gap = system_->contact_of(piece), part = 1 + piece - begin(gap);
  formula::Evaluator<Interval>& program = gap_enclosures_[gap];
  program.run(part);
  const auto& places = system_->pieces()[piece].gradient_pattern();
  Interval sum(0.0);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const int i = static_cast<int>(places[k]);
    const Interval& g = program.output(part, k);
    sum = sum + (i < n_ ? g * dq[i] : g);
  }
  return sum;
}

}  // namespace ricochet
