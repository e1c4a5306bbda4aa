#include "ricochet/contact/impact_record.hpp"

namespace ricochet {

void record_impulse(Lagrangian& L, const ImpactPoint& at, const std::vector<ActivePiece>& active, double lambda,
                    Eigen::VectorXd& v, Impact& impact) {
  const Eigen::VectorXd p_plus = at.p_minus + lambda * at.d;
  L.velocity(at.q.data(), p_plus.data(), at.t, v.data());
  impact.energy_after = L.energy(at.q.data(), v.data(), at.t);
  impact.momentum_change = lambda * at.d.norm();
  Eigen::VectorXd reaction = Eigen::VectorXd::Zero(v.size());
  impact.contacts.clear();
  double slowest = 0;
  for (const ActivePiece& a : active) {
    if (a.rate < slowest) {  // restitution of the contact that is hit hardest; a graze has no approach to compare with
      slowest = a.rate;
      impact.obtained_restitution = -(a.n.dot(v) + a.g_t) / a.rate;
    }
    if (a.reaction.size() > 0) reaction += lambda * a.y * a.reaction;
    const bool same = !impact.contacts.empty() && impact.contacts.back().contact == a.gap;
    if (same)
      impact.contacts.back().lambda += lambda * a.y;
    else
      impact.contacts.push_back({a.gap, lambda * a.y});
  }
  impact.constraint_impulse = reaction.norm();
}

}  // namespace ricochet
