#pragma once
// The impulses of contacts in one step. With v* the velocities without contact, impulses λ ≥ 0 and |τ| ≤ μλ,
//   0 ≤ λ ⊥ N(v* + M⁻¹(Nᵀλ + Tᵀτ)) − b ≥ 0,   b = −gap/h,
//   b ≥ −e N v⁻ with v⁻ before the step where the contact would close in it,
//   τ = −μλ T v/|T v| where it slips, T v = 0 where it sticks.
//
// Projected Gauss–Seidel: each contact in turn. The residual is the largest change of a rate in a sweep,
// |min(λ/compliance, N v − b)|, as a part of the largest rate there is or must be; what rates lose to round-off in
// their terms counts as nothing. The rows of two passes are nearly dependent where nodes almost meet, and how they
// share an impulse settles slowly; so after some sweeps the normal impulses are solved together by an active set, and
// the sweeps go on from there. Momenta are kept whatever the residual: in the end the impulses act once on v*, so that
// sweeps by the thousand leave the round-off of one.

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "ricochet/continuum/contact_rows.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet::continuum {

inline constexpr double response_tolerance = 1e-10;  // what the sweeps try for
inline constexpr double response_limit = 1e-5;       // above it the step is given up

template <class Contact>
class ContactResponse {
 public:
  static constexpr int D = Contact::dimension;
  using Vec = std::array<double, D>;

  int sweeps = 0;
  double residual = 0;  // of the last sweep

  // mobility(node, impulse) -> change of velocity. Contacts that are not `wanted` are left alone.
  template <class Mobility, class Wanted>
  void solve(std::vector<Contact>& contacts, double h, const double* before, double* v, const Mobility& mobility,
             const Wanted& wanted) {
    list_.clear();
    sweeps = 0;
    residual = largest_ = 0;
    for (Contact& c : contacts)
      if (wanted(c) && prepare(c, h, before, v, mobility)) list_.push_back(&c);
    if (list_.empty() || largest_ == 0) return;
    start_.clear();
    each_velocity(v, [&](double& x) { start_.push_back(x); });
    iterate(v, mobility);
    auto start = start_.begin();
    each_velocity(v, [&](double& x) { x = *start++; });
    for (const Contact* c : list_)
      for (int r = 0; r < D; ++r)
        if (c->push[r] != 0) apply(*c, r, c->push[r], v, mobility);
  }

 private:
  // f(x) of every velocity that contacts can change, as often as they do.
  template <class F>
  void each_velocity(double* v, F&& f) const {
    for (const Contact* c : list_)
      for (int i = 0; i <= D; ++i) {
        if (c->node[i] < 0) continue;
        double* const of_node = v + static_cast<std::ptrdiff_t>(D) * c->node[i];
        for (int k = 0; k < D; ++k) f(of_node[k]);
      }
  }

  template <class Mobility>
  void iterate(double* v, const Mobility& mobility) {
    // a corner on a corner, with friction, takes thousands of sweeps: few contacts have them for what many pay
    const std::size_t last = 1000 + 1000000 / list_.size();
    for (int round = 0; round < 8; ++round) {
      const std::size_t most = round < 7 ? 25 : last;
      for (std::size_t k = 0; k < most; ++k) {
        residual = sweep(v, mobility) / largest_;
        ++sweeps;
        if (residual <= response_tolerance) return;
      }
      if (round < 7 && !solve_together(v, mobility)) round = 6;
    }
  }

  template <class Mobility>
  bool prepare(Contact& c, double h, const double* before, const double* v, const Mobility& mobility) {
    c.push.fill(0);
    const double approach = c.rate(0, before);
    c.bound = -c.gap / h;
    if (c.restitution > 0 && approach < 0 && c.gap + h * c.rate(0, v) < 0)
      c.bound = std::fmax(c.bound, -c.restitution * approach);
    for (int r = 0; r < D; ++r) {
      c.compliance[r] = 0;
      if (r > 0 && c.friction == 0) continue;
      for (int i = 0; i <= D; ++i) {
        if (c.node[i] < 0) continue;
        const Vec dv = mobility(c.node[i], c.row[r][i]);
        for (int k = 0; k < D; ++k) c.compliance[r] += c.row[r][i][k] * dv[k];
      }
      if (c.compliance[0] > 0) largest_ = std::fmax(largest_, std::fmax(std::abs(c.rate(r, v)), noise(c, r, v)));
    }
    if (c.compliance[0] > 0) largest_ = std::fmax(largest_, c.bound);
    return c.compliance[0] > 0;  // else both sides are held
  }

  // The rate of which its own round-off is the tolerance.
  static double noise(const Contact& c, int r, const double* v) {
    double terms = 0;
    for (int i = 0; i <= D; ++i)
      for (int k = 0; k < D && c.node[i] >= 0; ++k) terms += std::abs(c.row[r][i][k] * v[D * c.node[i] + k]);
    return epsilon / response_tolerance * terms;
  }

  template <class Mobility>
  static void apply(const Contact& c, int r, double impulse, double* v, const Mobility& mobility) {
    for (int i = 0; i <= D; ++i) {
      if (c.node[i] < 0) continue;
      Vec J;
      for (int k = 0; k < D; ++k) J[k] = impulse * c.row[r][i][k];
      const Vec dv = mobility(c.node[i], J);
      double* const of_node = v + D * c.node[i];
      for (int k = 0; k < D; ++k) of_node[k] += dv[k];
    }
  }

  // The largest change of a rate.
  template <class Mobility>
  double sweep(double* v, const Mobility& mobility) const {
    double change = 0;
    for (Contact* contact : list_) {
      Contact& c = *contact;
      const double next = std::fmax(0.0, c.push[0] + (c.bound - c.rate(0, v)) / c.compliance[0]),
                   more = next - c.push[0];
      if (more != 0) {
        apply(c, 0, more, v, mobility);
        c.push[0] = next;
        change = std::fmax(change, std::abs(more) * c.compliance[0]);
      }
      if (c.friction == 0) continue;
      // all tangents at once: the impulse that would stick, shortened to the cone
      Vec sticking{};
      double stiff = 0, size = 0;
      for (int r = 1; r < D; ++r) stiff = std::fmax(stiff, c.compliance[r]);
      if (!(stiff > 0)) continue;
      for (int r = 1; r < D; ++r) {
        sticking[r] = c.push[r] - c.rate(r, v) / stiff;
        size += sticking[r] * sticking[r];
      }
      size = std::sqrt(size);
      const double most = c.friction * c.push[0], part = size > most ? most / size : 1;
      for (int r = 1; r < D; ++r) {
        const double slip = part * sticking[r] - c.push[r];
        if (slip == 0) continue;
        apply(c, r, slip, v, mobility);
        c.push[r] = part * sticking[r];
        change = std::fmax(change, std::abs(slip) * c.compliance[r]);
      }
    }
    return change;
  }

  // The normal impulses that minimise ½λᵀΔλ − λᵀ(b − N v*) over λ ≥ 0, friction as it is: Lawson and Hanson's active
  // set, from the rows that press now. It goes down with every exchange, so that it ends. False if there are too many.
  template <class Mobility>
  bool solve_together(double* v, const Mobility& mobility) {
    constexpr std::size_t most_rows = 256;
    active_.clear();
    refused_.clear();
    for (Contact* c : list_)
      if (c->push[0] > 0) active_.push_back(c);
    Contact* entering = nullptr;
    for (std::size_t exchanges = 0; exchanges < 4 * list_.size() + 16; ++exchanges) {
      if (active_.size() > most_rows) return false;
      const auto n = static_cast<Eigen::Index>(active_.size());
      matrix_.resize(n, n);
      right_.resize(n);
      for (Eigen::Index i = 0; i < n; ++i) {
        const Contact& a = *active_[static_cast<std::size_t>(i)];
        for (Eigen::Index j = 0; j <= i; ++j)
          matrix_(i, j) = matrix_(j, i) = coupling(a, *active_[static_cast<std::size_t>(j)], mobility);
        matrix_(i, i) *= 1 + 1e-13;  // dependent rows share
        right_[i] = a.bound - a.rate(0, v);
      }
      double length = 1;
      if (n > 0) {
        factor_.compute(matrix_);
        step_ = factor_.solve(right_);
        if (!step_.allFinite()) return true;
      }
      if (entering && step_[n - 1] <= 0) {  // its violation is round-off
        refused_.push_back(entering);
        active_.pop_back();
        entering = nullptr;
      } else {
        for (Eigen::Index i = 0; i < n; ++i)
          if (const double now = active_[static_cast<std::size_t>(i)]->push[0]; now + length * step_[i] < 0)
            length = -now / step_[i];
        for (Eigen::Index i = 0; i < n; ++i) {
          Contact& a = *active_[static_cast<std::size_t>(i)];
          const double next = a.push[0] + length * step_[i];
          const bool out = length < 1 && !(next > 1e-14 * std::abs(length * step_[i]));
          apply(a, 0, out ? -a.push[0] : length * step_[i], v, mobility);
          a.push[0] = out ? 0 : next;
        }
        entering = nullptr;
        if (length < 1) {
          std::erase_if(active_, [](const Contact* c) { return !(c->push[0] > 0); });
          continue;
        }
      }
      double worst = response_tolerance * largest_;
      for (Contact* c : list_) {
        if (c->push[0] > 0 || std::find(refused_.begin(), refused_.end(), c) != refused_.end()) continue;
        if (const double w = c->bound - c->rate(0, v); w > worst) worst = w, entering = c;
      }
      if (!entering) return true;
      active_.push_back(entering);
    }
    return true;
  }

  template <class Mobility>
  static double coupling(const Contact& a, const Contact& b, const Mobility& mobility) {
    double sum = 0;
    for (int i = 0; i <= D; ++i)
      for (int j = 0; j <= D; ++j) {
        if (a.node[i] < 0 || a.node[i] != b.node[j]) continue;
        const Vec dv = mobility(b.node[j], b.row[0][j]);
        for (int k = 0; k < D; ++k) sum += a.row[0][i][k] * dv[k];
      }
    return sum;
  }

  double largest_ = 0;
  std::vector<Contact*> list_, active_, refused_;
  std::vector<double> start_;  // v* of the nodes of each contact
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd right_, step_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
};

}  // namespace ricochet::continuum
