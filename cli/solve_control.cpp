#include "solve_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "control_outcome.hpp"
#include "interrupt.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "ricochet/simulation/summary.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

constexpr const char* iteration_heading = "  step              cost  infeasible  stationary     barrier    step\n";

std::string iteration_line(const InteriorStep& s) {
  return fmt::format("  {:>4}  {:>16.10g}  {:>10.2e}  {:>10.2e}  {:>10.2e}  {:>6.4f}\n", s.number, s.cost,
                     s.infeasibility, s.stationarity, s.barrier, s.step);
}

std::string control_table(const Controlled& controlled, const DesignSummary& design) {
  const DesignSummary::Solution& s = *design.solution;
  const DesignSummary::Control& control = *s.control;
  const ControlSolution& solution = controlled.solution;
  std::vector<std::pair<std::string, std::string>> rows{
      {"cost", fmt::format("{:.12g}", control.cost)},
      {"optimality", fmt::format("{:.2e} (residual of the conditions of Karush, Kuhn and Tucker)", s.residual)},
      {"size", fmt::format("{} unknowns, {} conditions", solution.unknowns, solution.conditions)},
      {"impacts", sequence_name(solution.problem, solution.problem.impacts)}};
  for (std::size_t k = 0; k < control.times.size(); ++k)
    rows.emplace_back(k + 1 < control.times.size() ? fmt::format("time of impact {}", k + 1) : "end",
                      fmt::format("{:.12g}", control.times[k]));
  for (std::size_t j = 0; j < s.unknowns.size(); ++j)
    rows.emplace_back(printable(s.unknowns[j].first),
                      fmt::format("{:.12g} (guess {:.12g})", s.unknowns[j].second, s.guess[j].second));
  rows.emplace_back("integrated again", std::isfinite(control.mismatch)
                                            ? fmt::format("differs by {:.2e}", control.mismatch)
                                            : "another motion");
  std::string text = "\n" + aligned(rows);
  if (!control.candidates.empty()) {
    text += fmt::format("\n  {:>16}  {}\n", "cost", "impacts");
    for (const auto& [sequence, cost] : control.candidates)
      text += fmt::format("  {:>16}  {}\n", std::isfinite(cost) ? fmt::format("{:.10g}", cost) : "not solved",
                          printable(sequence));
  }
  for (const auto& [sequence, cost] : control.pruned)
    text += fmt::format("  what begins with {} is not tried further: already the way to there costs {:.6g}\n",
                        printable(sequence), cost);
  if (control.refinements.size() > 1) {
    text += fmt::format("\n  {:>10}  {:>16}\n", "intervals", "cost");
    for (const auto& [intervals, cost] : control.refinements)
      text += fmt::format("  {:>10}  {:>16.12g}\n", intervals, cost);
  }
  std::size_t width = 9;
  for (const auto& [name, value] : s.conditions) width = std::max(width, printable(name).size());
  if (!s.conditions.empty())
    text += fmt::format("\n  {:<{}}  {:>12}  {:>16}\n", "condition", width, "solver", "integrated again");
  for (std::size_t i = 0; i < s.conditions.size(); ++i) {
    const double again = i < s.verified.size() ? s.verified[i].second : std::nan("");
    text += fmt::format("  {:<{}}  {:>12.2e}  {:>16}\n", printable(s.conditions[i].first), width,
                        s.conditions[i].second, std::isfinite(again) ? fmt::format("{:.2e}", again) : "-");
  }
  return text + "\n";
}

}  // namespace

int solve_control_problem(const Scenario& scenario, const std::filesystem::path& directory, const Voice& voice) {
  const bool talks = !voice.json && !voice.quiet;
  ControlProgress progress{.stop = stop_on_signals(long_patience)};
  if (talks) {
    progress.begin = [&](const std::string& title) {
      say("{}{}{}\n{}", printable(scenario.title), title.empty() ? "" : ": ", printable(title), iteration_heading);
    };
    progress.step = [](const InteriorStep& step) {
      say("{}", iteration_line(step));
      std::fflush(stdout);
    };
  }
  const Controlled controlled = solve_control(scenario, progress);
  const ControlSolution& solution = controlled.solution;
  const Scenario& solved = controlled.scenario;
  const bool interrupted = solution.status == ControlSolution::Status::interrupted;
  if (interrupted) stopping_in_order();  // the best iterate is run and written

  std::vector<std::string> warnings;
  Summary summary;
  Impacts impacts;
  try {
    const std::unique_ptr<Stepper> stepper = make_stepper(solved, warnings);
    for (const std::string& warning : warnings) complain("ricochet: warning: {}\n", warning);
    RunControl run_control = control_for(voice);
    if (interrupted) run_control.stop = nullptr;
    run_control.impact = [&](const Impact& impact) { impacts.push_back(impact); };
    summary = run(*stepper, solved.run, describe(solved), directory, run_control);
  } catch (const InputError& error) {
    complain("ricochet: {}\nricochet: the best iterate cannot be run: {}\n", solution.message, error.what());
    return exit_solver;
  }
  add_quantities(solved, impacts, summary);
  const Impacts real = real_impacts(solution.problem, solution.trajectory, impacts);
  add_control(controlled, impacts, summary);
  if (summary.exit_code == 0 && solution.status != ControlSolution::Status::solved)
    summary.exit_code = interrupted ? exit_interrupted : exit_solver;
  write_summary(directory / summary_name, summary);
  if (talks) say_text(control_table(controlled, summary.design));
  const int exit_code = report_outcome(summary, solved, directory, voice);
  if (const double mismatch = summary.design.solution->control->mismatch;
      solution.status == ControlSolution::Status::solved && mismatch > std::sqrt(solution.problem.tolerance))
    complain(
        "ricochet: warning: the motion integrated again differs by {:.2g}: without feedback it is unstable, and grows "
        "round-off to that; a shorter duration, or what of it can be trusted\n",
        mismatch);
  if (const Impact* last = last_instant(solution.problem, solution.trajectory, real); last != nullptr && talks)
    say("  the motion ends by striking {}; the conditions hold just before\n\n",
        printable(solution.problem.model.contacts[last->contacts.front().contact].name));
  if (solution.status == ControlSolution::Status::failed) {
    complain("ricochet: {}: not solved: {}\n", scenario.place("optimize"), solution.message);
    for (const auto& [name, residual] : solution.worst) complain("  residual {:.6g} of {}\n", residual, name);
    const auto& verified = summary.design.solution->verified;
    if (!solution.worst.empty() && !verified.empty()) complain("  integrated again with these controls:\n");
    for (const auto& [name, residual] : verified)
      if (!solution.worst.empty() && std::isfinite(residual)) complain("  residual {:.6g} of {}\n", residual, name);
    return exit_solver;
  }
  if (interrupted) {
    complain("ricochet: interrupted; the best iterate is in {}\n", directory.string());
    return exit_interrupted;
  }
  return exit_code;
}

}  // namespace ricochet::cli
