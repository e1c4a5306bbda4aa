// Small programs with solutions in closed form.

#include "ricochet/design/interior_point.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet {

namespace {

struct Plane {
  formula::Graph graph;
  Expr x = graph.symbol(formula::SymbolKind::other, 0, "x"), y = graph.symbol(formula::SymbolKind::other, 1, "y");
};

// The nearest point of the unit circle to (2, 1), with y >= 0.6 and then without; tolerance that of the solver.
TEST(InteriorPoint, NearestPointOfACircle) {
  for (const double least : {0.6, -10.0}) {
    Plane plane;
    SparseProgram program;
    const int block = program.add_block({"circle",
                                         {square(plane.x) + square(plane.y) - 1},
                                         {"circle"},
                                         square(plane.x - 2) + square(plane.y - 1),
                                         {plane.x, plane.y},
                                         {}});
    program.add_variable();
    program.add_variable(least);
    program.add_place(block, "", {0, 1}, {});
    program.prepare();
    const InteriorSolution s = minimise(program, {0.5, 0.7}, {});
    ASSERT_EQ(s.status, InteriorSolution::Status::solved) << s.message;
    const double y = std::fmax(least, 1 / std::sqrt(5.0));
    EXPECT_NEAR(s.x[1], y, 1e-7);
    EXPECT_NEAR(s.x[0], std::sqrt(1 - y * y), 1e-7);
    EXPECT_LE(s.kkt, 1e-8);
  }
}

TEST(InteriorPoint, ContradictionsAreFailures) {
  Plane plane;
  SparseProgram program;
  const int block = program.add_block(
      {"both", {plane.x + plane.y, square(plane.x) + square(plane.y)}, {"sum", "squares"}, {}, {plane.x, plane.y}, {}});
  program.add_variable(1);
  program.add_variable(1);
  program.add_place(block, "", {0, 1}, {});
  program.prepare();
  const InteriorSolution s = minimise(program, {2, 3}, {});
  EXPECT_NE(s.status, InteriorSolution::Status::solved);
  EXPECT_FALSE(s.message.empty());
  EXPECT_EQ(program.row_name(1), "squares");
}

// Stopped at once: the guess moved inside its bounds is what is left, and the status says why.
TEST(InteriorPoint, StopsWhenAsked) {
  Plane plane;
  SparseProgram program;
  const int block =
      program.add_block({"cost", {}, {}, exp(plane.x) - plane.x + square(plane.y), {plane.x, plane.y}, {}});
  program.add_variable();
  program.add_variable();
  program.add_place(block, "", {0, 1}, {});
  program.prepare();
  const std::atomic<bool> stop = true;
  InteriorOptions options;
  options.stop = &stop;
  const InteriorSolution s = minimise(program, {3, 4}, options);
  EXPECT_EQ(s.status, InteriorSolution::Status::interrupted);
  EXPECT_EQ(s.x, (std::vector<double>{3, 4}));
}

}  // namespace

}  // namespace ricochet
