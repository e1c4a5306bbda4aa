#include "ricochet/continuum/plane_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "ricochet/error.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet::continuum {

namespace {

constexpr std::size_t search_grain = 1024;  // nodes of a search that are worth a thread

using Vec = std::array<double, 2>;
Vec minus(const double* a, const double* b) { return {a[0] - b[0], a[1] - b[1]}; }
double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1]; }
double cross(const Vec& a, const Vec& b) { return a[0] * b[1] - a[1] * b[0]; }
Vec times(double s, const Vec& a) { return {s * a[0], s * a[1]}; }

Vec normal(const Vec& t) { return {t[1], -t[0]}; }  // of a tangent with the body on its left

// A direction between the normals of two segments that meet in a corner which is not concave.
bool between(const Vec& n, const Vec& before, const Vec& after, double slack) {
  return dot(n, before) >= -slack && dot(n, after) <= slack && dot(n, normal(before)) + dot(n, normal(after)) > 0;
}

struct Line {  // a segment in its place, body on its left
  const double *p, *q;
  double length;
  Vec t, n;
  Line(const Segment& s, const double* x) : p(x + 2 * s[0]), q(x + 2 * s[1]) {
    const Vec d = minus(q, p);
    length = std::sqrt(dot(d, d));
    t = times(1 / length, d);
    n = normal(t);
  }
};

double squared_distance(const Segment& s, const double* x, const double* at) {
  const double *p = x + 2 * s[0], *q = x + 2 * s[1];
  const Vec d = minus(q, p), r = minus(at, p);
  const double part = std::clamp(dot(r, d) / dot(d, d), 0.0, 1.0);
  const Vec away{r[0] - part * d[0], r[1] - part * d[1]};
  return dot(away, away);
}

// What does not face a node of the same body is its own wall. (What faces it, deeper than it can have come, is the
// other side of that wall.)
bool behind(const Vec& n, const std::array<Vec, 2>& sides) {
  return dot(n, {sides[0][0] + sides[1][0], sides[0][1] + sides[1][1]}) >= 0;
}

// A segment of another body that the boundary at a node, with these tangents, crosses rather than faces: the side of a
// corner. A node that went in beside that corner is near it, but does not come out there. (Springs act as well on what
// is nearest: their energy would jump.)
bool is_side(const Vec& n, const std::array<Vec, 2>& mine, double facing) {
  return facing > -std::sqrt(0.5) && !between(times(-1, n), mine[0], mine[1], 0);
}

void set_rows(NodeContact& c, int node, const Vec& n) {
  c.node = {node, -1, -1};
  c.row[0][0] = n;
  c.row[1][0] = {-n[1], n[0]};
}

// The point (1 − ξ, ξ) of a segment against an obstacle.
void set_rows(NodeContact& c, const Segment& segment, const Vec& n, double xi) {
  const double weight[2] = {1 - xi, xi};
  c.node = {segment[0], segment[1], -1};
  for (int i = 0; i < 2; ++i) {
    c.row[0][i] = times(weight[i], n);
    c.row[1][i] = times(weight[i], {-n[1], n[0]});
  }
}

// Against the point (1 − ξ, ξ) of a segment.
void set_rows(NodeContact& c, int node, const Vec& n, const Segment& segment, const Line& line, double xi) {
  set_rows(c, node, n);
  const Vec t = c.row[1][0];
  const double weight[2] = {1 - xi, xi}, couple = c.gap / line.length;
  for (int i = 0; i < 2; ++i) {
    c.node[i + 1] = segment[i];
    c.row[0][i + 1] = times(-weight[i], n);
    const double turn = i == 0 ? -couple : couple;
    c.row[1][i + 1] = {-weight[i] * t[0] + turn * line.n[0], -weight[i] * t[1] + turn * line.n[1]};
  }
}

}  // namespace

PlaneContacts::PlaneContacts(const Solid& solid, const Model& model) : solid_(solid), walls_(model.plane->walls) {
  const auto side = [&](const std::string& name) {
    ContactSide s;
    s.body = solid.part_named(name);
    for (std::size_t k = 0; k < walls_.size(); ++k)
      if (walls_[k].name == name) s.wall = static_cast<int>(k);
    if (s.body < 0 && s.wall < 0)
      throw ModelError("continuum.contact", fmt::format("there is no body or wall '{}'", name));
    return s;
  };
  surfaces_.resize(solid.parts.size());
  x_.resize(2 * solid.nodes());
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = solid.X[i] + solid.u[i];
  start_ = x_;
  for (const ContactPair& c : model.contacts) {
    PlanePair pair{c.a + "-" + c.b, c.treatment, side(c.a), side(c.b), c.stiffness, c.nodal_restitution, c.friction};
    if (pair.a.body < 0 && pair.b.body < 0) throw ModelError("continuum.contact", pair.name + ": two walls never meet");
    if (c.treatment == Treatment::interval)
      throw ModelError("continuum.contact", pair.name + ": interval is for bars on a line; try multiplier");
    for (const ContactPair* other = model.contacts.data(); other != &c; ++other)
      if (std::minmax(other->a, other->b) == std::minmax(c.a, c.b))
        throw ModelError("continuum.contact", pair.name + ": the contact is given twice");
    pairs_.push_back(pair);
  }
  shortest_ = std::numeric_limits<double>::infinity();
  std::size_t slots = 0;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const PlanePair& pair = pairs_[k];
    for (const int body : {pair.a.body, pair.b.body}) {
      if (body < 0 || !surfaces_[body].nodes.empty()) continue;
      Surface& s = surfaces_[body];
      s.tree = BoundingVolumes<2>(solid.surfaces[body], x_.data());
      const std::vector<Segment>& segments = s.tree.simplices();
      s.before.resize(segments.size());
      s.after.resize(segments.size());
      s.length.resize(segments.size());
      std::vector<std::size_t> begins(solid.nodes());
      for (std::size_t i = 0; i < segments.size(); ++i) begins[segments[i][0]] = i, s.nodes.push_back(segments[i][0]);
      for (std::size_t i = 0; i < segments.size(); ++i) {
        s.after[i] = begins[segments[i][1]];
        s.before[s.after[i]] = i;
        const double length = Line(segments[i], solid.X.data()).length;
        shortest_ = std::fmin(shortest_, length);
        s.length[i] += 0.5 * length;
        s.length[s.after[i]] += 0.5 * length;
      }
      nodes_.insert(nodes_.end(), s.nodes.begin(), s.nodes.end());
    }
    const auto pass = [&](const ContactSide& nodes, const ContactSide& faces, double of_b) {
      if (nodes.body < 0) return;
      passes_.push_back({static_cast<int>(k), nodes.body, faces.body, faces.wall, of_b, slots});
      slots += surfaces_[nodes.body].nodes.size();
    };
    pass(pair.a, pair.b, -1);
    if (pair.a.body != pair.b.body) pass(pair.b, pair.a, 1);
  }
  slots_.resize(slots);
  hit_.resize(slots);
}

// Velocities of the nodes of each surface.
void PlaneContacts::find_speeds(const double* v, Team& team) {
  std::mutex alone;
  for (Surface& s : surfaces_) {
    s.speeds = {};
    team.for_each(s.nodes.size(), search_grain, [&](std::size_t first, std::size_t last) {
      Box<2> part;
      for (std::size_t k = first; k < last; ++k) part.add(v + 2 * s.nodes[k]);
      const std::lock_guard lock(alone);
      s.speeds.add(part);
    });
  }
}

// How fast nodes and faces of a pass can move against each other.
double PlaneContacts::spread(const Pass& pass) const {
  Box<2> box = surfaces_[pass.nodes_of].speeds;
  const double rest[2] = {0, 0};
  pass.faces_of < 0 ? box.add(rest) : box.add(surfaces_[pass.faces_of].speeds);
  return std::hypot(box.high[0] - box.low[0], box.high[1] - box.low[1]);
}

bool PlaneContacts::covers(const double* v, double h, Team& team) {
  find_speeds(v, team);
  return std::all_of(passes_.begin(), passes_.end(), [&](const Pass& p) { return 2 * h * spread(p) <= p.width; });
}

// Positions of the surfaces, and their trees.
void PlaneContacts::place(const double* u, Team& team) {
  team.for_each(nodes_.size(), search_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k)
      for (int d = 2 * nodes_[k]; d < 2 * nodes_[k] + 2; ++d) x_[d] = solid_.X[d] + u[d];
  });
  for (Surface& s : surfaces_)
    if (!s.nodes.empty()) s.tree.refit(x_.data(), team);
}

void PlaneContacts::search(const double* u, const double* v, double h, Team& team) {
  if (pairs_.empty()) return;
  found_.clear();
  v_ = v;
  find_speeds(v, team);
  place(u, team);
  for (Pass& pass : passes_) {
    pass.width = 4 * h * spread(pass) + 0.05 * shortest_;
    const std::size_t count = surfaces_[pass.nodes_of].nodes.size();
    team.for_each(count, search_grain, [&](std::size_t first, std::size_t last) {
      for (; first < last; first += group) look(pass, first, std::min(first + group, last));
    });
    const char *begin = hit_.data() + pass.first, *end = begin + count;  // few are hit: memchr passes over the others
    while (const void* at = std::memchr(begin, 1, static_cast<std::size_t>(end - begin))) {
      begin = static_cast<const char*>(at);
      found_.push_back(slots_[static_cast<std::size_t>(begin++ - hit_.data())]);
    }
  }
  gaps_.assign(pairs_.size(), std::numeric_limits<double>::infinity());
  for (const NodeContact& c : found_) gaps_[c.pair] = std::fmin(gaps_[c.pair], c.gap);
}

bool PlaneContacts::deep(bool (*treated)(Treatment)) const {
  return std::any_of(found_.begin(), found_.end(),
                     [&](const NodeContact& c) { return deep(c) && treated(pairs_[c.pair].treatment); });
}

// Nothing can part sides that are held where they are.
void PlaneContacts::refuse_held() const {
  for (const NodeContact& c : found_) {
    if (!deep(c) || by_equilibrium(pairs_[c.pair].treatment)) continue;
    bool held = true;
    for (int i = 0; i < 3; ++i) {
      if (c.node[i] < 0) continue;
      const auto dv = solid_.mobility(c.node[i], c.row[0][i][0], c.row[0][i][1]);
      held = held && dv[0] == 0 && dv[1] == 0;
    }
    if (held)
      throw SolverError(fmt::format("{}: at ({:.6g}, {:.6g}) sides that are held overlap by {:.4g}",
                                    pairs_[c.pair].name, x_[2 * c.node[0]], x_[2 * c.node[0] + 1], -c.gap),
                        -c.gap / shortest_, -1, "let their edges move otherwise, or leave out their contact");
  }
}

void PlaneContacts::refresh(const double* u) {
  for (NodeContact& c : found_) {
    for (const int i : c.node)
      for (int d = 0; d < 2 && i >= 0; ++d) x_[2 * i + d] = solid_.X[2 * i + d] + u[2 * i + d];
    if (c.of_wall()) {
      const PlanePair& pair = pairs_[c.pair];
      against_wall(walls_[pair.a.wall < 0 ? pair.b.wall : pair.a.wall], {c.node[0], c.node[1]}, 0, c);
    } else {
      const Segment segment{c.node[1], c.node[2]};
      const Line line(segment, x_.data());
      const Vec d = minus(&x_[2 * c.node[0]], line.p);
      c.gap = dot(d, line.n);
      set_rows(c, c.node[0], line.n, segment, line, dot(d, line.t) / line.length);
    }
  }
}

void PlaneContacts::look(const Pass& pass, std::size_t first, std::size_t last) {
  const Surface& own = surfaces_[pass.nodes_of];
  const PlanePair& pair = pairs_[pass.pair];
  const double deep = pair.treatment == Treatment::penalty ? shortest_ : 0, width = pass.width + deep;
  Nearest found[group];
  // a step makes a node penetrate by a quarter of the width
  const double depth = std::fmin(0.25 * pass.width + deep, shortest_);
  if (pass.faces_of >= 0) nearest(pass, width, depth, first, last, found);
  for (std::size_t k = first; k < last; ++k) {
    NodeContact& out = slots_[pass.first + k];
    const Segment& segment = own.tree.simplices()[k];
    const bool hit = pass.faces_of < 0 ? against_wall(walls_[pass.wall], segment, width, out)
                                       : against_surface(surfaces_[pass.faces_of], own, k, found[k - first], out);
    hit_[pass.first + k] = hit;
    if (!hit) continue;
    out.pair = pass.pair;
    out.slot = pass.first + k;
    out.side = pass.side;
    out.length = (pass.faces_of < 0 ? 1 : 0.5) * own.length[k];
    if (out.of_wall() && out.node[1] >= 0) out.length = Line(segment, solid_.X.data()).length;
    out.restitution = pair.restitution;
    out.friction = pair.friction;
  }
}

double PlaneContacts::spring(const NodeContact& c) const {
  const PlanePair& pair = pairs_[c.pair];
  if (!c.of_wall() && c.gap < -shortest_)
    throw SolverError(fmt::format("{}: the node at ({:.6g}, {:.6g}) is {:.4g} deep, more than the shortest segment",
                                  pair.name, x_[2 * c.node[0]], x_[2 * c.node[0] + 1], -c.gap),
                      -c.gap / shortest_, -1, "try a larger stiffness, or treatment = \"multiplier\"");
  return c.gap < 0 ? -pair.stiffness * c.length * c.gap : 0;
}

// The node at which a segment begins against a half-plane; of the segment the point that is closest to a circle, which
// may come between nodes.
bool PlaneContacts::against_wall(const PlaneWall& wall, const Segment& segment, double width, NodeContact& out) const {
  const Vec d = minus(&x_[2 * segment[0]], wall.at.data());
  if (!wall.circle) {
    const Vec n{wall.normal[0], wall.normal[1]};
    out.gap = dot(d, n);
    set_rows(out, segment[0], n);
  } else {
    const Vec along = minus(&x_[2 * segment[1]], &x_[2 * segment[0]]);
    const double xi = std::clamp(-dot(d, along) / dot(along, along), 0.0, 1.0);
    const Vec away{d[0] + xi * along[0], d[1] + xi * along[1]};
    const double r = std::sqrt(dot(away, away));
    out.gap = r - wall.radius;
    if (!(r > 0)) return false;
    set_rows(out, segment, times(1 / r, away), xi);
  }
  return out.gap <= width;
}

std::array<Vec, 2> PlaneContacts::own_tangents(const Surface& own, std::size_t k) const {
  const std::vector<Segment>& segments = own.tree.simplices();
  return {Line(segments[own.before[k]], x_.data()).t, Line(segments[k], x_.data()).t};
}

std::array<Vec, 2> PlaneContacts::own_normals(const Surface& own, std::size_t k) const {
  const std::array<Vec, 2> t = own_tangents(own, k);
  return {normal(t[0]), normal(t[1])};
}

double PlaneContacts::round_off(int node) const {
  const double *X = &solid_.X[2 * node], *x = &x_[2 * node];
  return 64 * epsilon * (std::abs(X[0]) + std::abs(X[1]) + std::abs(x[0] - X[0]) + std::abs(x[1] - X[1]));
}

// The normal of a node on a corner between two segments with the tangents `before` and `after`. False if none
// separates them.
bool PlaneContacts::parting(const Surface& own, std::size_t k, const Vec& before, const Vec& after, int corner,
                            Vec& n) const {
  const int node = own.nodes[k];
  const std::array<Vec, 2> mine = own_tangents(own, k);
  const Vec apart = minus(&v_[2 * node], &v_[2 * corner]);
  const double slack = (round_off(node) + round_off(corner)) / shortest_;
  double fastest = -std::numeric_limits<double>::infinity();
  for (const Vec& m : {normal(before), normal(after), times(-1, normal(mine[0])), times(-1, normal(mine[1]))}) {
    const bool separates = between(m, before, after, slack) && between(times(-1, m), mine[0], mine[1], slack);
    if (!separates || !(dot(m, apart) > fastest)) continue;
    fastest = dot(m, apart);
    n = m;
  }
  return std::isfinite(fastest);
}

// A node behind a segment, deeper than it can have come; or near it and behind it from the start: the other side of its
// wall, however flat that is pressed.
bool PlaneContacts::is_back(int node, const Segment& segment, double squared, double depth) const {
  const auto is_behind = [&](const std::vector<double>& x) {
    const Line line(segment, x.data());
    return dot(minus(&x[2 * node], line.p), line.n) < 0;
  };
  if (!is_behind(x_)) return false;
  return squared > depth * depth ||
         (squared_distance(segment, start_.data(), &start_[2 * node]) < 16 * shortest_ * shortest_ &&
          is_behind(start_));
}

// A few nodes go through the tree together: neighbours in it are neighbours in space, and most are near nothing.
void PlaneContacts::nearest(const Pass& pass, double width, double depth, std::size_t first, std::size_t last,
                            Nearest* found) const {
  const Surface &surface = surfaces_[pass.faces_of], &own = surfaces_[pass.nodes_of];
  const bool self = &own == &surface, springs = pairs_[pass.pair].treatment == Treatment::penalty;
  const std::vector<Segment>& segments = surface.tree.simplices();
  Box<2> around, own_box[group];
  for (std::size_t k = first; k < last; ++k) {
    Box<2>& box = own_box[k - first];
    box.add(&x_[2 * own.nodes[k]]);
    box.widen(width);
    around.add(box);
    found[k - first] = {segments.size(), width * width, 2};
  }
  const double tie = 1e-9 * shortest_ * shortest_;
  surface.tree.near(around, [&](std::size_t s, std::size_t end) {
    for (; s < end; ++s) {
      Box<2> box;
      for (const int i : segments[s]) box.add(&x_[2 * i]);
      for (std::size_t k = first; k < last; ++k) {
        if (!box.meets(own_box[k - first])) continue;
        if (self && (s == k || s == own.before[k] || s == own.after[k] || s == own.before[own.before[k]])) continue;
        Nearest& best = found[k - first];
        const double d = squared_distance(segments[s], x_.data(), &x_[2 * own.nodes[k]]);
        if (d > best.squared + tie || d > width * width) continue;
        const Line line(segments[s], x_.data());
        const Vec& n = line.n;
        const std::array<Vec, 2> mine = own_tangents(own, k), sides{normal(mine[0]), normal(mine[1])};
        const double f = std::fmin(dot(n, sides[0]), dot(n, sides[1]));
        if (self ? behind(n, sides) || is_back(own.nodes[k], segments[s], d, depth) : !springs && is_side(n, mine, f))
          continue;
        if (d >= best.squared - tie && (f > best.facing || (f == best.facing && s > best.segment))) continue;
        best = {s, std::fmin(d, best.squared), f};
      }
    }
  });
}

bool PlaneContacts::against_surface(const Surface& surface, const Surface& own, std::size_t k, const Nearest& found,
                                    NodeContact& out) const {
  const std::vector<Segment>& segments = surface.tree.simplices();
  const std::size_t nearest = found.segment;
  if (nearest == segments.size()) return false;
  const int node = own.nodes[k];
  const double* at = &x_[2 * node];
  const Line line(segments[nearest], x_.data());
  const Vec d = minus(at, line.p);
  double xi = dot(d, line.t) / line.length;
  Vec n = line.n;
  out.gap = dot(d, n);
  const bool end = xi > 0.5;
  const int corner = segments[nearest][end];
  const Vec r = minus(at, &x_[2 * corner]);
  const Line other(segments[end ? surface.after[nearest] : surface.before[nearest]], x_.data());
  const Vec &before = end ? line.t : other.t, &after = end ? other.t : line.t;
  const double size = std::sqrt(dot(r, r));
  if (size <= round_off(node) + round_off(corner)) {
    if (parting(own, k, before, after, corner, n)) out.gap = dot(r, n), xi = end;
  } else if (xi < 0 || xi > 1) {
    const bool convex = cross(before, after) > 0, beside = (end ? xi - 1 : -xi) >= 0.01;
    // faces that lie on each other end on each other, but for little: no corner
    const bool flush = !beside && found.facing < -0.99;
    const Vec away = times(1 / size, r);
    if (convex && !flush && dot(away, line.n) > 0 && dot(away, line.n) >= dot(line.n, other.n) * (1 - 4 * epsilon)) {
      const std::array<Vec, 2> mine = own_tangents(own, k);
      if (!between(times(-1, away), mine[0], mine[1], 0)) return false;
      n = away;
      out.gap = size;
      xi = end;
    } else if (beside && (convex || (&own == &surface && out.gap > 0))) {
      return false;  // outside; of its own body: it faces the node through the body
    }
  }
  if (&own == &surface && behind(n, own_normals(own, k))) return false;
  set_rows(out, node, n, segments[nearest], line, xi);
  return true;
}

double PlaneContacts::gap(std::size_t pair) const {
  if (std::isfinite(gaps_[pair])) return gaps_[pair];
  if (pairs_[pair].a.body != pairs_[pair].b.body) return distance(pair);
  return std::find_if(passes_.begin(), passes_.end(), [&](const Pass& p) { return p.pair == static_cast<int>(pair); })
      ->width;
}

double PlaneContacts::distance(std::size_t pair) const {
  double smallest = std::numeric_limits<double>::infinity(), squared = smallest;
  for (const Pass& pass : passes_) {
    if (pass.pair != static_cast<int>(pair)) continue;
    for (const Segment& own : surfaces_[pass.nodes_of].tree.simplices())
      if (pass.faces_of < 0) {
        NodeContact c;
        if (against_wall(walls_[pass.wall], own, std::numeric_limits<double>::infinity(), c))
          smallest = std::fmin(smallest, c.gap);
      } else {
        const int node = own[0];
        const Surface& faces = surfaces_[pass.faces_of];
        squared = faces.tree.nearest(&x_[2 * node], squared, [&](std::size_t s) {
          return squared_distance(faces.tree.simplices()[s], x_.data(), &x_[2 * node]);
        });
      }
  }
  return std::fmin(smallest, std::sqrt(squared));
}

// By the number of segments that a ray to the right crosses.
bool PlaneContacts::inside(const Surface& surface, const double* at) const {
  bool in = false;
  Box<2> ray;
  ray.add(at);
  ray.high[0] = std::numeric_limits<double>::infinity();
  surface.tree.near(ray, [&](std::size_t s, std::size_t end) {
    for (; s < end; ++s) {
      const double *p = &x_[2 * surface.tree.simplices()[s][0]], *q = &x_[2 * surface.tree.simplices()[s][1]];
      if ((p[1] > at[1]) == (q[1] > at[1])) continue;
      if (at[0] < p[0] + (at[1] - p[1]) / (q[1] - p[1]) * (q[0] - p[0])) in = !in;
    }
  });
  return in;
}

// Two segments that cross, each end farther from the other's line than by round-off: a node and the point.
bool PlaneContacts::crossing(const Surface& a, const Surface& b, int& node, Vec& at) const {
  for (const Segment& own : a.tree.simplices()) {
    Box<2> box;
    for (const int i : own) box.add(&x_[2 * i]);
    const Line line(own, x_.data());
    bool found = false;
    b.tree.near(box, [&](std::size_t s, std::size_t end) {
      for (; s < end && !found; ++s) {
        const Segment& segment = b.tree.simplices()[s];
        const Line other(segment, x_.data());
        const double slack = round_off(own[0]) + round_off(own[1]) + round_off(segment[0]) + round_off(segment[1]);
        const auto apart = [slack](double p, double q) { return std::fmin(p, q) < -slack && std::fmax(p, q) > slack; };
        const double p = dot(minus(line.p, other.p), other.n), q = dot(minus(line.q, other.p), other.n);
        found = apart(p, q) && apart(dot(minus(other.p, line.p), line.n), dot(minus(other.q, line.p), line.n));
        if (!found) continue;
        const double part = p / (p - q);
        node = own[0];
        at = {line.p[0] + part * (line.q[0] - line.p[0]), line.p[1] + part * (line.q[1] - line.p[1])};
      }
    });
    if (found) return true;
  }
  return false;
}

// Where nodes are deepest. One that is deep by round-off alone touches. Boundaries can cross without a node inside, and
// a circle can be inside without a point of the boundary in it.
void PlaneContacts::refuse_overlap(const double* u) {
  Team alone(1);
  place(u, alone);
  const Pass* worst = nullptr;
  int deep_node = 0;
  double deepest = 0;
  for (const Pass& pass : passes_) {
    if (pass.faces_of == pass.nodes_of) continue;
    for (const Segment& segment : surfaces_[pass.nodes_of].tree.simplices()) {
      const int node = segment[0];
      const double* at = &x_[2 * node];
      double depth = 0, size = std::abs(at[0]) + std::abs(at[1]) + std::abs(u[2 * node]) + std::abs(u[2 * node + 1]);
      if (pass.faces_of < 0) {
        NodeContact c;
        const PlaneWall& wall = walls_[pass.wall];
        if (against_wall(wall, segment, std::numeric_limits<double>::infinity(), c)) depth = -c.gap;
        size += std::abs(wall.at[0]) + std::abs(wall.at[1]) + wall.radius;
      } else if (const Surface& faces = surfaces_[pass.faces_of]; inside(faces, at)) {
        depth = std::sqrt(faces.tree.nearest(at, std::numeric_limits<double>::infinity(), [&](std::size_t s) {
          return squared_distance(faces.tree.simplices()[s], x_.data(), at);
        }));
      }
      if (depth > 64 * epsilon * size && depth > deepest) worst = &pass, deep_node = node, deepest = depth;
    }
  }
  const auto named = [&](const Pass& pass, int node) {
    const SolidPart& part = solid_.parts[pass.nodes_of];
    return fmt::format("node {} of '{}'", static_cast<std::size_t>(node) - part.first_node + 1, part.name);
  };
  for (const Pass& pass : passes_) {
    if (worst) break;
    const Surface& own = surfaces_[pass.nodes_of];
    const std::string& name = pairs_[pass.pair].name;
    Vec at{};
    if (int node = 0; pass.faces_of >= 0 && crossing(own, surfaces_[pass.faces_of], node, at))
      throw ModelError("continuum.contact", fmt::format("{} overlap at the start: boundaries cross at ({:.6g}, {:.6g}) "
                                                        "beside {}",
                                                        name, at[0], at[1], named(pass, node)));
    if (pass.faces_of >= 0 || !walls_[pass.wall].circle) continue;
    if (const auto& centre = walls_[pass.wall].at; inside(own, centre.data()))
      throw ModelError("continuum.contact",
                       fmt::format("{} overlap at the start: the centre ({:.6g}, {:.6g}) is inside "
                                   "'{}'",
                                   name, centre[0], centre[1], solid_.parts[pass.nodes_of].name));
  }
  if (!worst) return;
  throw ModelError("continuum.contact",
                   fmt::format("{} overlap at the start by {:.6g} at ({:.6g}, {:.6g}), {}", pairs_[worst->pair].name,
                               deepest, x_[2 * deep_node], x_[2 * deep_node + 1], named(*worst, deep_node)));
}

// A row of two bodies weighs a node and the corners of a segment; the segments' share of the nodes that press on them
// is about their length. Gershgorin: the sum of a row of M⁻¹K is twice (own + foreign) s ℓ/2m.
double PlaneContacts::spring_frequency() const {
  double largest = 0;
  for (const Pass& pass : passes_) {
    if (pairs_[pass.pair].treatment != Treatment::penalty) continue;
    const Surface& s = surfaces_[pass.nodes_of];
    for (std::size_t k = 0; k < s.nodes.size(); ++k)
      largest = std::fmax(largest, 2 * pairs_[pass.pair].stiffness * s.length[k] * solid_.inverse_mass[s.nodes[k]]);
  }
  return largest;
}

}  // namespace ricochet::continuum
