#pragma once
// Exact billiards, for tests: domains made of half planes and discs by union and intersection, and a particle in them
// that flies on parabolas (or straight) and is reflected by hand. The geometry is that of segments and arcs with their
// ends; formulas of gaps are only written down for the program under test.
//
// What is known of a flight: bounds of the error of position and velocity that round-off has grown to, by the
// linearised motion: flights add t δv to δq, an impact on a wall adds 2|a_n|/|v_n| δq to δv, on an arc also
// 2|v|²/(R|v_n|) δq. The motion is comparable until these are no longer small, or until a vertex or a tangent wall is
// nearer than they are.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "ricochet/mechanics/model.hpp"

namespace ricochet::billiard {

using Vector = std::array<double, 2>;
inline double dot(Vector a, Vector b) { return a[0] * b[0] + a[1] * b[1]; }
inline Vector along(Vector a, double s, Vector b) { return {a[0] + s * b[0], a[1] + s * b[1]}; }
inline Vector minus(Vector a, Vector b) { return {a[0] - b[0], a[1] - b[1]}; }
inline double norm(Vector a) { return std::hypot(a[0], a[1]); }

// A set of the plane. Half plane: n·x >= c; disc: |x − n| <= c; hole: its outside.
struct Shape {
  enum class Kind { half_plane, disc, hole, intersection, join } kind;
  Vector n{};
  double c = 0;
  double factor = 1;     // of the gap: what is written down need not be a distance
  bool squared = false;  // gap c − |x − n|²/c instead of c − |x − n|
  std::vector<Shape> children{};

  bool contains(Vector x) const {
    if (kind == Kind::half_plane) return dot(n, x) >= c;
    if (kind == Kind::disc) return norm(minus(x, n)) <= c;
    if (kind == Kind::hole) return norm(minus(x, n)) >= c;
    for (const Shape& child : children)
      if (child.contains(x) != (kind == Kind::intersection)) return kind == Kind::join;
    return kind == Kind::intersection;
  }
  Expr gap(Expr x, Expr y) const {
    if (kind == Kind::half_plane) return factor * (n[0] * x + n[1] * y - c);
    if (kind == Kind::disc || kind == Kind::hole) {
      const Expr d2 = square(x - n[0]) + square(y - n[1]);
      const Expr inside = squared ? c - d2 / c : c - sqrt(d2);
      return factor * (kind == Kind::disc ? inside : -inside);
    }
    Expr all = children[0].gap(x, y);
    for (std::size_t k = 1; k < children.size(); ++k) {
      const Expr other = children[k].gap(x, y);
      all = kind == Kind::intersection ? min(all, other) : max(all, other);
    }
    return all;
  }
  void leaves(std::vector<const Shape*>& list) const {
    if (children.empty()) list.push_back(this);
    for (const Shape& child : children) child.leaves(list);
  }
};

// A part of a line or circle that bounds the domain, from parameter u0 to u1: length along the line, angle on the
// circle.
struct Wall {
  int leaf;
  bool arc;
  Vector n;  // of a line: the inner normal; of a circle: its centre
  double c;  // n·x = c, or the radius
  double u0, u1;

  double parameter(Vector x) const {
    if (!arc) return x[1] * n[0] - x[0] * n[1];
    double u = std::atan2(x[1] - n[1], x[0] - n[0]);
    while (u < u0) u += 2 * M_PI;
    return u - u1 > u0 + 2 * M_PI - u ? u - 2 * M_PI : u;  // nearer to u0 than to u1: before it
  }
  Vector point(double u) const {
    if (arc) return {n[0] + c * std::cos(u), n[1] + c * std::sin(u)};
    return {c * n[0] - u * n[1], c * n[1] + u * n[0]};
  }
  Vector normal(Vector x) const { return arc ? Vector{(x[0] - n[0]) / c, (x[1] - n[1]) / c} : n; }
  double scale() const { return arc ? c : 1; }  // length of a unit of the parameter
};

// The walls of a domain: each line and circle is cut by all others, and what has the domain on one side only is kept.
inline std::vector<Wall> walls_of(const Shape& domain, double extent) {
  std::vector<const Shape*> leaves;
  domain.leaves(leaves);
  std::vector<Wall> walls;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const Shape& a = *leaves[k];
    const bool arc = a.kind != Shape::Kind::half_plane;
    Wall whole{static_cast<int>(k), arc, a.n, a.c, arc ? -M_PI : -4 * extent, arc ? M_PI : 4 * extent};
    std::vector<double> cuts{whole.u0, whole.u1};
    for (const Shape* b : leaves) {
      if (b == &a) continue;
      const bool round = b->kind != Shape::Kind::half_plane;
      // points of curve a on curve b
      if (!arc && !round) {
        const double cross = a.n[0] * b->n[1] - a.n[1] * b->n[0];
        if (std::abs(cross) > 1e-12) cuts.push_back((b->c - a.c * dot(a.n, b->n)) / cross);
      } else if (!arc || !round) {
        const Shape &line = arc ? *b : a, &circle = arc ? a : *b;
        const double d = line.c - dot(line.n, circle.n), half = circle.c * circle.c - d * d;
        if (half <= 0) continue;
        for (const double sign : {-1.0, 1.0}) {
          const double u = sign * std::sqrt(half);
          cuts.push_back(whole.parameter(along(along(circle.n, d, line.n), u, {-line.n[1], line.n[0]})));
        }
      } else {
        const Vector to = minus(b->n, a.n);
        const double D = norm(to), x = (D * D + a.c * a.c - b->c * b->c) / (2 * D);
        if (D == 0 || std::abs(x) >= a.c) continue;
        for (const double sign : {-1.0, 1.0})
          cuts.push_back(
              whole.parameter(along(a.n, 1,
                                    {a.c * std::cos(std::atan2(to[1], to[0]) + sign * std::acos(x / a.c)),
                                     a.c * std::sin(std::atan2(to[1], to[0]) + sign * std::acos(x / a.c))})));
      }
    }
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      whole.u0 = cuts[i], whole.u1 = cuts[i + 1];
      if (whole.u1 <= whole.u0) continue;
      const Vector x = whole.point((whole.u0 + whole.u1) / 2), n = whole.normal(x);
      const double off = 1e-7 * (whole.u1 - whole.u0) * whole.scale();
      if (domain.contains(along(x, off, n)) != domain.contains(along(x, -off, n))) walls.push_back(whole);
    }
  }
  return walls;
}

struct Particle {
  double t = 0;
  Vector q, v, a{};       // constant acceleration
  int last = -1;          // the leaf that it was reflected by
  double h = 1;           // of the method that is compared: each of its steps rounds once
  double dq = 0, dv = 0;  // bounds of what round-off may have grown to
};

struct Hit {
  double t = 0;
  Vector q, v_before, v_after;
  int leaf = -1;
  double dt = 0, dq = 0, dv = 0;  // comparable to these
};

// Advances to the next wall and reflects with restitution e. Nothing: the motion is no longer known, because a vertex
// or a tangent point is nearer than `corner` or the error.
inline std::optional<Hit> next_hit(const std::vector<Wall>& walls, double e, double corner, double size, Particle& p) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double best = std::numeric_limits<double>::infinity();
  const Wall* wall = nullptr;
  double doubtful = best;
  for (const Wall& w : walls) {
    // A t² + 2 B t + C = 0: times on the curve of the wall
    double A, B, C;
    if (w.arc) {  // straight flight only
      const Vector r = minus(p.q, w.n);
      A = dot(p.v, p.v), B = dot(r, p.v), C = w.leaf == p.last ? 0 : (norm(r) - w.c) * (norm(r) + w.c);
    } else {
      A = dot(w.n, p.a) / 2, B = dot(w.n, p.v) / 2, C = w.leaf == p.last ? 0 : dot(w.n, p.q) - w.c;
    }
    std::array<double, 2> roots{-1, -1};
    const double D = B * B - A * C;
    if (w.leaf == p.last) {
      if (A != 0) roots[0] = -2 * B / A;
    } else if (A == 0) {
      if (B != 0) roots[0] = -C / (2 * B);
    } else if (D >= 0) {
      const double s = -B - std::copysign(std::sqrt(D), B);
      roots = {s / A, s != 0 ? C / s : -1};
    }
    const double turn = A != 0 ? -B / A : -1;
    for (double t : {roots[0], roots[1], turn}) {
      if (!(t > 0)) continue;
      const Vector x = along(along(p.q, t, p.v), t * t / 2, p.a);
      const double slack = corner + 1e3 * (p.dq + t * p.dv + eps * size), u = w.parameter(x);
      const double before = (u - w.u0) * w.scale(), after = (w.u1 - u) * w.scale();
      if (before < -slack || after < -slack) continue;
      if (t == turn && t != roots[0] && t != roots[1]) {
        const double miss = w.arc ? norm(minus(x, w.n)) - w.c : dot(w.n, x) - w.c;
        if (std::abs(miss) < slack) doubtful = std::fmin(doubtful, t);
        continue;
      }
      if (before < slack || after < slack) doubtful = std::fmin(doubtful, t);
      if (before >= 0 && after >= 0 && t < best) best = t, wall = &w;
    }
  }
  if (wall == nullptr || doubtful <= best * (1 + 1e-9)) return {};
  const double t = best;
  Hit hit;
  p.t += t;
  p.q = along(along(p.q, t, p.v), t * t / 2, p.a);
  p.v = along(p.v, t, p.a);
  const double roundings = 4 + t / p.h;
  if (norm(p.a) > 0) p.dv += eps * roundings * (norm(p.v) + t * norm(p.a));
  p.dq += t * p.dv + eps * roundings * size;
  const Vector n = wall->normal(p.q);
  const double c = dot(n, p.v), cosine = std::abs(c) / norm(p.v);
  hit.t = p.t, hit.q = p.q, hit.v_before = p.v, hit.leaf = wall->leaf;
  p.dq += 4 * eps * size / cosine;
  p.dv += 2 * (std::abs(dot(n, p.a)) / std::abs(c) + (wall->arc ? norm(p.v) / (wall->c * cosine) : 0)) * p.dq +
          8 * eps * norm(p.v);
  hit.dq = p.dq / cosine;
  hit.dt = hit.dq / norm(p.v) + eps * p.t;
  hit.dv = p.dv + norm(p.a) * hit.dt;
  p.v = along(p.v, -(1 + e) * c, n);
  hit.v_after = p.v;
  p.last = wall->leaf;
  if (cosine < 1e-5) return {};
  return hit;
}

}  // namespace ricochet::billiard
