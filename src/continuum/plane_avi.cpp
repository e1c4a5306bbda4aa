#include "ricochet/continuum/plane_avi.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "ricochet/error.hpp"

namespace ricochet::continuum {

namespace {

// The number k of the next of longest·2^{−k/2} below a step.
int octave(double step, double longest) {
  return std::max(0, static_cast<int>(std::ceil(-2 * std::log2(step / longest) - 1e-9)));
}

}  // namespace

PlaneAvi::PlaneAvi(const Solid& solid, PlaneContacts& contacts, unsigned threads)
    : PlaneIntegrator(solid, contacts, threads),
      t_(solid.nodes(), solid.start),
      last_(solid.u),
      normal_(2 * solid.nodes(), 0.0),
      tangent_(normal_),
      way_(solid.v),
      now_(solid.start) {
  std::vector<char> surface(solid.nodes(), 0);
  for (const int i : contacts.surface_nodes()) surface[i] = 1;
  std::map<int, std::vector<std::uint32_t>> by_octave;
  int finest = 0;
  for (std::size_t e = 0; e < solid.cells(); ++e) {
    const int k = octave(solid.courant * element_step(solid, e), solid.step);
    by_octave[k].push_back(static_cast<std::uint32_t>(e));
    for (const int i : solid.triangles[e])
      if (surface[i]) finest = std::max(finest, k);
  }
  const auto step = [&](int k) { return solid.step * std::exp2(-0.5 * k); };
  for (auto& [k, cells] : by_octave) {
    Clock clock;
    clock.step = step(k);
    std::vector<double> mass(solid.nodes(), 0.0);
    for (const std::uint32_t e : cells)
      for (std::size_t a = 0; a < 3; ++a) mass[solid.triangles[e][a]] += solid.corner_mass[3 * e + a];
    clock.elastic = NodeForces(solid, cells);
    clock.nodes = clock.elastic.nodes();
    for (const int i : clock.nodes) clock.mass.push_back(mass[i]);
    clocks_.push_back(std::move(clock));
  }
  if (!contacts.empty()) {
    Clock clock;
    clock.step = step(finest);
    if (const double spring = contacts.spring_frequency(); spring > 0)
      clock.step = step(std::max(finest, octave(solid.courant * 2 / std::sqrt(spring), solid.step)));
    clock.nodes = contacts.surface_nodes();
    for (std::size_t i = 0; i < u_.size(); ++i) last_[i] = u_[i] - 0.5 * clock.step * v_[i];
    clocks_.push_back(std::move(clock));
  }
  for (Clock& clock : clocks_) set_count(clock, 0);
  look();
}

void PlaneAvi::set_count(Clock& clock, std::int64_t count) const {
  clock.count = count;
  clock.time = solid_.start + (static_cast<double>(count) + 0.5) * clock.step;
}

void PlaneAvi::drift(int i, double t) {
  const double since = t - t_[i];
  if (const int k = hold_of_[i]; k >= 0 && solid_.holds[k].motion >= 0) {
    const std::array<double, 2> to = solid_.motions[solid_.holds[k].motion](t);
    for (int d = 0; d < 2 && since > 0; ++d) {
      const double v = (to[d] - u_[2 * i + d]) / since, J = solid_.mass[i] * (v - v_[2 * i + d]);
      balance_.moving += 0.5 * J * (v + v_[2 * i + d]);
      (d == 0 ? balance_.support.x : balance_.support.y) += J;
      const double other = solid_.X[2 * i + 1 - d] + u_[2 * i + 1 - d];
      balance_.support.angular += d == 0 ? -other * J : other * J;
      v_[2 * i + d] = v;
    }
    u_[2 * i] = to[0];
    u_[2 * i + 1] = to[1];
  } else {
    u_[2 * i] += since * v_[2 * i];
    u_[2 * i + 1] += since * v_[2 * i + 1];
  }
  t_[i] = t;
}

// What a support takes of an impulse is counted.
void PlaneAvi::kick(int i, double x, double y) {
  const auto dv = solid_.mobility(i, x, y);
  v_[2 * i] += dv[0];
  v_[2 * i + 1] += dv[1];
  if (solid_.inverse_mass[i] > 0 && solid_.slide_of[i] < 0) return;
  const double sx = solid_.mass[i] * dv[0] - x, sy = solid_.mass[i] * dv[1] - y;
  balance_.support.x += sx;
  balance_.support.y += sy;
  balance_.support.angular += (solid_.X[2 * i] + u_[2 * i]) * sy - (solid_.X[2 * i + 1] + u_[2 * i + 1]) * sx;
  if (solid_.inverse_mass[i] == 0) balance_.moving += sx * v_[2 * i] + sy * v_[2 * i + 1];
}

void PlaneAvi::elements(Clock& clock) {
  for (const int i : clock.nodes) drift(i, clock.time);
  if (!clock.elastic.find(solid_, team_, u_.data())) refuse_tangled(solid_, u_.data());
  const double dt = clock.step, gx = solid_.gravity[0], gy = solid_.gravity[1];
  double mass = 0, torque = 0;  // of the event: what all events add up to then has the round-off of their number
  for (std::size_t k = 0; k < clock.nodes.size(); ++k) {
    const double m = clock.mass[k], *force = clock.elastic.of(k);
    const int i = clock.nodes[k];
    kick(i, dt * (force[0] + m * gx), dt * (force[1] + m * gy));
    mass += m;
    torque += m * ((solid_.X[2 * i] + u_[2 * i]) * gy - (solid_.X[2 * i + 1] + u_[2 * i + 1]) * gx);
  }
  balance_.gravity.x += dt * mass * gx;
  balance_.gravity.y += dt * mass * gy;
  balance_.gravity.angular += dt * torque;
  updates_ += static_cast<std::int64_t>(clock.elastic.cells());
}

void PlaneAvi::touch(const Clock& clock) {
  for (const int i : clock.nodes) drift(i, clock.time);
  for (const int i : clock.nodes)
    for (int d = 0; d < 2; ++d) way_[2 * i + d] = (u_[2 * i + d] - last_[2 * i + d]) / clock.step;
  work(clock);
  contacts_.search(u_.data(), v_.data(), clock.step, team_);
  for (int k = 0; k < most_corrections && contacts_.deep(by_response); ++k) {
    bring_to(clock.time, at_now_);
    closest_.correct(contacts_, 0, at_now_.data(), v_.data(), balance_, forces_);
    for (const int i : clock.nodes)
      for (int d = 0; d < 2; ++d) u_[2 * i + d] = at_now_[2 * i + d];
    contacts_.search(u_.data(), v_.data(), clock.step, team_);
  }
  contacts_.refuse_held();
  std::vector<NodeContact>& found = contacts_.found();
  before_ = v_;
  for (NodeContact& c : found)
    if (contacts_.pairs()[c.pair].treatment == Treatment::penalty) c.push = {clock.step * contacts_.spring(c), 0};
  respond(clock.step, way_.data());
  v_ = before_;  // again, with what supports take
  for (const int i : clock.nodes)
    for (int d = 0; d < 2; ++d) normal_[2 * i + d] = tangent_[2 * i + d] = 0, last_[2 * i + d] = u_[2 * i + d];
  for (const NodeContact& c : found) {
    ContactForce& f = forces_[c.pair];
    if (!(c.push[0] > 0)) continue;
    f.closed = true;
    f.impulse += c.push[0];
    for (int r = 0; r < 2; ++r) {
      if (c.push[r] == 0) continue;
      for (int j = 0; j < 3; ++j) {
        const int i = c.node[j];
        if (i < 0) continue;
        const double x = c.push[r] * c.row[r][j][0], y = c.push[r] * c.row[r][j][1];
        if (j == 0 || c.of_wall()) f.x += c.side * x, f.y += c.side * y;
        kick(i, x, y);
        std::vector<double>& impulse = r == 0 ? normal_ : tangent_;
        impulse[2 * i] += x;
        impulse[2 * i + 1] += y;
        if (!c.of_wall()) continue;
        balance_.support.x += x;
        balance_.support.y += y;
        balance_.support.angular += (solid_.X[2 * i] + u_[2 * i]) * y - (solid_.X[2 * i + 1] + u_[2 * i + 1]) * x;
      }
    }
  }
  work(clock);
}

// The impulses of an event work over half of the way before it and half of the way after it.
void PlaneAvi::work(const Clock& clock) {
  for (const int i : clock.nodes)
    for (int d = 0; d < 2; ++d) {
      balance_.contact += 0.5 * normal_[2 * i + d] * way_[2 * i + d];
      balance_.friction += 0.5 * tangent_[2 * i + d] * way_[2 * i + d];
    }
}

void PlaneAvi::events(double end) {
  while (true) {
    std::size_t next = 0;
    for (std::size_t k = 1; k < clocks_.size(); ++k)
      if (clocks_[k].time < clocks_[next].time) next = k;
    Clock& clock = clocks_[next];
    if (clock.time > end) return;
    clock.mass.empty() ? touch(clock) : elements(clock);
    set_count(clock, clock.count + 1);
  }
}

void PlaneAvi::advance(double t0, double h) {
  saved_.clear();
  save(saved_);
  for (ContactForce& f : forces_) f = {};
  try {
    events(t0 + h);
    now_ = t0 + h;
    look();
    if (tangled(solid_, team_, at_now_.data())) refuse_tangled(solid_, at_now_.data());  // on its way to the next event
  } catch (const SolverError&) {
    std::span<const double> saved(saved_);
    load(saved);
    throw;
  }
  for (ContactForce& f : forces_) f.force = f.impulse / h;
}

void PlaneAvi::look() {
  bring_to(now_, at_now_);
  contacts_.search(at_now_.data(), v_.data(), solid_.step, team_);
}

void PlaneAvi::bring_to(double t, std::vector<double>& u) const {
  u.resize(u_.size());
  for (std::size_t i = 0; i < solid_.nodes(); ++i)
    for (std::size_t d = 0; d < 2; ++d) u[2 * i + d] = u_[2 * i + d] + (t - t_[i]) * v_[2 * i + d];
  for (const Hold& k : solid_.holds) {
    if (k.motion < 0) continue;
    const std::array<double, 2> to = solid_.motions[k.motion](t);
    u[2 * k.node] = to[0];
    u[2 * k.node + 1] = to[1];
  }
}

Energies PlaneAvi::energies() const {
  Energies e;
  std::vector<double> u;
  bring_to(now_, u);
  for (std::size_t i = 0; i < solid_.nodes(); ++i) {
    const double m = solid_.mass[i];
    e.kinetic += 0.5 * m * (v_[2 * i] * v_[2 * i] + v_[2 * i + 1] * v_[2 * i + 1]);
    e.gravity -= m * (solid_.gravity[0] * u[2 * i] + solid_.gravity[1] * u[2 * i + 1]);
  }
  e.elastic = elastic_energy(solid_, u.data(), u.data());
  return e;
}

void PlaneAvi::save(std::vector<double>& out) const {
  for (const auto* part : {&u_, &v_, &t_, &last_, &normal_, &tangent_}) put(out, *part);
  for (const Clock& clock : clocks_) out.push_back(static_cast<double>(clock.count));
  out.push_back(now_);
  put(out, forces_, balance_, updates_);
}

void PlaneAvi::load(std::span<const double>& in) {
  for (auto* part : {&u_, &v_, &t_, &last_, &normal_, &tangent_}) take(in, *part);
  for (Clock& clock : clocks_) {
    double count[1];
    take(in, count);
    set_count(clock, static_cast<std::int64_t>(count[0]));
  }
  take(in, std::span(&now_, 1));
  take(in, forces_, balance_, updates_);
  look();
}

}  // namespace ricochet::continuum
