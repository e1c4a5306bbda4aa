#include "ricochet/continuum/verlet.hpp"

#include <algorithm>
#include <numeric>

#include "ricochet/continuum/cells.hpp"
#include "ricochet/error.hpp"

namespace ricochet::continuum {

Descriptor Verlet::descriptor() {
  Descriptor d;
  d.name = name(Scheme::verlet);
  d.doc = "all elements of the bodies at once, from the space-time action (Störmer–Verlet)";
  d.order = "2; at Courant number 1 d'Alembert's solution is exact on a uniform linear bar";
  d.preserves =
      "momentum; the discrete multisymplectic form; for linear materials the half-step energy ½vMv + ½Σk dⁿdⁿ⁺¹";
  d.not_preserved = "energy of nonlinear materials: it oscillates by O(h²)";
  d.contacts = d.forces = true;
  d.counters = {updates_counter};
  d.laws = {name(Treatment::multiplier), name(Treatment::interval), name(Treatment::redistributed),
            name(Treatment::penalty)};
  d.parameters = {
      {.name = "courant",
       .default_value = default_courant(Scheme::verlet),
       .doc = "step as a part of the stable one; with an interval contact 1 is the default and the only choice",
       .min = 0,
       .max = 1}};
  return d;
}

Verlet::Verlet(const Bar& bar)
    : bar_(bar),
      u_(bar.u),
      v_(bar.v),
      N_(bar.nodes() + 1, 0.0),
      q_(bar.viscosity.linear != 0 || bar.viscosity.quadratic != 0 ? bar.nodes() : 0, 0.0),
      h_(bar.step),
      interval_force_(bar.touches.size(), 0.0),
      forces_(bar.touches.size()),
      support_force_(bar.supports.size()),
      body_mass_(std::accumulate(bar.mass.begin(), bar.mass.end(), 0.0)) {
  for (const Part& part : bar.parts) {
    elements_ += static_cast<std::int64_t>(part.cells);
    all_linear_ = all_linear_ && is_linear(part.law);
  }
  std::vector<std::size_t> number(bar.nodes(), Touch::none);
  const auto special = [&](std::size_t node) {
    if (node == Touch::none) return Touch::none;
    if (number[node] == Touch::none) number[node] = special_.size(), special_.push_back({node});
    return number[node];
  };
  for (const Touch& touch : bar.touches)
    for (const std::size_t node : {touch.a, touch.b}) special_of_touch_.push_back(special(node));
  for (const Support& s : bar.supports) special_of_support_.push_back(special(s.node));
  if (all_linear_) {
    stiffness_.assign(bar.nodes(), 0.0);
    for (const Part& part : bar.parts)
      for (std::size_t c = part.first; c < part.last(); ++c)
        stiffness_[c] = part.area * std::get<Linear>(part.law).E * bar.inverse_dx[c];
  }
  double* N = N_.data() + 1;
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    const Touch& touch = bar.touches[k];
    if (touch.treatment != Treatment::redistributed) continue;
    forces_[k].force = relax_ends(bar, touch, u_.data());
    take_velocities(touch, v_.data());
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
  const double kick = 0.5 * (h_ + h);
  const bool fused = all_linear_ && q_.empty();
  if (!fused) {
    cell_forces(bar_, u_.data(), h, N_.data() + 1);
    if (!q_.empty()) viscous_forces(bar_, u_.data(), v_.data(), h, N_.data() + 1, q_.data());
  }
  const auto dissipated = [&] {  // half of −q·ε̇, before and after the kick
    double sum = 0;
    for (std::size_t i = 0; i + 1 < v_.size(); ++i) sum += q_[i] * (v_[i + 1] - v_[i]);
    return 0.5 * kick * sum;
  };
  if (!q_.empty()) balance_.viscosity -= dissipated();
  for (Special& s : special_) s.u = u_[s.node], s.v = v_[s.node];
  for (std::size_t k = 0; k < bar_.supports.size(); ++k) support_force_[k] = force_on(bar_.supports[k].node, fused);
  fused ? kick_and_drift_linear(h, kick) : kick_and_drift(h, kick);
  // The ends that something else acts on: their impulses belong between kick and drift.
  for (const Special& s : special_) u_[s.node] = s.u;
  apply_contacts(h, kick);
  for (const Support& s : bar_.supports) v_[s.node] = (s.displacement(t0 + h) - u_[s.node]) / h;
  for (const Special& s : special_) u_[s.node] += h * v_[s.node];
  for (const Support& s : bar_.supports) u_[s.node] = s.displacement(t0 + h);
  account(h, kick);
  if (!q_.empty()) balance_.viscosity -= dissipated();
  balance_.gravity.x += kick * bar_.gravity * body_mass_;
  h_ = h;
  updates_ += elements_;
}

void Verlet::kick_and_drift(double h, double kick) {
  double* __restrict u = u_.data(), * __restrict v = v_.data();
  const double *N = N_.data() + 1, *inverse_mass = bar_.inverse_mass.data(), gravity = kick * bar_.gravity;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    v[i] += kick * inverse_mass[i] * (N[i] - N[i - 1]) + (inverse_mass[i] > 0 ? gravity : 0);
    u[i] += h * v[i];
  }
}

// N = k (u_{i+1} − u_i) for all bodies at once, in blocks that stay in the cache: memory is passed through once.
void Verlet::kick_and_drift_linear(double h, double kick) {
  constexpr std::size_t block = 512;
  double buffer[block + 1];
  double* __restrict N = buffer + 1, * __restrict u = u_.data(), * __restrict v = v_.data();
  const double *stiffness = stiffness_.data(), *inverse_mass = bar_.inverse_mass.data();
  const double gravity = kick * bar_.gravity;
  const std::size_t n = v_.size();
  N[-1] = 0;
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t count = std::min(block, n - first), inner = std::min(block, n - 1 - first);
    for (std::size_t i = 0; i < inner; ++i) N[i] = stiffness[first + i] * (u[first + i + 1] - u[first + i]);
    if (inner < count) N[inner] = 0;
    for (std::size_t i = 0; i < count; ++i) v[first + i] += kick * inverse_mass[first + i] * (N[i] - N[i - 1]);
    if (gravity != 0)
      for (std::size_t i = first; i < first + count; ++i) v[i] += inverse_mass[i] > 0 ? gravity : 0;
    for (std::size_t i = first; i < first + count; ++i) u[i] += h * v[i];
    N[-1] = N[count - 1];
  }
}

// Of the cells on a node.
double Verlet::force_on(std::size_t i, bool fused) const {
  const double* N = N_.data() + 1;
  if (!fused) return N[i] - N[i - 1];
  return (i + 1 < u_.size() ? stiffness_[i] * (u_[i + 1] - u_[i]) : 0) -
         (i > 0 ? stiffness_[i - 1] * (u_[i] - u_[i - 1]) : 0);
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
      case Treatment::decomposed: break;  // a Bar refuses it
    }
    contact.impulse = J;
    if (touch.treatment != Treatment::redistributed) contact.force = J / kick;
  }
}

// Works of what is no potential: force times the mean of the velocities before and after.
void Verlet::account(double h, double kick) {
  std::vector<double>& v = v_;
  const auto before = [&](std::size_t special) { return special == Touch::none ? 0 : special_[special].v; };
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
    const double J = forces_[k].impulse, rate = before(special_of_touch_[2 * k + 1]) - before(special_of_touch_[2 * k]);
    balance_.contact += J * 0.5 * (rate + touch.closing(v.data()));
    if (touch.a == Touch::none) balance_.support.x += J;
    if (touch.b == Touch::none) balance_.support.x -= J;
    if (touch.treatment == Treatment::redistributed) forces_[k].force = next;
  }
  for (std::size_t k = 0; k < bar_.supports.size(); ++k) {
    const std::size_t i = bar_.supports[k].node;
    double others = kick * (support_force_[k] + bar_.mass[i] * bar_.gravity);
    for (std::size_t j = 0; j < forces_.size(); ++j) {
      if (bar_.touches[j].a == i) others -= forces_[j].impulse;
      if (bar_.touches[j].b == i) others += forces_[j].impulse;
    }
    const double J = bar_.mass[i] * (v[i] - before(special_of_support_[k])) - others;
    balance_.moving += J * 0.5 * (v[i] + before(special_of_support_[k]));
    balance_.support.x += J;
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
  out.push_back(h_);
  put(out, forces_, balance_, updates_);
}

void Verlet::load(std::span<const double>& in) {
  take(in, u_);
  take(in, v_);
  take(in, interval_force_);
  take(in, std::span(&h_, 1));
  take(in, forces_, balance_, updates_);
}

}  // namespace ricochet::continuum
