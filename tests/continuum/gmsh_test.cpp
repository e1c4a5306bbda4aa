#include "ricochet/continuum/gmsh.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/gmsh_files.hpp"

namespace ricochet::continuum::gmsh_test {
namespace {

TEST(Gmsh, ReadsBothFormats) {
  for (const char* text : {test::gmsh_22, test::gmsh_41}) {
    const PlaneMesh mesh = read_gmsh_text(text, "x.msh");
    EXPECT_EQ(mesh.X, (std::vector<double>{0, 0, 1, 0, 1, 1, 0, 1}));  // node 9 belongs to no triangle
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    ASSERT_EQ(mesh.edges.size(), 2u);
    EXPECT_EQ(mesh.edges[0].name, "clamp");
    EXPECT_EQ(mesh.edges[0].segments, (std::vector<Segment>{{3, 0}}));  // with the body on the left
    EXPECT_EQ(mesh.edges[1].name, "free side");
    EXPECT_EQ(mesh.edges[1].segments, (std::vector<Segment>{{1, 2}}));  // the diagonal is inside
  }
}

// Format 2.2 says a line again for each of its groups, format 4.1 says all groups of a curve, with a sign for its
// direction. Groups of one name are one edge.
TEST(Gmsh, LinesInSeveralGroups) {
  const auto edited = [](std::string text, const std::string& from, const std::string& to) {
    return read_gmsh_text(text.replace(text.find(from), from.size(), to), "x.msh");
  };
  const std::vector<Segment> right{{1, 2}}, both{{3, 0}, {1, 2}};
  const PlaneMesh two = edited(test::gmsh_41, "2 1 0 0 1 1 0 1 8 2", "2 1 0 0 1 1 0 2 -8 7 2"),
                  again = edited(test::gmsh_22, "4 1 2 0 3 1 2", "4 1 2 7 3 2 3");
  for (const PlaneMesh& mesh : {two, again}) {
    ASSERT_EQ(mesh.edges.size(), 2u);
    EXPECT_EQ(mesh.edges[0].segments, both);
    EXPECT_EQ(mesh.edges[1].segments, right);
  }
  for (const char* text : {test::gmsh_22, test::gmsh_41}) {
    const PlaneMesh mesh = edited(text, "\"free side\"", "\"clamp\"");
    ASSERT_EQ(mesh.edges.size(), 1u);
    EXPECT_EQ(mesh.edges[0].segments, both);
  }
}

std::string refusal(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  try {
    read_gmsh_text(text, "x.msh");
  } catch (const MeshError& error) {
    return error.what();
  }
  return "";
}

TEST(Gmsh, RefusesWithElementAndLine) {
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(refusal(test::gmsh_22, "2.2 0 8", "3.0 0 8"), "x.msh:2: format 3");
  expect(refusal(test::gmsh_22, "2.2 0 8", "2.2 1 8"), "binary");
  expect(refusal(test::gmsh_22, "6 2 2 9 1 1 2 3", "6 2 2 9 1 2 1 3"), "element 6 at (1, 0) is turned inside out");
  expect(refusal(test::gmsh_22, "6 2 2 9 1 1 2 3", "6 2 2 9 1 1 2 2"), "element 6 at (0, 0) is degenerate");
  expect(refusal(test::gmsh_22, "6 2 2 9 1 1 2 3", "6 2 2 9 1 1 2 77"),
         "element 6 has node 77, which is not in the file");
  expect(refusal(test::gmsh_22, "6 2 2 9 1 1 2 3", "6 3 2 9 1 1 2 3 4"), "type 3");
  expect(refusal(test::gmsh_22, "3 1 1 0", "3 1 1 0.5"), "not plane");
  expect(refusal(test::gmsh_22, "3 1 1 0", "3 1 nan 0"), "expected a coordinate, got \"nan\"");
  expect(refusal(test::gmsh_22, "3 1 1 0", "2 1 1 0"), "node 2 is given twice");
  expect(refusal(test::gmsh_22, "$Nodes\n5", "$Nodes\n5000000000"), "the file is not that long");
  expect(refusal(test::gmsh_22, "$EndElements\n", ""), "ends where more was expected");
  expect(refusal(test::gmsh_41, "2 1 1 4\n1\n2", "2 1 1 4\n1\n1"), "node 1 is given twice");
  expect(refusal(test::gmsh_41, "2 1 2 2\n6 1 2 3\n7 1 3 4", "2 1 15 2\n6 1\n7 1"), "no triangle");
  EXPECT_THROW(read_gmsh("/nowhere/x.msh"), MeshError);
}

}  // namespace
}  // namespace ricochet::continuum::gmsh_test
