#pragma once
// Contact of bodies in the plane: every node of the boundary of one body against the nearest segment of the other, and
// the other way round (two passes); a node against a half-plane, the closest point of a segment against a circle; a
// body against itself, where the segments that begin or end at a node or its neighbours do not count. Closest points
// are found in trees of boxes (bounding_volumes.hpp), one for each body, refitted each step, on all cores.
//
// At the corner of two segments the normal is the direction from the corner, as long as it lies between those of the
// segments, and its opposite between those at the node: else a segment at the node is nearer to the corner, and the
// other pass has it. A node beside a segment, beyond a convex corner, is in no contact with it. Of segments that are
// equally near the one that faces the node's own boundary counts, and where the two lie on each other its normal does,
// up to a hundredth of its length beyond its end: matching nodes, boxes that are flush. Where a node is on a corner,
// but for round-off, there is no direction from it: any normal that lies between those of the corner and, turned round,
// between those at the node separates them, and the one along which they part fastest counts.
//
//   multiplier      0 ≤ λ ⊥ N v + gap/h ≥ 0 (contact_response.hpp): both momenta kept exactly; nodes merge as in a
//                   plastic impact, so that energy is lost with the nodes' mass when they meet, and none is won
//   decomposed      the same with restitution at the nodes and Coulomb friction
//   penalty         F = s ℓ max(0, −gap) for a node with the length ℓ of boundary, in two passes half of it each: a
//                   potential; bodies penetrate
//   redistributed   the surface has no mass and is in equilibrium (massless_surface.hpp): a potential, and nothing
//                   penetrates
// Rows are linear: what multiplier and decomposed miss of a gap is corrected in the positions (closest_points.hpp).
// Bars' interval is refused: it is exact at Courant number 1, which triangles do not have.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ricochet/continuum/bounding_volumes.hpp"
#include "ricochet/continuum/contact_response.hpp"
#include "ricochet/continuum/solid.hpp"
#include "ricochet/numerics/team.hpp"

namespace ricochet::continuum {

struct ContactSide {
  int body = -1, wall = -1;  // one of them
};

struct PlanePair {
  std::string name;
  Treatment treatment = Treatment::multiplier;
  ContactSide a, b;
  double stiffness = 0, restitution = 0, friction = 0;
};

inline constexpr int most_corrections = 12;  // of gaps in a step

// Those whose impulses contact_response.hpp finds.
inline bool by_response(Treatment t) { return t == Treatment::multiplier || t == Treatment::decomposed; }
inline bool by_equilibrium(Treatment t) { return t == Treatment::redistributed; }

struct NodeContact : ContactRows<2> {
  double side = 1;       // +1: the node belongs to b, −1: to a
  double length = 0;     // of boundary that belongs to the node, halved where there are two passes
  std::size_t slot = 0;  // which node of which pass
  bool of_wall() const { return node[2] < 0; }  // one node, or two with the point between them that is closest
};

class PlaneContacts {
 public:
  PlaneContacts(const Solid& solid, const Model& model);  // keeps a reference; throws ModelError
  bool empty() const { return pairs_.empty(); }
  const std::vector<PlanePair>& pairs() const { return pairs_; }
  // Everything nearer than what nodes can fly towards each other in four steps, and a twentieth of the shortest
  // segment.
  void search(const double* u, const double* v, double h, Team& team);
  bool covers(const double* v, double h, Team& team);  // the last search was wide enough for these velocities
  std::vector<NodeContact>& found() { return found_; }
  void refresh(const double* u);  // rows of what was found, at u: against the line of the same segment
  // By a millionth of the shortest segment, up to which a row is right.
  bool deep(const NodeContact& c) const { return c.gap < -1e-6 * shortest_; }
  bool deep(bool (*treated)(Treatment)) const;  // one of those found
  void refuse_held() const;                     // throws SolverError where two sides that are held are deep
  double spring(const NodeContact& c) const;    // force of a penalty contact; throws SolverError deeper than a segment
  // Smallest gap of a pair at the last search. Of a body with itself it is the width of the search at most.
  double gap(std::size_t pair) const;
  const std::vector<int>& surface_nodes() const { return nodes_; }
  double shortest() const { return shortest_; }  // segment
  double spring_frequency() const;               // what penalty contacts add to ω² of a mode at most
  void refuse_overlap(const double* u);

 private:
  struct Surface {  // segments and nodes in the order of the tree
    BoundingVolumes<2> tree;
    std::vector<int> nodes;           // where its segments begin, one for each segment
    std::vector<std::size_t> before;  // the segment that ends where a segment begins
    std::vector<std::size_t> after;
    std::vector<double> length;  // of reference boundary at each of the nodes
    Box<2> speeds;
  };
  struct Pass {
    int pair, nodes_of, faces_of, wall;  // faces_of −1: the wall
    double side;
    std::size_t first;  // of slots_
    double width = 0;   // of the last search
  };
  void find_speeds(const double* v, Team& team);
  double spread(const Pass& pass) const;
  void place(const double* u, Team& team);
  struct Nearest {  // segment of a node; facing: the smaller cosine with the normals beside the node, −1: it faces one
    std::size_t segment;
    double squared, facing;
  };
  static constexpr std::size_t group = 8;  // nodes that go through the tree together
  void look(const Pass& pass, std::size_t first, std::size_t last);
  void nearest(const Pass& pass, double width, double depth, std::size_t first, std::size_t last, Nearest* found) const;
  std::array<std::array<double, 2>, 2> own_tangents(const Surface& own, std::size_t k) const;
  std::array<std::array<double, 2>, 2> own_normals(const Surface& own, std::size_t k) const;  // beside node k
  bool is_back(int node, const Segment& segment, double squared, double depth) const;
  bool against_wall(const PlaneWall& wall, const Segment& segment, double width, NodeContact& out) const;
  double round_off(int node) const;  // of its position
  bool parting(const Surface& own, std::size_t k, const std::array<double, 2>& before,
               const std::array<double, 2>& after, int corner, std::array<double, 2>& n) const;
  bool against_surface(const Surface& surface, const Surface& own, std::size_t k, const Nearest& nearest,
                       NodeContact& out) const;
  double distance(std::size_t pair) const;
  bool inside(const Surface& surface, const double* at) const;
  bool crossing(const Surface& a, const Surface& b, int& node, std::array<double, 2>& at) const;

  const Solid& solid_;
  std::vector<PlaneWall> walls_;
  std::vector<PlanePair> pairs_;
  std::vector<Surface> surfaces_;
  std::vector<Pass> passes_;
  std::vector<int> nodes_;  // of all surfaces in contact
  std::vector<double> x_;   // positions; those of surface nodes are kept
  std::vector<double> start_;
  const double* v_ = nullptr;  // velocities, while it searches
  std::vector<NodeContact> slots_, found_;
  std::vector<double> gaps_;  // the smallest that was found of each pair
  std::vector<char> hit_;
  double shortest_ = 0;
};

}  // namespace ricochet::continuum
