#include "design_outcome.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ricochet/formula/differentiate.hpp"

namespace ricochet::cli {

namespace {

// A run as a course, of a system with the names kept or without.
Course course_of(const Model& model, const Summary& summary, const Impacts& impacts) {
  Course course;
  course.system = std::make_shared<const System>(model);
  course.end.t = summary.time_end;
  course.end.q = summary.position;
  course.end.p = summary.momentum;
  course.v = summary.velocity;
  for (const Impact& impact : impacts)
    course.impacts.push_back(
        {.t = impact.time, .q = impact.q, .v_before = impact.v_before, .v_after = impact.v_after, .contacts = {}});
  return course;
}

double value_in(const Quantity& quantity, const Course& course) {
  try {
    return evaluate(quantity, course, false).value;
  } catch (const SolverError&) {
    return std::nan("");  // there is no such impact
  }
}

}  // namespace

void add_quantities(const Scenario& scenario, const Impacts& impacts, Summary& summary) {
  if (scenario.quantities.empty() || summary.position.empty()) return;
  const Course course = course_of(scenario.model, summary, impacts);
  for (const Quantity& q : scenario.quantities) summary.design.quantities.emplace_back(q.name, value_in(q, course));
}

DesignSummary::Named condition_values(const Model& model, const std::vector<Quantity>& conditions,
                                      const Impacts& impacts, const Summary& summary) {
  DesignSummary::Named values;
  const Course course = course_of(model, summary, impacts);
  for (const Quantity& condition : conditions) values.emplace_back(condition.name, value_in(condition, course));
  return values;
}

void check_derivatives(const Scenario& scenario) {
  if (scenario.continuum)
    throw InputError(fmt::format("{}: there are no derivatives of bodies on meshes", scenario.place("continuum")));
  try {
    check_differentiable(shot_of(scenario));
  } catch (const ModelError& error) {
    throw located(error, scenario);
  }
}

void add_sensitivities(const Scenario& scenario, const std::atomic<bool>* stop, Summary& summary) {
  KeptNames kept;
  kept.all = true;
  const Scenario again = read_again(scenario, kept);
  const Shot shot = shot_of(again);
  const FlownShot flight = fly_forward(shot, stop);
  const Course& course = flight.course;
  summary.design.refused = course.reason;
  if (!course.reason.empty()) return;
  std::vector<Quantity> outputs;
  const std::vector<Expr> q = shot.model.q(), v = shot.model.v(), p = formula::gradient(shot.model.lagrangian, v);
  for (std::size_t i = 0; i < q.size(); ++i) outputs.push_back({"position." + shot.model.coordinates[i], q[i]});
  for (std::size_t i = 0; i < q.size(); ++i) outputs.push_back({"velocity." + shot.model.coordinates[i], v[i]});
  for (std::size_t i = 0; i < q.size(); ++i) outputs.push_back({"momentum." + shot.model.coordinates[i], p[i]});
  for (const Quantity& quantity : again.quantities) outputs.push_back(quantity);
  const std::vector<formula::Parameter>& parameters = shot.model.graph->parameters();
  const Sensitivity s = sensitivity_forward(shot, flight, outputs);
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    DesignSummary::Named row;
    for (std::size_t k = 0; k < parameters.size(); ++k)
      if (!parameters[k].in_range)
        row.emplace_back(parameters[k].name, s.by_theta(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(k)));
    summary.design.sensitivities.emplace_back(outputs[j].name, std::move(row));
  }
}

Solved solve_scenario(const Scenario& scenario, ShootingProblem problem, const SolveControl& control) {
  Solved solved{std::move(problem), {}, {}, {}};
  for (const Unknown& u : solved.problem.unknowns) solved.guess.push_back(solved.problem.shot.theta()[u.parameter]);
  try {
    solved.solution = solve(solved.problem, control);
  } catch (const ModelError& error) {
    throw located(error, scenario);
  }
  solved.scenario = read_scenario(scenario.path, solution_overrides(scenario, solved.problem));
  return solved;
}

void add_solution(const Solved& solved, const Impacts& impacts, Summary& summary) {
  const auto& [problem, guess, solution, scenario] = solved;
  DesignSummary::Solution s;
  s.status = solution.status == ShootingSolution::Status::solved   ? "solved"
             : solution.status == ShootingSolution::Status::failed ? "failed"
                                                                   : "interrupted";
  s.message = solution.message;
  s.iterations = solution.iterations;
  s.residual = solution.residual;
  for (std::size_t j = 0; j < problem.unknowns.size(); ++j) {
    s.guess.emplace_back(problem.unknowns[j].name, guess[j]);
    s.unknowns.emplace_back(problem.unknowns[j].name, solution.unknowns[j]);
  }
  for (std::size_t i = 0; i < problem.conditions.size(); ++i)
    s.conditions.emplace_back(problem.conditions[i].name,
                              i < solution.residuals.size() ? solution.residuals[i] : std::nan(""));
  if (!summary.position.empty())
    s.verified = condition_values(problem.shot.model, problem.conditions, impacts, summary);
  for (const Iterate& it : solution.history) s.history.push_back({it.residual, it.damping, it.share, it.unknowns});
  summary.design.solution = std::move(s);
  summary.design.floquet = solution.floquet;
}

}  // namespace ricochet::cli
