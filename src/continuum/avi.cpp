#include "ricochet/continuum/avi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/continuum/cells.hpp"
#include "ricochet/error.hpp"

namespace ricochet::continuum {

namespace {

// The next of longest·2^{−k/2} below a step.
double rounded_down(double step, double longest) {
  const double k = std::ceil(-2 * std::log2(step / longest) - 1e-9);
  return longest * std::exp2(-std::fmax(k, 0.0) / 2);
}

double springs_on(const Bar& bar, std::size_t node) {
  double sum = 0;
  for (const Touch& touch : bar.touches) sum += touch.a == node || touch.b == node ? touch.stiffness : 0;
  return sum;
}

[[noreturn]] void refuse_inverted_at(const Bar& bar, std::size_t first, std::size_t last, const double* u, double t) {
  for (std::size_t c = first; c < last; ++c)
    if (const double e = (u[c + 1] - u[c]) * bar.inverse_dx[c]; !(1 + e > 0))
      throw SolverError(fmt::format("{} (x = {:.6g}) is turned inside out at its event t = {:.6g}: J = {:.4g}",
                                    place(bar, c), bar.X[c] + u[c], t, 1 + e),
                        1 + e, -1, "try a smaller continuum.courant, viscosity, or more cells");
  throw SolverError("a strain is not a number", -1, -1, "try a smaller continuum.courant");
}

}  // namespace

Descriptor Avi::descriptor() {
  Descriptor d;
  d.name = name(Scheme::avi);
  d.doc = "a clock for each element of the bodies (Lew, Marsden, Ortiz, West): small cells do not slow down large ones";
  d.order = "2";
  d.preserves = "momentum; the discrete multisymplectic form";
  d.not_preserved =
      "energy: it stays in a band for small steps; clocks can resonate and make it grow; no step is proved safe, so "
      "stay at .3 or below";
  d.contacts = d.forces = true;
  d.counters = {updates_counter};
  d.laws = {name(Treatment::multiplier), name(Treatment::redistributed), name(Treatment::penalty)};
  d.parameters = {{.name = "courant",
                   .default_value = default_courant(Scheme::avi),
                   .doc = "step of each element as a part of its stable one, dx/c; above .3 there is a warning",
                   .min = 0,
                   .max = 1}};
  return d;
}

Avi::Avi(const Bar& bar)
    : bar_(bar),
      u_(bar.u),
      v_(bar.v),
      t_(bar.nodes(), bar.start),
      q_(bar.viscosity.linear != 0 || bar.viscosity.quadratic != 0 ? bar.nodes() : 0, 0.0),
      steps_(bar.nodes(), 0.0),
      support_of_(bar.nodes(), -1),
      touch_of_(bar.nodes(), -1),
      forces_(bar.touches.size()),
      now_(bar.start) {
  for (std::size_t k = 0; k < bar.supports.size(); ++k) support_of_[bar.supports[k].node] = static_cast<int>(k);
  for (const Part& part : bar.parts)
    for (std::size_t c = part.first; c < part.last(); ++c)
      steps_[c] = rounded_down(bar.courant * bar.element_step(part, c), bar.step);
  for (const Part& part : bar.parts) all_linear_ = all_linear_ && is_linear(part.law);
  // The contacts that are springs take their end cells with them.
  std::vector<Run> springs;
  for (std::size_t k = 0; k < bar.touches.size(); ++k) {
    const Touch& touch = bar.touches[k];
    double shortest = bar.step;
    for (const bool is_a : {true, false}) {
      const std::size_t node = is_a ? touch.a : touch.b;
      if (node == Touch::none) continue;
      const std::size_t cell = is_a ? node - 1 : node;
      shortest = std::fmin(shortest, steps_[cell]);
      if (touch.treatment == Treatment::multiplier) touch_of_[node] = static_cast<int>(k);
      if (touch.treatment == Treatment::redistributed) steps_[cell] = 0;
      if (touch.treatment == Treatment::penalty)  // ω² = s/m at most, beside the element's own
        shortest = std::fmin(shortest, bar.courant * 2 * std::sqrt(bar.mass[node] / (2 * springs_on(bar, node))));
    }
    if (touch.treatment == Treatment::redistributed || touch.treatment == Treatment::penalty)
      springs.push_back(
          {bar.nodes() + k, bar.nodes() + k + 1, -1, static_cast<int>(k), rounded_down(shortest, bar.step)});
  }
  for (std::size_t p = 0; p < bar.parts.size(); ++p) {
    const Part& part = bar.parts[p];
    for (std::size_t c = part.first; c < part.last(); ++c) {
      if (steps_[c] == 0) continue;
      if (!runs_.empty() && runs_.back().part == static_cast<int>(p) && runs_.back().last == c &&
          runs_.back().step == steps_[c])
        ++runs_.back().last;
      else
        runs_.push_back({c, c + 1, static_cast<int>(p), -1, steps_[c]});
    }
  }
  runs_.insert(runs_.end(), springs.begin(), springs.end());
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    set_count(runs_[k], 0);
    queue_.push_back(k);
  }
  for (std::size_t k = queue_.size(); k-- > 0;) sink(k);
  for (std::size_t k = 0; k < forces_.size(); ++k)
    if (bar.touches[k].treatment == Treatment::redistributed) {
      relax_ends(bar, bar.touches[k], u_.data());
      take_velocities(bar.touches[k], v_.data());
    }
}

void Avi::set_count(Run& run, std::int64_t count) const {
  const auto middle = [&](std::int64_t j) { return bar_.start + (static_cast<double>(j) + 0.5) * run.step; };
  run.count = count;
  run.before = count > 0 ? middle(count - 1) : bar_.start;
  run.time = middle(count);
}

bool Avi::later(std::size_t a, std::size_t b) const {
  const Run &x = runs_[a], &y = runs_[b];
  return x.time != y.time ? x.time > y.time : x.first > y.first;
}

void Avi::sink(std::size_t place) {
  const std::size_t moving = queue_[place];
  while (true) {
    std::size_t child = 2 * place + 1;
    if (child >= queue_.size()) break;
    if (child + 1 < queue_.size() && later(queue_[child], queue_[child + 1])) ++child;
    if (!later(moving, queue_[child])) break;
    queue_[place] = queue_[child];
    place = child;
  }
  queue_[place] = moving;
}

void Avi::drift(std::size_t node, double t) {
  if (support_of_[node] >= 0) {
    const double to = bar_.supports[support_of_[node]].displacement(t);
    if (t > t_[node]) {
      const double v = (to - u_[node]) / (t - t_[node]), m = bar_.mass[node];
      balance_.moving += 0.5 * m * (v + v_[node]) * (v - v_[node]);
      balance_.support.x += m * (v - v_[node]);
      v_[node] = v;
    }
    u_[node] = to;
  } else {
    u_[node] += (t - t_[node]) * v_[node];
  }
  t_[node] = t;
}

void Avi::kick(std::size_t node, double impulse) {
  v_[node] += bar_.inverse_mass[node] * impulse;
  if (support_of_[node] < 0) return;
  balance_.moving -= impulse * v_[node];
  balance_.support.x -= impulse;
}

// Elements with one clock: all their nodes to its time, their forces, then their kicks in the order of the elements, in
// blocks that stay in the cache: memory is passed through once. A node is kicked by both its elements in the block that
// begins with it, so that all velocities of a block are those before the event. Inner nodes of a run have its clock and
// are never supports.
template <class M>
void Avi::elements(const Run& run, const M& material) {
  constexpr std::size_t block = 512;
  double right[block], left[block];  // impulses of the cells on the node on their left and on that on their right
  const Part& part = bar_.parts[run.part];
  const double t = run.time, since = t - run.before, dt = run.step, A = part.area;
  double* __restrict u = u_.data(), * __restrict v = v_.data();
  const double *inverse_dx = bar_.inverse_dx.data(), *inverse_mass = bar_.inverse_mass.data();
  drift(run.first, t);
  drift(run.last, t);
  const double closing_first = closing(run.first), closing_last = closing(run.last);
  double from_left = 0;
  for (std::size_t begin = run.first; begin < run.last; begin += block) {
    const std::size_t count = std::min(block, run.last - begin), end = begin + count;
    for (std::size_t i = begin + 1; i < std::min(end + 1, run.last); ++i) u[i] += since * v[i];
    bool inverted = false;
    for (std::size_t k = 0, c = begin; k < count; ++k, ++c) {
      const double e = (u[c + 1] - u[c]) * inverse_dx[c];
      if constexpr (!std::is_same_v<M, Linear>) inverted = inverted || !(1 + e > 0);
      right[k] = dt * (A * material.stress(e));
    }
    if (inverted) refuse_inverted_at(bar_, begin, end, u, t);
    for (std::size_t k = 0, c = begin; !q_.empty() && k < count; ++k, ++c) {
      q_[c] = viscous_force(part, bar_.viscosity, bar_.dx[c], (u[c + 1] - u[c]) * inverse_dx[c],
                            (v[c + 1] - v[c]) * inverse_dx[c]);
      right[k] += dt * q_[c];
    }
    if (!q_.empty()) dissipate(dt, begin, end);
    for (std::size_t k = 0; k < count; ++k) left[k] = -right[k];
    for (std::size_t k = 0, c = begin; bar_.gravity != 0 && k < count; ++k, ++c) {
      const double weight = 0.5 * dt * part.rho * A * bar_.dx[c] * bar_.gravity;
      right[k] += weight;
      left[k] += weight;
      balance_.gravity.x += 2 * weight;
    }
    kick(begin, from_left);
    kick(begin, right[0]);
    for (std::size_t k = 1, c = begin + 1; k < count; ++k, ++c)
      v[c] = v[c] + inverse_mass[c] * left[k - 1] + inverse_mass[c] * right[k];
    from_left = left[count - 1];
  }
  kick(run.last, from_left);
  updates_ += static_cast<std::int64_t>(run.last - run.first);
  if (touch_of_[run.first] >= 0) plastic(static_cast<std::size_t>(touch_of_[run.first]), t, closing_first);
  if (touch_of_[run.last] >= 0) plastic(static_cast<std::size_t>(touch_of_[run.last]), t, closing_last);
  if (!q_.empty()) dissipate(dt, run.first, run.last);
}

// Half of −q·ε̇: with the velocities before the kicks, and again with those after.
void Avi::dissipate(double dt, std::size_t first, std::size_t last) {
  for (std::size_t c = first; c < last; ++c) balance_.viscosity -= 0.5 * dt * q_[c] * (v_[c + 1] - v_[c]);
}

// The rate of the gap that a node belongs to.
double Avi::closing(std::size_t node) const {
  return touch_of_[node] < 0 ? 0 : bar_.touches[touch_of_[node]].closing(v_.data());
}

void Avi::contact_spring(const Run& run) {
  const Touch& touch = bar_.touches[run.touch];
  const bool massless = touch.treatment == Treatment::redistributed;
  std::size_t a = touch.a, b = touch.b;
  if (massless) a -= a == Touch::none ? 0 : 1, b += b == Touch::none ? 0 : 1;
  for (const std::size_t i : {a, b})
    if (i != Touch::none) drift(i, run.time);
  double F = 0;
  if (massless) {
    for (const std::size_t i : {touch.a, touch.b})
      if (i != Touch::none) t_[i] = run.time;
    F = relax_ends(bar_, touch, u_.data());
    take_velocities(touch, v_.data());
  } else if (const double g = touch.gap(u_.data()); g < 0) {
    F = -touch.stiffness * g;
  }
  ++updates_;
  if (massless && bar_.gravity != 0)  // the weight of the end cells hangs on the neighbours
    for (const std::size_t i : {a, b}) {
      if (i == Touch::none) continue;
      const std::size_t cell = i == a ? a : b - 1;
      const Part& part = bar_.part_of(cell);
      const double weight = run.step * part.rho * part.area * bar_.dx[cell] * bar_.gravity;
      kick(i, weight);
      balance_.gravity.x += weight;
    }
  ContactForce& contact = forces_[run.touch];
  if (F > 0) press(contact, a, b, run.step * F);
  contact.force = F;
}

// An impulse between two nodes, of which one may be a wall.
void Avi::press(ContactForce& contact, std::size_t a, std::size_t b, double J) {
  a != Touch::none ? kick(a, -J) : void(balance_.support.x += J);
  b != Touch::none ? kick(b, J) : void(balance_.support.x -= J);
  contact.impulse += J;
  contact.closed = true;
}

// Ends that have met and approach get the velocity of both together. The work is the impulse times the mean of the
// rates before the elements' kicks and after: where the ends stay together it is none.
void Avi::plastic(std::size_t k, double t, double before) {
  const Touch& touch = bar_.touches[k];
  for (const std::size_t i : {touch.a, touch.b})
    if (i != Touch::none) drift(i, t);
  const double w = touch.closing(v_.data());
  if (touch.gap(u_.data()) > 0 || !(w < 0)) return;
  const double J = -w / touch.compliance(bar_.inverse_mass.data());
  press(forces_[k], touch.a, touch.b, J);
  balance_.contact += 0.5 * J * before;
}

void Avi::advance(double t0, double h) {
  if (all_linear_) return events(t0, h);
  before_.clear();
  save(before_);
  try {
    events(t0, h);
  } catch (const SolverError&) {
    std::span<const double> saved(before_);
    load(saved);
    throw;
  }
}

void Avi::events(double t0, double h) {
  const double end = t0 + h;
  for (ContactForce& f : forces_) f.impulse = 0, f.closed = false;
  while (runs_[queue_.front()].time <= end) {
    Run& run = runs_[queue_.front()];
    if (run.part >= 0)
      std::visit([&](const auto& material) { elements(run, material); }, bar_.parts[run.part].law);
    else
      contact_spring(run);
    set_count(run, run.count + 1);
    sink(0);
  }
  for (std::size_t k = 0; k < forces_.size(); ++k)
    if (bar_.touches[k].treatment == Treatment::multiplier) forces_[k].force = forces_[k].impulse / h;
  now_ = end;
}

void Avi::bring_to(double t, std::vector<double>& u) const {
  u.resize(u_.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = u_[i] + (t - t_[i]) * v_[i];
  for (const Run& run : runs_)
    for (std::size_t i = run.first + 1; run.part >= 0 && i < run.last; ++i) u[i] = u_[i] + (t - run.before) * v_[i];
  for (const Support& s : bar_.supports) u[s.node] = s.displacement(t);
  for (const Touch& touch : bar_.touches)
    if (touch.treatment == Treatment::redistributed) relax_ends(bar_, touch, u.data());
}

double Avi::gap(std::size_t k) const {
  const Touch& touch = bar_.touches[k];
  const bool massless = touch.treatment == Treatment::redistributed;  // free ends move with their neighbours
  const auto at = [&](std::size_t i) { return u_[i] + (now_ - t_[i]) * v_[i]; };
  const double a = touch.a == Touch::none ? 0 : at(massless ? touch.a - 1 : touch.a),
               b = touch.b == Touch::none ? 0 : at(massless ? touch.b + 1 : touch.b), g = touch.gap0 + b - a;
  return massless ? std::fmax(g, 0.0) : g;  // and pressed ones are in equilibrium
}

Energies Avi::energies() const {
  Energies e;
  std::vector<double> u;
  bring_to(now_, u);
  for (std::size_t i = 0; i < v_.size(); ++i) {
    e.kinetic += 0.5 * bar_.mass[i] * v_[i] * v_[i];
    e.gravity -= bar_.mass[i] * bar_.gravity * u[i];
  }
  for (const Part& part : bar_.parts) {
    double sum = 0;
    for (std::size_t c = part.first; c < part.last(); ++c)
      sum += bar_.dx[c] * energy(part.law, (u[c + 1] - u[c]) * bar_.inverse_dx[c]);
    e.elastic += part.area * sum;
  }
  for (std::size_t k = 0; k < bar_.touches.size(); ++k) {
    const double g = gap(k);
    if (bar_.touches[k].treatment == Treatment::penalty && g < 0) e.elastic += 0.5 * bar_.touches[k].stiffness * g * g;
  }
  return e;
}

void Avi::save(std::vector<double>& out) const {
  for (const auto* part : {&u_, &v_, &t_}) put(out, *part);
  for (const Run& run : runs_) out.push_back(static_cast<double>(run.count));
  out.push_back(now_);
  put(out, forces_, balance_, updates_);
}

void Avi::load(std::span<const double>& in) {
  for (auto* part : {&u_, &v_, &t_}) take(in, *part);
  for (Run& run : runs_) {
    double count[1];
    take(in, count);
    set_count(run, static_cast<std::int64_t>(count[0]));
  }
  for (std::size_t k = queue_.size(); k-- > 0;) sink(k);
  take(in, std::span(&now_, 1));
  take(in, forces_, balance_, updates_);
}

}  // namespace ricochet::continuum
