#include "ricochet/continuum/plane_verlet.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "ricochet/error.hpp"

namespace ricochet::continuum {

namespace {

constexpr std::size_t node_grain = 4096;  // nodes that are worth a thread
constexpr std::int64_t check_every = 8;   // steps between looks at the stable step: what grows, grows slowly at first

}  // namespace

PlaneVerlet::PlaneVerlet(const Solid& solid, PlaneContacts& contacts, unsigned threads)
    : PlaneIntegrator(solid, contacts, threads),
      massless_(solid),
      elastic_(solid),
      u_before_(solid.u),
      held_impulse_(2 * solid.holds.size(), 0.0),
      targets_(solid.motions.size()),
      h_(solid.step),
      total_mass_(std::accumulate(solid.mass.begin(), solid.mass.end(), 0.0)) {
  for (const SolidPart& part : solid.parts) all_linear_ = all_linear_ && is_linear(part.law);
  if (!massless_.empty()) massless_.settle(u_.data(), v_.data(), nullptr, h_, contacts_, team_);
  look(h_);
  before_ = v_;
  kick(-0.5 * h_);  // v^{−½}
  for (const Slide& s : solid.slides) {
    const double across = s.nx * v_[2 * s.node] + s.ny * v_[2 * s.node + 1];
    v_[2 * s.node] -= across * s.nx;
    v_[2 * s.node + 1] -= across * s.ny;
  }
}

void PlaneVerlet::look(double h) {
  search(h);
  forces();
}

void PlaneVerlet::forces() {
  if (!elastic_.find(solid_, team_, u_.data())) refuse_tangled(solid_, u_.data());
}

// Forces of massless surfaces were found when they settled.
void PlaneVerlet::search(double h) {
  std::vector<NodeContact>& found = contacts_.found();
  const auto settled = [&](const NodeContact& c) {
    return contacts_.pairs()[c.pair].treatment == Treatment::redistributed;
  };
  kept_.clear();
  if (!massless_.empty()) std::copy_if(found.begin(), found.end(), std::back_inserter(kept_), settled);
  contacts_.search(u_.data(), v_.data(), h, team_);
  if (massless_.empty()) return;
  std::erase_if(found, settled);
  found.insert(found.end(), kept_.begin(), kept_.end());
}

// The surface without mass goes where it is in equilibrium.
void PlaneVerlet::settle(double h) {
  if (massless_.empty()) return;
  massless_.settle(u_.data(), v_.data(), u_before_.data(), h, contacts_, team_);
}

void PlaneVerlet::kick(double by) {
  const double gx = by * solid_.gravity[0], gy = by * solid_.gravity[1];
  team_.for_each(solid_.nodes(), node_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const double w = by * solid_.inverse_mass[i];
      const double x = elastic_.of(i)[0], y = elastic_.of(i)[1];
      v_[2 * i] = before_[2 * i] + (w == 0 ? 0 : w * x + gx);
      v_[2 * i + 1] = before_[2 * i + 1] + (w == 0 ? 0 : w * y + gy);
    }
  });
}

void PlaneVerlet::advance(double t0, double h) {
  if (!all_linear_ && steps_ % check_every == 0) refuse_unstable(solid_, team_, u_.data(), h);
  const double by = 0.5 * (h_ + h);
  before_.swap(v_);
  bool moved = false;
  const Balance balance = balance_;
  forces_before_ = forces_;
  if (!massless_.empty()) found_before_ = contacts_.found();
  kick(by);
  hold(t0 + h, h);
  if (!contacts_.covers(v_.data(), h, team_)) search(h);
  try {
    push(h, by);
    account(by);
    u_before_.swap(u_);
    moved = true;
    team_.for_each(u_.size(), 2 * node_grain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) u_[i] = u_before_[i] + h * v_[i];
    });
    settle(h);
    search(h);
    for (int k = 0; k < most_corrections && contacts_.deep(by_response); ++k) {
      closest_.correct(contacts_, h, u_.data(), v_.data(), balance_, forces_);
      search(h);
    }
    contacts_.refuse_held();
    forces();
  } catch (const SolverError&) {
    if (moved) u_.swap(u_before_);
    v_ = before_;
    balance_ = balance;
    forces_ = forces_before_;
    if (!massless_.empty()) contacts_.found() = found_before_;
    look(h_);
    throw;
  }
  h_ = h;
  updates_ += static_cast<std::int64_t>(solid_.cells());
  ++steps_;
}

// Prescribed nodes: the velocity that brings them where they must be; edges that slide: none across.
void PlaneVerlet::hold(double t, double h) {
  for (std::size_t k = 0; k < solid_.motions.size(); ++k) targets_[k] = solid_.motions[k](t);
  for (const Hold& k : solid_.holds) {
    if (k.motion < 0) continue;
    for (int d = 0; d < 2; ++d) v_[2 * k.node + d] = (targets_[k.motion][d] - u_[2 * k.node + d]) / h;
  }
  for (const Slide& s : solid_.slides) {
    const double across = s.nx * v_[2 * s.node] + s.ny * v_[2 * s.node + 1];
    const double J = -across * solid_.mass[s.node], x = J * s.nx, y = J * s.ny;
    v_[2 * s.node] -= across * s.nx;
    v_[2 * s.node + 1] -= across * s.ny;
    balance_.support.x += x;
    balance_.support.y += y;
    balance_.support.angular +=
        (solid_.X[2 * s.node] + u_[2 * s.node]) * y - (solid_.X[2 * s.node + 1] + u_[2 * s.node + 1]) * x;
  }
}

// Impulses of the contacts.
void PlaneVerlet::push(double h, double by) {
  std::vector<NodeContact>& found = contacts_.found();
  for (ContactForce& f : forces_) f = {};
  for (NodeContact& c : found) {  // potentials: the force of uⁿ; that of massless surfaces is there already
    const PlanePair& pair = contacts_.pairs()[c.pair];
    if (pair.treatment == Treatment::redistributed) c.push = {by * c.push[0], 0};
    if (pair.treatment != Treatment::penalty) continue;
    c.push = {by * contacts_.spring(c), 0};
    for (int i = 0; i < 3 && c.push[0] > 0; ++i) {
      if (c.node[i] < 0) continue;
      const auto dv = mobility(c.node[i], {c.push[0] * c.row[0][i][0], c.push[0] * c.row[0][i][1]});
      v_[2 * c.node[i]] += dv[0];
      v_[2 * c.node[i] + 1] += dv[1];
    }
  }
  if (!found.empty()) respond(h, before_.data());
}

// Works of what is no potential: impulse times the mean of the velocities before and after.
void PlaneVerlet::account(double by) {
  std::fill(held_impulse_.begin(), held_impulse_.end(), 0.0);
  const auto x_of = [&](std::size_t i) { return solid_.X[2 * i] + u_[2 * i]; };
  const auto y_of = [&](std::size_t i) { return solid_.X[2 * i + 1] + u_[2 * i + 1]; };
  const auto on_support = [&](int i, double x, double y) {
    balance_.support.x += x;
    balance_.support.y += y;
    balance_.support.angular += x_of(i) * y - y_of(i) * x;
  };
  for (const NodeContact& c : contacts_.found()) {
    if (!(c.push[0] > 0)) continue;
    ContactForce& f = forces_[c.pair];
    f.closed = true;
    f.impulse += c.push[0];
    f.force += c.push[0] / by;
    for (int r = 0; r < 2; ++r) {
      if (c.push[r] == 0) continue;
      if (contacts_.pairs()[c.pair].treatment != Treatment::redistributed) {  // whose work is in the elastic energy
        const double work = c.push[r] * 0.5 * (c.rate(r, before_.data()) + c.rate(r, v_.data()));
        (r == 0 ? balance_.contact : balance_.friction) += work;
      }
      for (int i = 0; i < 3; ++i) {
        if (c.node[i] < 0) continue;
        const double x = c.push[r] * c.row[r][i][0], y = c.push[r] * c.row[r][i][1];
        if (i == 0 || c.of_wall()) f.x += c.side * x, f.y += c.side * y;
        if (c.of_wall()) on_support(c.node[i], x, y);
        if (const int k = hold_of_[c.node[i]]; k >= 0) held_impulse_[2 * k] += x, held_impulse_[2 * k + 1] += y;
        if (const int k = solid_.slide_of[c.node[i]]; k >= 0) {
          const Slide& s = solid_.slides[k];
          const double across = s.nx * x + s.ny * y;
          on_support(c.node[i], -across * s.nx, -across * s.ny);
        }
      }
    }
  }
  for (std::size_t k = 0; k < solid_.holds.size(); ++k) {
    const int i = solid_.holds[k].node;
    const double* force = elastic_.of(i);
    double J[2];
    for (int d = 0; d < 2; ++d) {
      const double before = before_[2 * i + d], after = v_[2 * i + d];
      J[d] = solid_.mass[i] * (after - before) - by * (force[d] + solid_.mass[i] * solid_.gravity[d]) -
             held_impulse_[2 * k + d];
      balance_.moving += J[d] * 0.5 * (before + after);
    }
    on_support(i, J[0], J[1]);
  }
  for (const Slide& s : solid_.slides) {  // what an edge without mass is held by
    if (solid_.mass[s.node] > 0) continue;
    const double* force = elastic_.of(s.node);
    const double across = -by * (s.nx * force[0] + s.ny * force[1]);
    on_support(s.node, across * s.nx, across * s.ny);
  }
  const double gx = by * solid_.gravity[0], gy = by * solid_.gravity[1];
  balance_.gravity.x += gx * total_mass_;
  balance_.gravity.y += gy * total_mass_;
  if (gx == 0 && gy == 0) return;
  // in blocks that no thread changes: the same sum for any number of them
  torques_.resize((solid_.nodes() + node_grain - 1) / node_grain);
  team_.for_each(torques_.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) {
      double sum = 0;
      for (std::size_t i = b * node_grain; i < std::min(solid_.nodes(), (b + 1) * node_grain); ++i)
        sum += solid_.mass[i] * (x_of(i) * gy - y_of(i) * gx);
      torques_[b] = sum;
    }
  });
  for (const double torque : torques_) balance_.gravity.angular += torque;
}

Energies PlaneVerlet::energies() const {
  Energies e;
  std::vector<double> before(u_.size());
  for (std::size_t i = 0; i < u_.size(); ++i) before[i] = u_[i] - h_ * v_[i];
  for (std::size_t i = 0; i < solid_.nodes(); ++i) {
    const double m = solid_.mass[i];
    e.kinetic += 0.5 * m * (v_[2 * i] * v_[2 * i] + v_[2 * i + 1] * v_[2 * i + 1]);
    for (int d = 0; d < 2; ++d) e.gravity -= m * solid_.gravity[d] * (u_[2 * i + d] - 0.5 * h_ * v_[2 * i + d]);
  }
  e.elastic = elastic_energy(solid_, u_.data(), before.data());
  return e;
}

void PlaneVerlet::save(std::vector<double>& out) const {
  put(out, u_);
  put(out, v_);
  out.push_back(h_);
  out.push_back(static_cast<double>(steps_));
  put(out, forces_, balance_, updates_);
  if (massless_.empty()) return;
  std::vector<NodeContact>& found = contacts_.found();
  out.push_back(static_cast<double>(found.size()));
  for (const NodeContact& c : found) {
    for (const double x : {double(c.pair), c.side, c.length, double(c.slot), c.gap, c.push[0]}) out.push_back(x);
    for (int i = 0; i < 3; ++i) {
      out.push_back(c.node[i]);
      for (int r = 0; r < 2; ++r) out.insert(out.end(), c.row[r][i].begin(), c.row[r][i].end());
    }
  }
}

void PlaneVerlet::load(std::span<const double>& in) {
  take(in, u_);
  take(in, v_);
  double x[2];
  take(in, x);
  h_ = x[0];
  steps_ = static_cast<std::int64_t>(x[1]);
  take(in, forces_, balance_, updates_);
  if (!massless_.empty()) {
    double count[1];
    take(in, count);
    std::vector<NodeContact>& found = contacts_.found();
    found.assign(static_cast<std::size_t>(count[0]), {});
    for (NodeContact& c : found) {
      double y[6];
      take(in, y);
      c.pair = static_cast<int>(y[0]);
      c.side = y[1], c.length = y[2], c.slot = static_cast<std::size_t>(y[3]), c.gap = y[4], c.push = {y[5], 0};
      for (int i = 0; i < 3; ++i) {
        double z[5];
        take(in, z);
        c.node[i] = static_cast<int>(z[0]);
        c.row[0][i] = {z[1], z[2]};
        c.row[1][i] = {z[3], z[4]};
      }
    }
  }
  look(h_);
}

}  // namespace ricochet::continuum
