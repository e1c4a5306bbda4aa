#include "ricochet/continuum/plane_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ricochet/continuum/mesh.hpp"

namespace ricochet::continuum {

namespace {

// Two triangles of a cell with corners a b (below), d c (above).
void add_cell(PlaneMesh& mesh, int a, int b, int c, int d, bool rising) {
  if (rising) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  } else {
    mesh.triangles.push_back({a, b, d});
    mesh.triangles.push_back({b, c, d});
  }
}

}  // namespace

PlaneMesh make_mesh(const BoxShape& s) {
  PlaneMesh mesh;
  const int nx = static_cast<int>(s.cells[0]), ny = static_cast<int>(s.cells[1]);
  const std::vector<double> x = node_positions({s.from[0], s.size[0], nx, s.grading[0]}),
                            y = node_positions({s.from[1], s.size[1], ny, s.grading[1]});
  const auto node = [&](int i, int j) { return j * (nx + 1) + i; };
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) mesh.X.insert(mesh.X.end(), {x[i], y[j]});
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      add_cell(mesh, node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1), (i + j) % 2 == 0);
  mesh.edges = {{"left", {}}, {"right", {}}, {"bottom", {}}, {"top", {}}};
  for (int j = 0; j < ny; ++j) {
    mesh.edges[0].segments.push_back({node(0, j + 1), node(0, j)});
    mesh.edges[1].segments.push_back({node(nx, j), node(nx, j + 1)});
  }
  for (int i = 0; i < nx; ++i) {
    mesh.edges[2].segments.push_back({node(i, 0), node(i + 1, 0)});
    mesh.edges[3].segments.push_back({node(i + 1, ny), node(i, ny)});
  }
  return mesh;
}

PlaneMesh make_mesh(const DiscShape& s) {
  PlaneMesh mesh;
  const int n = static_cast<int>(s.cells);
  const auto first = [](int ring) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1); };  // node of a ring
  mesh.X = {s.center[0], s.center[1]};
  for (int k = 1; k <= n; ++k)
    for (int i = 0; i < 6 * k; ++i) {
      const double r = s.radius * k / n, angle = std::numbers::pi * i / (3.0 * k);
      mesh.X.insert(mesh.X.end(), {s.center[0] + r * std::cos(angle), s.center[1] + r * std::sin(angle)});
    }
  for (int k = 1; k <= n; ++k)
    for (int sector = 0; sector < 6; ++sector)
      for (int i = 0; i < k; ++i) {
        const auto outer = [&](int j) { return first(k) + (sector * k + j) % (6 * k); };
        const auto inner = [&](int j) { return k == 1 ? 0 : first(k - 1) + (sector * (k - 1) + j) % (6 * (k - 1)); };
        mesh.triangles.push_back({inner(i), outer(i), outer(i + 1)});
        if (i + 1 < k) mesh.triangles.push_back({inner(i), outer(i + 1), inner(i + 1)});
      }
  mesh.edges = {{"outer", {}}};
  for (int i = 0; i < 6 * n; ++i) mesh.edges[0].segments.push_back({first(n) + i, first(n) + (i + 1) % (6 * n)});
  return mesh;
}

PlaneMesh make_mesh(const RingShape& s) {
  PlaneMesh mesh;
  const int n = static_cast<int>(s.cells);
  const double cell = (s.radius - s.inner) / n;
  // an even number, so that the diagonals go to and fro without a seam
  const int around =
      s.around > 0
          ? static_cast<int>(s.around)
          : 2 * std::max(4, static_cast<int>(std::lround(std::numbers::pi * 0.5 * (s.radius + s.inner) / cell)));
  const auto node = [&](int k, int i) { return k * around + i % around; };
  for (int k = 0; k <= n; ++k)
    for (int i = 0; i < around; ++i) {
      const double r = s.inner + (s.radius - s.inner) * k / n, angle = 2 * std::numbers::pi * i / around;
      mesh.X.insert(mesh.X.end(), {s.center[0] + r * std::cos(angle), s.center[1] + r * std::sin(angle)});
    }
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < around; ++i)
      add_cell(mesh, node(k, i), node(k + 1, i), node(k + 1, i + 1), node(k, i + 1), (i + k) % 2 == 0);
  mesh.edges = {{"inner", {}}, {"outer", {}}};
  for (int i = 0; i < around; ++i) {
    mesh.edges[0].segments.push_back({node(0, i + 1), node(0, i)});
    mesh.edges[1].segments.push_back({node(n, i), node(n, i + 1)});
  }
  return mesh;
}

std::vector<Segment> boundary(const std::vector<Triangle>& triangles) {
  struct Side {
    Segment ends;  // sorted
    std::size_t triangle;
    int k;
  };
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      sides.push_back({{std::min(a, b), std::max(a, b)}, t, k});
    }
  const auto by_ends = [](const Side& a, const Side& b) {
    return a.ends != b.ends ? a.ends < b.ends : a.triangle < b.triangle;
  };
  std::sort(sides.begin(), sides.end(), by_ends);
  std::vector<Side> alone;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t j = i;
    while (j < sides.size() && sides[j].ends == sides[i].ends) ++j;
    if (j - i == 1) alone.push_back(sides[i]);
    i = j;
  }
  std::sort(alone.begin(), alone.end(), [](const Side& a, const Side& b) {
    return a.triangle != b.triangle ? a.triangle < b.triangle : a.k < b.k;
  });
  std::vector<Segment> result;
  result.reserve(alone.size());
  for (const Side& s : alone) result.push_back({triangles[s.triangle][s.k], triangles[s.triangle][(s.k + 1) % 3]});
  return result;
}

std::string defect(const PlaneMesh& mesh) {
  const auto nodes = static_cast<int>(mesh.nodes());
  const auto place = [&](int i) { return fmt::format("({:.6g}, {:.6g})", mesh.X[2 * i], mesh.X[2 * i + 1]); };
  if (mesh.triangles.empty()) return "there is no triangle";
  for (int i = 0; i < nodes; ++i)
    if (!std::isfinite(mesh.X[2 * i]) || !std::isfinite(mesh.X[2 * i + 1]))
      return fmt::format("node {} is at no finite place", i + 1);
  std::vector<int> used(mesh.nodes(), 0);
  std::vector<std::array<int, 3>> sides;  // ends and triangle
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& c = mesh.triangles[t];
    for (const int i : c)
      if (i < 0 || i >= nodes)
        return fmt::format("element {} has node {}, but there are {} nodes", t + 1, i + 1, nodes);
    const double *a = &mesh.X[2 * c[0]], *b = &mesh.X[2 * c[1]], *d = &mesh.X[2 * c[2]];
    const double e[4] = {b[0] - a[0], b[1] - a[1], d[0] - a[0], d[1] - a[1]}, twice = e[0] * e[3] - e[1] * e[2],
                 size = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    if (!(twice > 1e-12 * size))
      return fmt::format("element {} at {} is {}: twice its area is {:.4g}", t + 1, place(c[0]),
                         twice < -1e-12 * size ? "turned inside out" : "degenerate", twice);
    if (!std::isfinite(size)) return fmt::format("element {} at {} is too large for numbers", t + 1, place(c[0]));
    for (int k = 0; k < 3; ++k) {
      used[c[k]] = 1;
      sides.push_back({std::min(c[k], c[(k + 1) % 3]), std::max(c[k], c[(k + 1) % 3]), static_cast<int>(t)});
    }
  }
  for (int i = 0; i < nodes; ++i)
    if (!used[i]) return fmt::format("node {} at {} belongs to no element", i + 1, place(i));
  std::sort(sides.begin(), sides.end());
  for (std::size_t i = 0; i + 2 < sides.size(); ++i)
    if (sides[i][0] == sides[i + 2][0] && sides[i][1] == sides[i + 2][1])
      return fmt::format("three elements ({}, {}, {}) meet at the side from {} to {}", sides[i][2] + 1,
                         sides[i + 1][2] + 1, sides[i + 2][2] + 1, place(sides[i][0]), place(sides[i][1]));
  std::vector<int> begins(mesh.nodes(), 0), ends(mesh.nodes(), 0);
  for (const Segment& s : boundary(mesh.triangles)) {
    if (++begins[s[0]] > 1) return fmt::format("the boundary touches itself in node {} at {}", s[0] + 1, place(s[0]));
    if (++ends[s[1]] > 1) return fmt::format("the boundary touches itself in node {} at {}", s[1] + 1, place(s[1]));
  }
  return "";
}

}  // namespace ricochet::continuum
