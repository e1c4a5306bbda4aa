#pragma once
// The paths a run draws: those of the view shapes that have `at` and move, or of the first coordinates if there are
// none.

#include <array>
#include <vector>

#include "ricochet/formula/program.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet::cli {

class Paths {
 public:
  using Point = std::array<double, 3>;
  explicit Paths(const ArchiveHeader& header);
  Paths(const Paths&) = delete;
  Paths& operator=(const Paths&) = delete;

  std::size_t size() const { return points_.size(); }
  const std::vector<Point>& at(double t, const double* q, const double* v);  // one point for each path

 private:
  Scenario scenario_;
  std::vector<std::vector<Expr>> paths_;
  formula::Program program_;
  formula::Evaluator<double> evaluator_;
  std::vector<Point> points_;
};

}  // namespace ricochet::cli
