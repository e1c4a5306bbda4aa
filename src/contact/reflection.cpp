#include "ricochet/contact/reflection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/contact/first_event.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

Reflection::Reflection(Gaps& gaps, double closed, ConstrainedStep* constraints, ReflectionLaw law)
    : gaps_(&gaps), closed_(closed), constraints_(constraints), law_(law) {}

namespace {
constexpr double touching = 1e-12;  // relative: a contact speed below this is none
}

bool Reflection::find(Lagrangian& L, const Eigen::VectorXd& v, ImpactPoint& at) {
  const int n = L.n();
  active_.clear();
  gaps_->evaluate(at.q.data(), at.t);
  Eigen::VectorXd gradient(n);
  bool approached = false;
  for (int gap = 0; gap < gaps_->count(); ++gap) {
    if (gaps_->value(gap) > closed_) continue;
    pieces_.clear();
    const auto rate = [&](int piece) {
      double g_t = 0;
      gaps_->gradient(piece, at.q.data(), at.t, gradient.data(), g_t);
      const double r = gradient.dot(v) + g_t;
      approached |= r < 0;
      return r - touching * gradient.norm() * v.norm();  // what does not separate takes part
    };
    blocking_pieces(gaps_->tree(gap), *gaps_, closed_, rate, pieces_);
    for (const int piece : pieces_) add(gap, piece, v, at);
  }
  if (!approached) return false;
  // A contact that the constraints carry, as a rail along a wall does, takes no part.
  std::size_t kept = 0;
  for (ActivePiece& a : active_) {
    const double size = a.n.norm();
    if (free_of_constraints(L, a, at)) {
      std::swap(active_[kept++], a);
    } else if (a.rate < -1e-10 * size * v.norm()) {
      throw SolverError(
          fmt::format("at contact '{}' the constraints leave no way to bounce: its normal lies in the span of their "
                      "reactions",
                      L.system().gaps()[a.gap].name),
          a.rate, 0, "another start, or a contact that the constraints do not block");
    }
  }
  if (kept < active_.size()) {
    active_.resize(kept);
    approached = std::any_of(active_.begin(), active_.end(), [](const ActivePiece& a) { return a.rate < 0; });
  }
  if (!approached) return false;
  Eigen::VectorXd approach(static_cast<int>(active_.size()));
  for (int i = 0; i < approach.size(); ++i) approach[i] = active_[i].rate;
  return set_direction(L, approach, at);
}

bool Reflection::find_one(Lagrangian& L, int gap, int piece, const Eigen::VectorXd& v, ImpactPoint& at) {
  active_.clear();
  gaps_->evaluate(at.q.data(), at.t);
  add(gap, piece, v, at);
  if (!free_of_constraints(L, active_[0], at)) return false;
  return set_direction(L, Eigen::VectorXd::Constant(1, -1.0), at);
}

void Reflection::add(int gap, int piece, const Eigen::VectorXd& v, const ImpactPoint& at) {
  ActivePiece a{
      .gap = gap, .piece = piece, .n = Eigen::VectorXd(v.size()), .w = Eigen::VectorXd(v.size()), .reaction = {}};
  gaps_->gradient(piece, at.q.data(), at.t, a.n.data(), a.g_t);
  a.rate = a.n.dot(v) + a.g_t;
  active_.push_back(std::move(a));
}

bool Reflection::free_of_constraints(Lagrangian& L, ActivePiece& a, const ImpactPoint& at) const {
  if (constraints_ == nullptr) {
    L.apply_inverse_mass(a.n.data(), a.w.data());
    return true;
  }
  const double size = a.n.norm();
  a.reaction = -a.n;
  constraints_->project_covector(at.t, at.q.data(), a.n.data(), a.w.data());
  a.reaction += a.n;
  return !(a.n.norm() <= 1e-10 * size) || size == 0;  // a gap without slope is named by set_direction
}

bool Reflection::set_direction(Lagrangian& L, const Eigen::VectorXd& c, ImpactPoint& at) {
  const int n = L.n(), count = static_cast<int>(active_.size());
  if (count == 0) return false;
  Eigen::MatrixXd gram(count, count);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) gram(i, j) = active_[i].n.dot(active_[j].w);
  for (int i = 0; i < count; ++i)
    if (!(gram(i, i) > 1e-28))
      throw SolverError(fmt::format("the gap of contact '{}' has no slope where it closes, so its normal is undefined",
                                    L.system().gaps()[active_[i].gap].name),
                        gram(i, i), 0,
                        "write the gap so that it crosses zero with a slope, for instance x instead of x^2");
  if (count == 1) {
    active_[0].y = -2 * c[0] / gram(0, 0);
  } else {
    ReflectionProblem problem{.gram = gram, .c = c, .gram2 = {}, .c2 = {}, .eps_v = touching * c.cwiseAbs().maxCoeff()};
    const Eigen::VectorXd y = law_(problem).impulses;
    for (int i = 0; i < count; ++i) active_[i].y = y[i];
  }
  at.d.setZero(n);
  at.d_t = 0;
  Eigen::VectorXd inverse_mass_d = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < count; ++i) {
    at.d += active_[i].y * active_[i].n;
    at.d_t += active_[i].y * active_[i].g_t;
    inverse_mass_d += active_[i].y * active_[i].w;
  }
  at.G = at.d.dot(inverse_mass_d);
  return at.G > 0;
}

}  // namespace ricochet
