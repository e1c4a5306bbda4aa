#pragma once
// Meshes of triangles in the plane, counter-clockwise. The boundary is what belongs to one triangle alone, as segments
// with the body on their left.
//
//   box    rectangles of equal or graded sides, each cut along a diagonal, to and fro
//   disc   n rings, ring k with 6k nodes: 6n² triangles of about the same size; edge "outer"
//   ring   n cells from inner to outer radius, around as many as make them square; edges "inner", "outer"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ricochet::continuum {

using Segment = std::array<int, 2>;
using Triangle = std::array<int, 3>;

struct NamedEdge {
  std::string name;
  std::vector<Segment> segments;
};

struct PlaneMesh {
  std::vector<double> X;  // two for each node
  std::vector<Triangle> triangles;
  std::vector<NamedEdge> edges;
  std::size_t nodes() const { return X.size() / 2; }
};

struct BoxShape {
  std::array<double, 2> from{0, 0}, size{1, 1};
  std::array<std::int64_t, 2> cells{1, 1};
  std::array<double, 2> grading{1, 1};  // last cell / first cell
};
struct DiscShape {
  std::array<double, 2> center{0, 0};
  double radius = 1;
  std::int64_t cells = 1;  // along the radius
};
struct RingShape {
  std::array<double, 2> center{0, 0};
  double radius = 1, inner = 0.5;
  std::int64_t cells = 1;   // through the wall
  std::int64_t around = 0;  // 0: so that cells are about square
};

PlaneMesh make_mesh(const BoxShape& shape);
PlaneMesh make_mesh(const DiscShape& shape);
PlaneMesh make_mesh(const RingShape& shape);

// The segments of one triangle alone, in the order of the triangles.
std::vector<Segment> boundary(const std::vector<Triangle>& triangles);

// What is wrong with a mesh, with element and place; "" if nothing: indices, triangles that are degenerate or
// clockwise, nodes of no triangle, edges of three triangles, a boundary that touches itself in a node.
std::string defect(const PlaneMesh& mesh);

}  // namespace ricochet::continuum
