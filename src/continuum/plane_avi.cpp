#include "ricochet/continuum/plane_avi.hpp"

#include <fmt/format.h>

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
    : solid_(solid),
      contacts_(contacts),
      closest_(solid),
      team_(threads),
      u_(solid.u),
      v_(solid.v),
      t_(solid.nodes(), solid.start),
      settled_(solid.v),
      f_(6 * solid.cells(), 0.0),
      hold_of_(solid.nodes(), -1),
      forces_(contacts.pairs().size()),
      now_(solid.start) {
  for (std::size_t k = 0; k < solid.holds.size(); ++k) hold_of_[solid.holds[k].node] = static_cast<int>(k);
  std::vector<char> surface(solid.nodes(), 0);
  for (const int i : contacts.surface_nodes()) surface[i] = 1;
  std::map<int, Clock> by_octave;
  int finest = 0;
  for (std::size_t e = 0; e < solid.cells(); ++e) {
    const int k = octave(solid.courant * element_step(solid, e), solid.step);
    by_octave[k].cells.push_back(e);
    for (const int i : solid.triangles[e])
      if (surface[i]) finest = std::max(finest, k);
  }
  const auto step = [&](int k) { return solid.step * std::exp2(-0.5 * k); };
  for (auto& [k, clock] : by_octave) {
    clock.step = step(k);
    std::map<int, std::vector<std::size_t>> corners;
    for (const std::size_t e : clock.cells)
      for (std::size_t a = 0; a < 3; ++a) corners[solid.triangles[e][a]].push_back(3 * e + a);
    clock.first.push_back(0);
    for (const auto& [node, list] : corners) {
      clock.nodes.push_back(node);
      clock.corners.insert(clock.corners.end(), list.begin(), list.end());
      clock.first.push_back(clock.corners.size());
    }
    clocks_.push_back(std::move(clock));
  }
  if (!contacts.empty()) {
    Clock clock;
    clock.step = step(finest);
    if (const double spring = contacts.spring_frequency(); spring > 0)
      clock.step = step(std::max(finest, octave(solid.courant * 2 / std::sqrt(spring), solid.step)));
    clock.nodes = contacts.surface_nodes();
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

void PlaneAvi::elements(const Clock& clock) {
  for (const int i : clock.nodes) drift(i, clock.time);
  if (!corner_forces(solid_, team_, clock.cells, u_.data(), f_.data())) refuse_tangled(solid_, u_.data());
  const double dt = clock.step, gx = solid_.gravity[0], gy = solid_.gravity[1];
  for (std::size_t k = 0; k < clock.nodes.size(); ++k) {
    double x = 0, y = 0, m = 0;
    for (std::size_t c = clock.first[k]; c < clock.first[k + 1]; ++c) {
      x += f_[2 * clock.corners[c]];
      y += f_[2 * clock.corners[c] + 1];
      m += solid_.corner_mass[clock.corners[c]];
    }
    const int i = clock.nodes[k];
    kick(i, dt * (x + m * gx), dt * (y + m * gy));
    balance_.gravity.x += dt * m * gx;
    balance_.gravity.y += dt * m * gy;
    balance_.gravity.angular +=
        dt * m * ((solid_.X[2 * i] + u_[2 * i]) * gy - (solid_.X[2 * i + 1] + u_[2 * i + 1]) * gx);
  }
  updates_ += static_cast<std::int64_t>(clock.cells.size());
}

void PlaneAvi::touch(const Clock& clock) {
  for (const int i : clock.nodes) drift(i, clock.time);
  contacts_.search(u_.data(), v_.data(), clock.step, team_);
  for (int k = 0; k < most_corrections && contacts_.deep(); ++k) {
    bring_to(clock.time, at_now_);
    closest_.correct(contacts_, 0, at_now_.data(), v_.data(), balance_, forces_);
    for (const int i : clock.nodes)
      for (int d = 0; d < 2; ++d) u_[2 * i + d] = at_now_[2 * i + d];
    contacts_.search(u_.data(), v_.data(), clock.step, team_);
  }
  std::vector<NodeContact>& found = contacts_.found();
  before_ = v_;
  const auto mobility = [&](int node, const std::array<double, 2>& J) { return solid_.mobility(node, J[0], J[1]); };
  const auto spring = [&](const NodeContact& c) { return contacts_.pairs()[c.pair].treatment == Treatment::penalty; };
  for (NodeContact& c : found)
    if (spring(c)) c.push = {c.gap < 0 ? -clock.step * contacts_.pairs()[c.pair].stiffness * c.length * c.gap : 0, 0};
  response_.solve(found, clock.step, settled_.data(), v_.data(), mobility,
                  [&](const NodeContact& c) { return !spring(c); });
  if (response_.residual > response_limit)
    throw SolverError(
        fmt::format("the impulses of {} contacts did not settle in {} sweeps", found.size(), response_.sweeps),
        response_.residual, response_.sweeps, "try a smaller continuum.courant or less friction");
  v_ = before_;  // again, with what supports take
  for (const NodeContact& c : found) {
    ContactForce& f = forces_[c.pair];
    if (!(c.push[0] > 0)) continue;
    f.closed = true;
    f.impulse += c.push[0];
    for (int r = 0; r < 2; ++r) {
      if (c.push[r] == 0) continue;
      f.x += c.side * c.push[r] * c.row[r][0][0];
      f.y += c.side * c.push[r] * c.row[r][0][1];
      for (int i = 0; i < 3; ++i)
        if (c.node[i] >= 0) kick(c.node[i], c.push[r] * c.row[r][i][0], c.push[r] * c.row[r][i][1]);
      if (c.node[1] >= 0) continue;
      const double x = c.push[r] * c.row[r][0][0], y = c.push[r] * c.row[r][0][1];
      const int i = c.node[0];
      balance_.support.x += x;
      balance_.support.y += y;
      balance_.support.angular += (solid_.X[2 * i] + u_[2 * i]) * y - (solid_.X[2 * i + 1] + u_[2 * i + 1]) * x;
    }
  }
  for (const NodeContact& c : found)
    for (int r = 0; r < 2 && c.push[0] > 0; ++r)
      (r == 0 ? balance_.contact : balance_.friction) +=
          c.push[r] * 0.5 * (c.rate(r, settled_.data()) + c.rate(r, v_.data()));
  for (const int i : clock.nodes)
    for (int d = 0; d < 2; ++d) settled_[2 * i + d] = v_[2 * i + d];
}

void PlaneAvi::events(double end) {
  while (true) {
    std::size_t next = 0;
    for (std::size_t k = 1; k < clocks_.size(); ++k)
      if (clocks_[k].time < clocks_[next].time) next = k;
    Clock& clock = clocks_[next];
    if (clock.time > end) return;
    clock.cells.empty() ? touch(clock) : elements(clock);
    set_count(clock, clock.count + 1);
  }
}

void PlaneAvi::advance(double t0, double h) {
  saved_.clear();
  save(saved_);
  for (ContactForce& f : forces_) f = {};
  try {
    events(t0 + h);
  } catch (const SolverError&) {
    std::span<const double> saved(saved_);
    load(saved);
    throw;
  }
  for (ContactForce& f : forces_) f.force = f.impulse / h;
  now_ = t0 + h;
  look();
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
  for (const auto* part : {&u_, &v_, &t_, &settled_}) put(out, *part);
  for (const Clock& clock : clocks_) out.push_back(static_cast<double>(clock.count));
  out.push_back(now_);
  put(out, forces_, balance_, updates_);
}

void PlaneAvi::load(std::span<const double>& in) {
  for (auto* part : {&u_, &v_, &t_, &settled_}) take(in, *part);
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
