// Small programs with solutions in closed form.

#include "ricochet/design/interior_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

namespace ricochet::interior_point_test {

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

// A chain of 400 unknowns, Σ (x[k+1] − x[k] − 1/n)² with fixed ends, by four threads at once: each has the straight
// line.
TEST(InteriorPoint, ThreadsMaySolveAtTheSameTime) {
  const auto solve = [](double& error) {
    constexpr int n = 400;
    Plane plane;
    SparseProgram program;
    const int link = program.add_block({"link", {}, {}, square(plane.y - plane.x - 1.0 / n), {plane.x, plane.y}, {}});
    for (int k = 0; k <= n; ++k) k % n == 0 ? program.add_variable(k / n, k / n) : program.add_variable();
    for (int k = 0; k < n; ++k) program.add_place(link, "", {k, k + 1}, {});
    program.prepare();
    for (int repeat = 0; repeat < 5; ++repeat) {
      const InteriorSolution s = minimise(program, std::vector<double>(n + 1, 0.5), {});
      if (s.status != InteriorSolution::Status::solved) error = 1;
      for (int k = 0; k <= n; ++k) error = std::fmax(error, std::abs(s.x[k] - double(k) / n));
    }
  };
  double errors[4] = {};
  std::vector<std::thread> threads;
  for (double& error : errors) threads.emplace_back(solve, std::ref(error));
  for (std::thread& thread : threads) thread.join();
  for (const double error : errors) EXPECT_LE(error, 1e-6);  // the tolerance 1e-9 times the condition n
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

}  // namespace ricochet::interior_point_test
