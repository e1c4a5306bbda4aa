#include "control_outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/mechanics/lagrangian.hpp"

namespace ricochet::cli {

namespace {

// The end of the run as the solution means it: before an impact of the last instant.
struct End {
  std::vector<double> q, v, p;
};
End end_of(const Controlled& controlled, const Impacts& impacts, const Summary& summary) {
  const Impact* strikes = last_instant(controlled.solution.problem, controlled.solution.trajectory, impacts);
  if (strikes == nullptr) return {summary.position, summary.velocity, summary.momentum};
  End end{strikes->q, strikes->v_before, summary.momentum};
  const System system(controlled.solution.problem.model);
  Lagrangian(system).momentum(end.q.data(), end.v.data(), strikes->time, end.p.data());
  return end;
}

// The largest difference of the state at the end, each coordinate and momentum beside its largest value on the way, and
// of the times of impact beside the duration.
double mismatch(const Controlled& controlled, const Impacts& impacts, const Summary& summary) {
  const Trajectory& motion = controlled.solution.trajectory;
  if (summary.status != "completed" || summary.position.empty() ||
      !impact_difference(controlled.solution.problem, motion, impacts).empty())
    return std::numeric_limits<double>::quiet_NaN();
  double largest = 0;
  const auto compare = [&](double difference, double size) {
    if (difference != 0) largest = std::fmax(largest, std::abs(difference) / size);
  };
  const TrajectoryArc& last = motion.arcs.back();
  const End end = end_of(controlled, impacts, summary);
  for (Eigen::Index i = 0; i < last.q.rows(); ++i) {
    double q = 0, p = 0;
    for (const TrajectoryArc& arc : motion.arcs) {
      q = std::fmax(q, arc.q.row(i).cwiseAbs().maxCoeff());
      p = std::fmax(p, arc.p.row(i).cwiseAbs().maxCoeff());
    }
    compare(end.q[static_cast<std::size_t>(i)] - last.q(i, last.q.cols() - 1), q);
    compare(end.p[static_cast<std::size_t>(i)] - last.p(i, last.p.cols() - 1), p);
  }
  for (std::size_t k = 0; k < controlled.solution.problem.impacts.size(); ++k)
    compare(impacts[k].time - motion.times[k + 1], motion.times.back() - motion.times.front());
  return largest;
}

}  // namespace

std::string sequence_name(const ControlProblem& problem, const std::vector<int>& impacts) {
  std::vector<std::string> names;
  names.reserve(impacts.size());
  for (const int c : impacts) names.push_back(problem.model.contacts[c].name);
  return names.empty() ? "no impact" : fmt::format("{}", fmt::join(names, ", "));
}

Controlled solve_control(const Scenario& scenario, const ControlProgress& progress) {
  Controlled result;
  try {
    check_controllable(*scenario.optimize);
    std::vector<std::string> warnings;
    make_stepper(scenario, warnings);  // the start is admissible, and the method can do what the model asks
    result.solution = solve(*scenario.optimize, progress);
  } catch (const ModelError& error) {
    throw located(error, scenario);
  }
  result.guess = first_guess(result.solution.problem);
  result.scenario = read_scenario(scenario.path, solution_overrides(scenario, result.solution));
  return result;
}

void add_control(const Controlled& controlled, const Impacts& all, Summary& summary) {
  const ControlSolution& solution = controlled.solution;
  const ControlProblem& problem = solution.problem;
  const Impacts impacts = real_impacts(problem, solution.trajectory, all);
  DesignSummary::Solution s;
  s.status = solution.status == ControlSolution::Status::solved   ? "solved"
             : solution.status == ControlSolution::Status::failed ? "failed"
                                                                  : "interrupted";
  s.message = solution.message;
  s.iterations = solution.iterations;
  s.residual = solution.kkt;
  const std::vector<std::string> names = control_unknowns(problem);
  const std::vector<double> found = control_unknowns(problem, solution.trajectory),
                            guess = control_unknowns(problem, controlled.guess);
  for (std::size_t j = 0; j < names.size(); ++j) {
    s.unknowns.emplace_back(names[j], found[j]);
    s.guess.emplace_back(names[j], guess[j]);
  }
  // conditions in the solver's motion, and in the run
  Course course;
  course.system = std::make_shared<const System>(problem.model);
  const Trajectory& motion = solution.trajectory;
  const auto column = [](const Eigen::MatrixXd& x, Eigen::Index k) {
    return std::vector<double>(x.col(k).begin(), x.col(k).end());
  };
  for (std::size_t a = 0; a < motion.arcs.size(); ++a) {
    const TrajectoryArc& arc = motion.arcs[a];
    const Eigen::Index end = arc.q.cols() - 1;
    if (a + 1 < motion.arcs.size())
      course.impacts.push_back({.t = motion.times[a + 1],
                                .q = column(arc.q, end),
                                .v_before = column(arc.v, end),
                                .v_after = column(motion.arcs[a + 1].v, 0),
                                .contacts = {}});
    course.end.t = motion.times[a + 1];
    course.end.q = column(arc.q, end);
    course.end.p = column(arc.p, end);
    course.v = column(arc.v, end);
  }
  for (const Quantity& c : problem.conditions) s.conditions.emplace_back(c.name, evaluate(c, course, false).value);
  if (!summary.position.empty()) {
    Summary before = summary;
    const End end = end_of(controlled, impacts, summary);
    before.position = end.q, before.velocity = end.v, before.momentum = end.p;
    s.verified = condition_values(problem.model, problem.conditions, impacts, before);
  }
  for (const InteriorStep& step : solution.history) s.history.push_back({step.infeasibility, step.step, 1, {}});
  DesignSummary::Control& control = s.control.emplace(DesignSummary::Control{});  // clang 14 takes no emplace() of it
  control.cost = solution.cost;
  control.mismatch = mismatch(controlled, impacts, summary);
  control.multipliers = solution.multipliers.conditions;
  control.times.assign(motion.times.begin() + 1, motion.times.end());
  for (const InteriorStep& step : solution.history) control.costs.push_back(step.cost);
  control.intervals.assign(problem.intervals.begin(), problem.intervals.end());
  for (const int c : problem.impacts) control.impacts.push_back(problem.model.contacts[c].name);
  for (const Candidate& c : solution.candidates)
    if (c.status == "pruned")
      control.pruned.emplace_back(sequence_name(problem, c.impacts), c.cost);
    else
      control.candidates.emplace_back(sequence_name(problem, c.impacts), c.status == "solved" ? c.cost : std::nan(""));
  for (const auto& [intervals, cost] : solution.refinements) control.refinements.emplace_back(intervals, cost);
  summary.design.solution = std::move(s);
}

}  // namespace ricochet::cli
