#pragma once
// Random domains for billiards: convex polygons, obstacles, unions of rooms, stadiums, discs with holes, in any unit
// and anywhere in the plane.

#include <random>

#include "support/billiard.hpp"

namespace ricochet::billiard {

using Kind = Shape::Kind;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

 private:
  std::mt19937 engine_;
};

struct Domain {
  Shape shape;
  double size;  // of its coordinates
  std::vector<Wall> walls;
  std::vector<int> contact_of_leaf;  // one contact for the whole, or one for each part of an intersection
};

class Builder {
 public:
  Builder(Random& random, bool round) : random_(random), round_(round) {
    unit_ = std::exp2(random(-20, 20));
    centre_ = {unit_ * random(-2, 2), unit_ * random(-2, 2)};
  }
  Domain build() {
    Domain domain;
    domain.shape = shape(random_.below(round_ ? 7 : 5));
    domain.size = unit_ * 4;
    domain.walls = walls_of(domain.shape, domain.size);
    return domain;
  }
  double unit() const { return unit_; }
  Vector centre() const { return centre_; }

 private:
  Vector at(double x, double y) const { return {centre_[0] + unit_ * x, centre_[1] + unit_ * y}; }
  // Half planes whose edges are at r/2 … r from x; inside of all of them or outside.
  Shape polygon(Vector x, double r, bool inside) {
    const int n = 3 + random_.below(5);
    Shape all{inside ? Kind::intersection : Kind::join};
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * M_PI * (k + random_(-0.2, 0.2)) / n + turn_, d = unit_ * r * random_(0.5, 1);
      const Vector out{std::cos(angle), std::sin(angle)}, normal = inside ? Vector{-out[0], -out[1]} : out;
      all.children.push_back({Kind::half_plane, normal, dot(normal, x) + (inside ? -d : d), factor()});
    }
    turn_ += 1.1;
    return all;
  }
  Shape circle(Vector x, double r, bool inside) {
    return {inside ? Kind::disc : Kind::hole, x, unit_ * r, factor(), random_.below(2) == 0};
  }
  Shape blob(double x, double y, double r, bool inside) {
    return round_ && random_.below(3) == 0 ? circle(at(x, y), r, inside) : polygon(at(x, y), r, inside);
  }
  Shape shape(int kind) {
    Shape all{Kind::intersection};
    switch (kind) {
      case 0:  // convex
        return polygon(centre_, 1, true);
      case 1:  // obstacles in it
        all.children.push_back(blob(0, 0, 2, true));
        for (int k = 0; k <= random_.below(3); ++k)
          all.children.push_back(blob(random_(-0.5, 0.5), random_(-0.5, 0.5), random_(0.05, 0.4), false));
        return all;
      case 2:  // union of overlapping rooms
        all.kind = Kind::join;
        for (int k = 0; k < 3; ++k) all.children.push_back(blob(0.7 * k - 0.7, random_(-0.3, 0.3), 1, true));
        return all;
      case 3: {  // union of rooms with obstacles
        Shape rooms{Kind::join};
        for (int k = 0; k < 2; ++k) {
          Shape room{Kind::intersection};
          room.children = {blob(k - 0.5, 0, 1.2, true), blob(k - 0.5, random_(-0.4, 0.4), 0.3, false)};
          rooms.children.push_back(room);
        }
        all.children = {rooms, blob(0, 0, 0.2, false)};
        return all;
      }
      case 4: {  // outside of what two convex bodies share, and of a third
        Shape lens{Kind::join};
        lens.children = {blob(-0.1, 0, 0.5, false), blob(0.2, 0.1, 0.5, false)};
        all.children = {blob(0, 0, 2, true), lens, blob(0.6, -0.5, 0.25, false)};
        return all;
      }
      case 5: {  // stadium
        Shape box{Kind::intersection};
        for (const auto& [x, y] : {std::pair{1.0, 0.0}, {-1.0, 0.0}, {0.0, 1.0}, {0.0, -1.0}}) {
          const Vector n{x, y};
          box.children.push_back({Kind::half_plane, n, dot(n, centre_) - unit_, factor()});
        }
        all.kind = Kind::join;
        all.children = {box, circle(at(-1, 0), 1, true), circle(at(1, 0), 1, true)};
        return all;
      }
      default:  // disc with holes
        all.children = {circle(centre_, 1, true), circle(at(0.3, 0.2), random_(0.05, 0.3), false),
                        circle(at(-0.4, -0.1), random_(0.05, 0.3), false)};
        return all;
    }
  }
  double factor() { return random_.below(2) == 0 ? 1 : std::exp(random_(-2, 2)); }

  Random& random_;
  bool round_;
  double unit_, turn_ = 0.3;
  Vector centre_;
};

// A free particle, or one under gravity, in a domain.
inline Model model_of(Domain& domain, double mass, Vector a, double e, bool apart) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = mass / 2 * (square(dot(x)) + square(dot(y))) + mass * (a[0] * x + a[1] * y);
  std::vector<Shape> parts{domain.shape};
  if (apart && domain.shape.kind == Kind::intersection) parts = domain.shape.children;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    m.contacts.push_back({.name = "part" + std::to_string(k), .gap = parts[k].gap(x, y)});
    if (e < 1) m.contacts.back().law = "newton", m.contacts.back().restitution = m.graph->constant(e);
    std::vector<const Shape*> leaves;
    parts[k].leaves(leaves);
    domain.contact_of_leaf.insert(domain.contact_of_leaf.end(), leaves.size(), static_cast<int>(k));
  }
  return m;
}

inline std::optional<Vector> start_in(const Domain& domain, Vector centre, double unit, Random& random) {
  for (int tries = 0; tries < 100; ++tries) {
    const Vector q{centre[0] + unit * random(-1.5, 1.5), centre[1] + unit * random(-1.5, 1.5)};
    bool inside = true;
    for (int k = 0; k < 8; ++k)
      inside &= domain.shape.contains(along(q, 1e-3 * unit, {std::cos(k * M_PI / 4), std::sin(k * M_PI / 4)}));
    if (inside) return q;
  }
  return {};
}

}  // namespace ricochet::billiard
