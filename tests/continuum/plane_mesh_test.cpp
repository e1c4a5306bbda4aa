#include "ricochet/continuum/plane_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/solids.hpp"

namespace ricochet::continuum::plane_mesh_test {
namespace {

double area(const PlaneMesh& m) {
  double sum = 0;
  for (const Triangle& t : m.triangles) {
    const double *a = &m.X[2 * t[0]], *b = &m.X[2 * t[1]], *c = &m.X[2 * t[2]];
    sum += 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  }
  return sum;
}

TEST(PlaneMesh, ShapesHaveTheirAreasCountsAndEdges) {
  const PlaneMesh box = test::box(1, 2, 3, 0.5, 6, 4);
  EXPECT_EQ(box.triangles.size(), 48u);
  EXPECT_NEAR(area(box), 1.5, 1e-14);
  EXPECT_EQ(box.edges.size(), 4u);
  const PlaneMesh disc = test::disc(0, 0, 2, 17);
  EXPECT_EQ(disc.triangles.size(), 6u * 17 * 17);
  const int n = 6 * 17;  // the polygon of its boundary
  EXPECT_NEAR(area(disc), 2.0 * n * std::sin(2 * std::numbers::pi / n), 1e-12);
  const PlaneMesh ring = test::ring(0, 0, 1, 0.8, 3);
  EXPECT_EQ(ring.edges[0].name, "inner");
  EXPECT_EQ(ring.triangles.size(), 2 * 3 * ring.edges[1].segments.size());
  for (const PlaneMesh* m : {&box, &disc, &ring}) EXPECT_EQ(defect(*m), "");
}

// The boundary is closed, has the body on its left, and is what the named edges say.
TEST(PlaneMesh, BoundaryGoesAroundTheBody) {
  for (const PlaneMesh& m : {test::box(0, 0, 2, 1, 5, 3), test::disc(0, 0, 1, 4), test::ring(0, 0, 1, 0.5, 2)}) {
    double enclosed = 0;
    std::size_t named = 0;
    const std::vector<Segment> around = boundary(m.triangles);
    for (const Segment& s : around)
      enclosed += 0.5 * (m.X[2 * s[0]] * m.X[2 * s[1] + 1] - m.X[2 * s[0] + 1] * m.X[2 * s[1]]);
    EXPECT_NEAR(enclosed, area(m), 1e-13);
    for (const NamedEdge& e : m.edges)
      for (const Segment& s : e.segments) {
        EXPECT_NE(std::find(around.begin(), around.end(), s), around.end()) << e.name;
        ++named;
      }
    EXPECT_EQ(named, around.size());
  }
}

TEST(PlaneMesh, SaysWhatIsWrong) {
  const auto wrong = [](const std::function<void(PlaneMesh&)>& change) {
    PlaneMesh m = test::box(0, 0, 1, 1, 2, 2);
    change(m);
    return defect(m);
  };
  EXPECT_NE(wrong([](PlaneMesh& m) { std::swap(m.triangles[3][0], m.triangles[3][1]); }).find("element 4"),
            std::string::npos);
  EXPECT_NE(wrong([](PlaneMesh& m) { m.triangles[2][1] = 77; }).find("node 78"), std::string::npos);
  EXPECT_NE(wrong([](PlaneMesh& m) { m.triangles[0] = {0, 1, 2}; }).find("degenerate"), std::string::npos);
  EXPECT_NE(wrong([](PlaneMesh& m) {
              m.X.insert(m.X.end(), {5, 5});
            }).find("belongs to no element"),
            std::string::npos);
  EXPECT_NE(wrong([](PlaneMesh& m) { m.X[4] = NAN; }).find("no finite place"), std::string::npos);
  EXPECT_NE(wrong([](PlaneMesh& m) { m.triangles.push_back(m.triangles[0]); }).find("three elements"),
            std::string::npos);
  EXPECT_NE(wrong([](PlaneMesh& m) { m.triangles.clear(); }).find("no triangle"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::continuum::plane_mesh_test
