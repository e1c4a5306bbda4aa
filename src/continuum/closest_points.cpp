#include "ricochet/continuum/closest_points.hpp"

#include <algorithm>

#include "ricochet/continuum/cell_forces.hpp"

namespace ricochet::continuum {

ClosestPoints::ClosestPoints(const Solid& solid) : solid_(solid) {}

double ClosestPoints::energy(const double* u, const double* v, double back) {
  double sum = 0;
  for (const int i : nodes_)
    for (int d = 0; d < 2; ++d)
      sum += solid_.mass[i] *
             (0.5 * v[2 * i + d] * v[2 * i + d] - solid_.gravity[d] * (u[2 * i + d] - 0.5 * back * v[2 * i + d]));
  for (const std::size_t e : cells_)
    for (const int i : solid_.triangles[e])
      for (int d = 0; d < 2; ++d) behind_[2 * i + d] = u[2 * i + d] - back * v[2 * i + d];
  for (const std::size_t e : cells_) sum += elastic_energy(solid_, e, u, behind_.data());
  return sum;
}

void ClosestPoints::correct(PlaneContacts& contacts, double back, double* u, double* v, Balance& balance,
                            std::span<ContactForce> forces) {
  list_.clear();
  for (const NodeContact& c : contacts.found()) {
    if (!by_response(contacts.pairs()[c.pair].treatment)) continue;
    list_.push_back(c);
    list_.back().friction = list_.back().restitution = 0;
  }
  moved_.assign(2 * solid_.nodes(), 0.0);
  behind_.resize(2 * solid_.nodes());
  const auto mobility = [&](int node, const std::array<double, 2>& J) { return solid_.mobility(node, J[0], J[1]); };
  response_.solve(list_, 1.0, moved_.data(), moved_.data(), mobility, [](const NodeContact&) { return true; });
  std::erase_if(list_, [](const NodeContact& c) { return !(c.push[0] > 0); });
  nodes_.clear();
  cells_.clear();
  for (const NodeContact& c : list_)
    for (const int i : c.node)
      if (i >= 0) nodes_.push_back(i);
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  for (const int i : nodes_)
    for (std::size_t k = solid_.first_corner[i]; k < solid_.first_corner[i + 1]; ++k)
      cells_.push_back(solid_.corners[k] / 3);
  std::sort(cells_.begin(), cells_.end());
  cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());

  balance.contact -= energy(u, v, back);
  turn_.clear();  // what each contact adds to the angular momentum
  for (const NodeContact& c : list_) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const int i = c.node[k];
      if (i < 0) continue;
      const auto d = mobility(i, {c.push[0] * c.row[0][k][0], c.push[0] * c.row[0][k][1]});
      sum += solid_.mass[i] * (d[0] * v[2 * i + 1] - d[1] * v[2 * i]);
    }
    turn_.push_back(sum);
  }
  for (const int i : nodes_)
    for (int d = 0; d < 2; ++d) u[2 * i + d] += moved_[2 * i + d];
  const auto free = [&](int i) { return i >= 0 && solid_.inverse_mass[i] > 0 && solid_.slide_of[i] < 0; };
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const NodeContact& c = list_[k];
    if (!std::all_of(c.node.begin(), c.node.end(), free)) {
      balance.support.angular += turn_[k];
      continue;
    }
    double x[3], y[3], mass = 0, cx = 0, cy = 0, inertia = 0;
    for (int j = 0; j < 3; ++j) {
      const int i = c.node[j];
      const double m = solid_.mass[i];
      x[j] = solid_.X[2 * i] + u[2 * i];
      y[j] = solid_.X[2 * i + 1] + u[2 * i + 1];
      mass += m, cx += m * x[j], cy += m * y[j];
    }
    for (int j = 0; j < 3; ++j) {
      x[j] -= cx / mass;
      y[j] -= cy / mass;
      inertia += solid_.mass[c.node[j]] * (x[j] * x[j] + y[j] * y[j]);
    }
    const double spin = -turn_[k] / inertia;
    for (int j = 0; j < 3; ++j) {
      v[2 * c.node[j]] -= spin * y[j];
      v[2 * c.node[j] + 1] += spin * x[j];
    }
    forces[c.pair].x -= c.side * solid_.mass[c.node[0]] * spin * y[0];
    forces[c.pair].y += c.side * solid_.mass[c.node[0]] * spin * x[0];
  }
  balance.contact += energy(u, v, back);
}

}  // namespace ricochet::continuum
