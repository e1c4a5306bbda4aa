#include "ricochet/continuum/verlet.hpp"

#include <numeric>

#include "ricochet/continuum/cells.hpp"
#include "ricochet/error.hpp"

namespace ricochet::continuum {

Verlet::Verlet(const Bar& bar)
    : bar_(bar),
      u_(bar.u),
      v_(bar.v),
      N_(bar.nodes() + 1, 0.0),
      q_(bar.viscosity.linear != 0 || bar.viscosity.quadratic != 0 ? bar.nodes() : 0, 0.0),
      h_(bar.step),
      interval_force_(bar.touches.size(), 0.0),
      forces_(bar.touches.size()),
      touch_before_(bar.touches.size()),
      support_before_(bar.supports.size()),
      body_mass_(std::accumulate(bar.mass.begin(), bar.mass.end(), 0.0)) {
  for (const Part& part : bar.parts) {
    elements_ += static_cast<std::int64_t>(part.cells);
    all_linear_ = all_linear_ && is_linear(part.law);
  }
  double* N = N_.data() + 1;
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    const Touch& touch = bar.touches[k];
    if (touch.treatment != Treatment::redistributed) continue;
    forces_[k].force = relax_ends(bar, touch, u_.data());
    if (touch.a != Touch::none) v_[touch.a] = v_[touch.a - 1];
    if (touch.b != Touch::none) v_[touch.b] = v_[touch.b + 1];
  }
  cell_forces(bar, u_.data(), h_, N);
  for (std::size_t i = 0; i < bar.nodes(); ++i)
    if (bar.inverse_mass[i] > 0) v_[i] -= 0.5 * h_ * (bar.inverse_mass[i] * (N[i] - N[i - 1]) + bar.gravity);
}

void Verlet::advance(double t0, double h) {
  if (all_linear_) return step(t0, h);
  before_.clear();
  save(before_);
  step(t0, h);
  try {
    refuse_inverted(bar_, u_.data());
  } catch (const SolverError&) {
    std::span<const double> saved(before_);
    load(saved);
    throw;
  }
}

void Verlet::step(double t0, double h) {
  const double kick = 0.5 * (h_ + h), gravity = kick * bar_.gravity;
  double* __restrict u = u_.data(), * __restrict v = v_.data();
  double* N = N_.data() + 1;
  const double* inverse_mass = bar_.inverse_mass.data();
  cell_forces(bar_, u, h, N);
  if (!q_.empty()) viscous_forces(bar_, u, v, h, N, q_.data());
  const auto dissipated = [&] {  // half of −q·ε̇, before and after the kick
    double sum = 0;
    for (std::size_t i = 0; i + 1 < v_.size(); ++i) sum += q_[i] * (v[i + 1] - v[i]);
    return 0.5 * kick * sum;
  };
  if (!q_.empty()) balance_.viscosity -= dissipated();
  for (std::size_t k = 0; k < forces_.size(); ++k)
    touch_before_[k] = {bar_.touches[k].a == Touch::none ? 0 : v[bar_.touches[k].a],
                        bar_.touches[k].b == Touch::none ? 0 : v[bar_.touches[k].b]};
  for (std::size_t k = 0; k < support_before_.size(); ++k) support_before_[k] = v[bar_.supports[k].node];

  const std::size_t n = v_.size();
  if (gravity == 0)
    for (std::size_t i = 0; i < n; ++i) v[i] += kick * inverse_mass[i] * (N[i] - N[i - 1]);
  else
    for (std::size_t i = 0; i < n; ++i)
      if (inverse_mass[i] > 0) v[i] += kick * inverse_mass[i] * (N[i] - N[i - 1]) + gravity;
  apply_contacts(h, kick);
  move_supports(t0 + h, h, kick);
  for (std::size_t i = 0; i < n; ++i) u[i] += h * v[i];
  for (const Support& s : bar_.supports) u[s.node] = s.displacement(t0 + h);
  account(h, kick);
  if (!q_.empty()) balance_.viscosity -= dissipated();
  balance_.gravity_impulse += gravity * body_mass_;
  h_ = h;
  updates_ += elements_;
}

// Impulses at the ends, from the velocities that the cells alone would give.
void Verlet::apply_contacts(double h, double kick) {
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    const Touch& touch = bar_.touches[k];
    ContactForce& contact = forces_[k];
    double J = 0;
    const auto push = [&](double by) {
      if (touch.a != Touch::none) v_[touch.a] -= by * bar_.inverse_mass[touch.a];
      if (touch.b != Touch::none) v_[touch.b] += by * bar_.inverse_mass[touch.b];
    };
    const auto needed = [&] {
      return impulse(touch.gap(u_.data()) / h + touch.closing(v_.data()), touch.compliance(bar_.inverse_mass.data()),
                     rate_round_off(touch, u_.data(), v_.data(), h));
    };
    switch (touch.treatment) {
      case Treatment::multiplier:
        J = needed();
        push(J);
        contact.closed = J > 0;
        break;
      case Treatment::interval: {
        const double half = 0.5 * kick * interval_force_[k];
        push(half);
        const double rest = needed();
        push(rest);
        interval_force_[k] = 2 * rest / kick;
        J = half + rest;
        contact.closed = rest > 0;
        break;
      }
      case Treatment::penalty: {
        const double g = touch.gap(u_.data());
        J = g < 0 ? -kick * touch.stiffness * g : 0;
        push(J);
        contact.closed = J > 0;
        break;
      }
      case Treatment::redistributed:  // the force of uⁿ, in equilibrium with the end cells
        J = kick * contact.force;
        contact.closed = J > 0;
        break;
    }
    contact.impulse = J;
    if (touch.treatment != Treatment::redistributed) contact.force = J / kick;
  }
}

void Verlet::move_supports(double t, double h, double) {
  for (const Support& s : bar_.supports) v_[s.node] = (s.displacement(t) - u_[s.node]) / h;
}

// Works of what is no potential: force times the mean of the velocities before and after.
void Verlet::account(double h, double kick) {
  const double* N = N_.data() + 1;
  std::vector<double>& v = v_;
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    const Touch& touch = bar_.touches[k];
    double next = 0;
    if (touch.treatment == Treatment::redistributed) {  // the ends of the new positions, and how they came there
      const double a = touch.a == Touch::none ? 0 : u_[touch.a], b = touch.b == Touch::none ? 0 : u_[touch.b];
      const double va = touch.a == Touch::none ? 0 : v[touch.a], vb = touch.b == Touch::none ? 0 : v[touch.b];
      next = relax_ends(bar_, touch, u_.data());
      // u_ had been moved by the old velocity of the end, which has no meaning
      if (touch.a != Touch::none) v[touch.a] = (u_[touch.a] - (a - h * va)) / h;
      if (touch.b != Touch::none) v[touch.b] = (u_[touch.b] - (b - h * vb)) / h;
    }
    const double J = forces_[k].impulse, before = (touch.b == Touch::none ? 0 : touch_before_[k].b) -
                                                  (touch.a == Touch::none ? 0 : touch_before_[k].a);
    balance_.contact += J * 0.5 * (before + touch.closing(v.data()));
    if (touch.a == Touch::none) balance_.support_impulse += J;
    if (touch.b == Touch::none) balance_.support_impulse -= J;
    if (touch.treatment == Treatment::redistributed) forces_[k].force = next;
  }
  for (std::size_t k = 0; k < bar_.supports.size(); ++k) {
    const std::size_t i = bar_.supports[k].node;
    double others = kick * (N[i] - N[i - 1] + bar_.mass[i] * bar_.gravity);
    for (std::size_t j = 0; j < forces_.size(); ++j) {
      if (bar_.touches[j].a == i) others -= forces_[j].impulse;
      if (bar_.touches[j].b == i) others += forces_[j].impulse;
    }
    const double J = bar_.mass[i] * (v[i] - support_before_[k]) - others;
    balance_.moving += J * 0.5 * (v[i] + support_before_[k]);
    balance_.support_impulse += J;
  }
}

Energies Verlet::energies() const {
  Energies e;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    e.kinetic += 0.5 * bar_.mass[i] * v_[i] * v_[i];
    e.gravity -= bar_.mass[i] * bar_.gravity * (u_[i] - 0.5 * h_ * v_[i]);
  }
  for (const Part& part : bar_.parts) {
    double sum = 0;
    const Linear* linear = std::get_if<Linear>(&part.law);
    for (std::size_t c = part.first; c < part.last(); ++c) {
      const double now = (u_[c + 1] - u_[c]) * bar_.inverse_dx[c],
                   before = now - h_ * (v_[c + 1] - v_[c]) * bar_.inverse_dx[c];
      sum += bar_.dx[c] *
             (linear ? 0.5 * linear->E * now * before : 0.5 * (energy(part.law, now) + energy(part.law, before)));
    }
    e.elastic += part.area * sum;
  }
  return e;
}

void Verlet::save(std::vector<double>& out) const {
  put(out, u_);
  put(out, v_);
  put(out, interval_force_);
  for (const ContactForce& f : forces_)
    for (const double x : {f.force, f.impulse, f.closed ? 1.0 : 0.0}) out.push_back(x);
  for (const double x : {h_, balance_.contact, balance_.moving, balance_.viscosity, balance_.support_impulse,
                         balance_.gravity_impulse, static_cast<double>(updates_)})
    out.push_back(x);
}

void Verlet::load(std::span<const double>& in) {
  take(in, u_);
  take(in, v_);
  take(in, interval_force_);
  for (ContactForce& f : forces_) {
    double x[3];
    take(in, x);
    f = {x[0], x[1], x[2] != 0};
  }
  double x[7];
  take(in, x);
  h_ = x[0];
  balance_ = {x[1], x[2], x[3], x[4], x[5]};
  updates_ = static_cast<std::int64_t>(x[6]);
}

}  // namespace ricochet::continuum
