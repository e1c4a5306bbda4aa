#include "ricochet/continuum/massless_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/error.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet::continuum {

namespace {

constexpr int most_iterations = 60;

}  // namespace

MasslessSurface::MasslessSurface(const Solid& solid) : solid_(solid), unknowns_of_(solid.nodes(), {-1, -1}) {
  for (std::size_t i = 0; i < solid.nodes(); ++i) {
    if (solid.mass[i] > 0) continue;
    const int node = static_cast<int>(i);
    nodes_.push_back(node);
    const auto add = [&](int k, double x, double y) {
      unknowns_of_[i][k] = static_cast<int>(unknowns_.size());
      unknowns_.push_back({node, {x, y}});
    };
    if (const int s = solid.slide_of[i]; s >= 0)
      add(0, -solid.slides[s].ny, solid.slides[s].nx);
    else
      add(0, 1, 0), add(1, 0, 1);
  }
  if (empty()) return;
  const auto n = static_cast<Eigen::Index>(unknowns_.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t e = 0; e < solid.cells(); ++e) {
    bool mine = false;
    for (const int a : solid.triangles[e])
      for (const int b : solid.triangles[e])
        for (const int p : unknowns_of_[a])
          for (const int q : unknowns_of_[b])
            if (p >= 0 && q >= 0 && p >= q) entries.emplace_back(p, q, 1.0), mine = true;
    if (mine) cells_.push_back(e);
  }
  K_.resize(n, n);
  K_.setFromTriplets(entries.begin(), entries.end());
  factor_.analyzePattern(K_);
}

// The lower half of K and the forces on the unknowns.
void MasslessSurface::assemble(const double* u) {
  std::fill(K_.valuePtr(), K_.valuePtr() + K_.nonZeros(), 0.0);
  force_.setZero(K_.rows());
  for (const std::size_t e : cells_) {
    const CellShape& s = solid_.shapes[e];
    const PlaneLaw& law = solid_.part_of(e).law;
    const Gradient H = solid_.gradient(e, u), P = stress(law, H);
    const Eigen::Matrix4d C = tangent(law, H);
    const double g[3][2] = {{-s.g1x - s.g2x, -s.g1y - s.g2y}, {s.g1x, s.g1y}, {s.g2x, s.g2y}};
    const Triangle& t = solid_.triangles[e];
    for (int a = 0; a < 3; ++a)
      for (const int p : unknowns_of_[t[a]]) {
        if (p < 0) continue;
        const auto& d = unknowns_[p].d;
        const Eigen::Vector4d A(d[0] * g[a][0], d[0] * g[a][1], d[1] * g[a][0], d[1] * g[a][1]);
        force_[p] -= s.area * (P.xx * A[0] + P.xy * A[1] + P.yx * A[2] + P.yy * A[3]);
        const Eigen::Vector4d CA = s.area * (C * A);
        for (int b = 0; b < 3; ++b)
          for (const int q : unknowns_of_[t[b]]) {
            if (q < 0 || q > p) continue;
            const auto& f = unknowns_[q].d;
            K_.coeffRef(p, q) +=
                CA[0] * f[0] * g[b][0] + CA[1] * f[0] * g[b][1] + CA[2] * f[1] * g[b][0] + CA[3] * f[1] * g[b][1];
          }
      }
  }
}

double MasslessSurface::newton(double* u, PlaneContacts& contacts) {
  assemble(u);
  factor_.factorize(K_);
  if (factor_.info() != Eigen::Success || !(factor_.vectorD().minCoeff() > 0))
    throw SolverError("the surface without mass has no stable equilibrium", -1, -1,
                      "try a smaller continuum.courant, or treatment = \"multiplier\"");
  step_ = factor_.solve(force_);
  list_.clear();
  for (NodeContact& c : contacts.found())
    if (contacts.pairs()[c.pair].treatment == Treatment::redistributed) {
      c.push = {0, 0};
      list_.push_back(&c);
    }
  const auto n = static_cast<Eigen::Index>(list_.size());
  rows_.setZero(K_.rows(), n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const NodeContact& c = *list_[static_cast<std::size_t>(k)];
    for (int i = 0; i < 3; ++i) {
      if (c.node[i] < 0) continue;
      for (const int p : unknowns_of_[c.node[i]])
        if (p >= 0) rows_(p, k) += c.row[0][i][0] * unknowns_[p].d[0] + c.row[0][i][1] * unknowns_[p].d[1];
    }
  }
  if (n > 0) {
    moved_ = factor_.solve(rows_);
    problem_.resize(static_cast<int>(n));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) problem_.gram(i, j) = rows_.col(i).dot(moved_.col(j));
      problem_.b(i) = list_[static_cast<std::size_t>(i)]->gap + rows_.col(i).dot(step_);
    }
    problem_.solve();
    for (int i = 0; i < n; ++i) {
      list_[static_cast<std::size_t>(i)]->push[0] = problem_.y(i);
      step_ += problem_.y(i) * moved_.col(i);
    }
  }
  return step_.lpNorm<Eigen::Infinity>();
}

void MasslessSurface::settle(double* u, double* v, const double* from, double h, PlaneContacts& contacts, Team& team) {
  for (int round = 0; round <= most_corrections; ++round) {
    descend(u, v, h, round == 0 ? 2 : 0, contacts, team);
    settled_ = contacts.found();
    for (const int i : nodes_)
      for (int d = 0; d < 2 && from; ++d) v[2 * i + d] = (u[2 * i + d] - from[2 * i + d]) / h;
    contacts.search(u, v, h, team);
    const std::size_t before = settled_.size();
    for (const NodeContact& c : contacts.found()) {
      const auto is_there = [&](const NodeContact& other) { return other.slot == c.slot && other.node == c.node; };
      if (by_equilibrium(contacts.pairs()[c.pair].treatment) && contacts.deep(c) &&
          std::none_of(settled_.begin(), settled_.end(), is_there))
        settled_.push_back(c);
    }
    contacts.found().swap(settled_);
    if (contacts.found().size() == before) return;
  }
}

void MasslessSurface::descend(double* u, const double* v, double h, int searches, PlaneContacts& contacts, Team& team) {
  double least = std::numeric_limits<double>::infinity(), longest = least, size = 0, part = 1;
  int stalls = 0;
  for (const int i : nodes_)
    for (int d = 0; d < 2; ++d) size = std::fmax(size, std::abs(solid_.X[2 * i + d]) + std::abs(u[2 * i + d]));
  for (int k = 0; k < most_iterations; ++k) {
    k < searches ? contacts.search(u, v, h, team) : contacts.refresh(u);
    longest = newton(u, contacts);
    // K is without the curvature of the contacts: where that is large, steps go to and fro. Aitken's part of a step
    // ends that.
    const bool turned = k > 0 && step_.dot(step_before_) < 0;
    part = turned ? part * step_before_.dot(step_before_ - step_) / (step_before_ - step_).squaredNorm() : 1;
    step_before_ = step_;
    for (std::size_t p = 0; p < unknowns_.size(); ++p)
      for (int d = 0; d < 2; ++d)
        u[2 * unknowns_[p].node + d] += part * unknowns_[p].d[d] * step_[static_cast<Eigen::Index>(p)];
    // round-off of positions, or what no longer falls and is small beside a segment
    if (k > 1 && longest <= 4 * epsilon * size) return;
    stalls = longest < least ? 0 : stalls + 1;
    if (k > 1 && stalls > 2 && longest <= 1e-9 * contacts.shortest()) return;
    least = std::fmin(least, longest);
  }
  if (!(longest <= 1e-6 * contacts.shortest()))
    throw SolverError(fmt::format("the surface without mass did not settle in {} iterations", most_iterations),
                      longest / contacts.shortest(), most_iterations,
                      "try a smaller continuum.courant, or treatment = \"multiplier\"");
}

}  // namespace ricochet::continuum
