#include "paths.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::cli {

namespace {

bool moves(const std::vector<Expr>& at) {
  return std::any_of(at.begin(), at.end(), [](Expr e) { return !e.is_constant(); });
}

}  // namespace

Paths::Paths(const ArchiveHeader& header)
    : scenario_(read_scenario_text(header.about.scenario_text, header.about.scenario_name, header.about.overrides)) {
  for (const Shape& shape : scenario_.shapes) {
    const auto at = shape.formulas.find("at");
    if (at == shape.formulas.end() || !moves(at->second)) continue;
    if (std::find(paths_.begin(), paths_.end(), at->second) == paths_.end()) paths_.push_back(at->second);
  }
  std::vector<Expr> inputs = scenario_.model.q();
  if (paths_.empty())
    paths_.emplace_back(inputs.begin(), inputs.begin() + std::min<std::ptrdiff_t>(3, std::ssize(inputs)));
  for (const Expr& v : scenario_.model.v()) inputs.push_back(v);
  inputs.push_back(scenario_.model.time());
  std::vector<Expr> outputs;
  for (const auto& path : paths_) outputs.insert(outputs.end(), path.begin(), path.end());
  program_ = formula::Program(outputs, inputs);
  evaluator_ = formula::Evaluator<double>(program_);
  points_.resize(paths_.size());
}

const std::vector<Paths::Point>& Paths::at(double t, const double* q, const double* v) {
  const std::size_t n = scenario_.model.coordinates.size();
  std::copy(q, q + n, evaluator_.inputs());
  std::copy(v, v + n, evaluator_.inputs() + n);
  evaluator_.inputs()[2 * n] = t;
  evaluator_.run();
  std::size_t output = 0;
  for (std::size_t k = 0; k < paths_.size(); ++k) {
    points_[k] = {0, 0, 0};
    for (std::size_t axis = 0; axis < paths_[k].size(); ++axis) {
      points_[k][axis] = evaluator_.output(output++);
      if (!std::isfinite(points_[k][axis])) throw InputError("a view formula has no finite value on this trajectory");
    }
  }
  return points_;
}

}  // namespace ricochet::cli
