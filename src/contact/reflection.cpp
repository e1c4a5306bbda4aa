#include "ricochet/contact/reflection.hpp"

#include <fmt/format.h>

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
  Eigen::VectorXd approach(static_cast<int>(active_.size()));
  for (int i = 0; i < approach.size(); ++i) approach[i] = active_[i].rate;
  return set_direction(L, approach, at);
}

bool Reflection::find_one(Lagrangian& L, int gap, int piece, const Eigen::VectorXd& v, ImpactPoint& at) {
  active_.clear();
  gaps_->evaluate(at.q.data(), at.t);
  add(gap, piece, v, at);
  return set_direction(L, Eigen::VectorXd::Constant(1, -1.0), at);
}

void Reflection::add(int gap, int piece, const Eigen::VectorXd& v, const ImpactPoint& at) {
  ActivePiece a{.gap = gap, .piece = piece, .n = Eigen::VectorXd(v.size())};
  gaps_->gradient(piece, at.q.data(), at.t, a.n.data(), a.g_t);
  a.rate = a.n.dot(v) + a.g_t;
  active_.push_back(std::move(a));
}

bool Reflection::set_direction(Lagrangian& L, const Eigen::VectorXd& c, ImpactPoint& at) {
  const int n = L.n(), count = static_cast<int>(active_.size());
  if (count == 0) return false;
  Eigen::MatrixXd inverse_mass_n(n, count), gram(count, count);
  for (int i = 0; i < count; ++i) {
    if (constraints_ == nullptr) {
      L.apply_inverse_mass(active_[i].n.data(), inverse_mass_n.col(i).data());
      continue;
    }
    const double size = active_[i].n.norm();
    constraints_->project_covector(at.t, at.q.data(), active_[i].n.data(), inverse_mass_n.col(i).data());
    if (active_[i].n.norm() <= 1e-10 * size)
      throw SolverError(
          fmt::format("at contact '{}' the constraints leave no way to bounce: its normal lies in the span of their "
                      "reactions",
                      L.system().gaps()[active_[i].gap].name),
          active_[i].n.norm() / size, 0, "another start, or a contact that the constraints do not block");
  }
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) gram(i, j) = active_[i].n.dot(inverse_mass_n.col(j));
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
    inverse_mass_d += active_[i].y * inverse_mass_n.col(i);
  }
  at.G = at.d.dot(inverse_mass_d);
  return at.G > 0;
}

}  // namespace ricochet
