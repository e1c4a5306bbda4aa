// ricochet solve SCENARIO: the problem that [shoot] or [optimize] poses; then the motion that solves it, run as any
// other.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "design_outcome.hpp"
#include "gallery.hpp"
#include "interrupt.hpp"
#include "outcome.hpp"
#include "output_path.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "ricochet/simulation/summary.hpp"
#include "solve_control.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

struct SolveArguments {
  std::string scenario, directory;
  std::vector<std::string> overrides;
  Voice voice;
};

std::string heading(const ShootingProblem& problem) {
  std::string line = fmt::format("  {:>4}  {:>9}  {:>7}", "step", "residual", "damping");
  if (!problem.from.empty()) line += fmt::format("  {:>6}", "share");
  for (const Unknown& u : problem.unknowns) line += fmt::format("  {:>16}", printable(u.name));
  return line + "\n";
}

std::string progress_line(const ShootingProblem& problem, const Iterate& it) {
  std::string line = fmt::format("  {:>4}  {:>9.2e}  {:>7.4g}", it.number, it.residual, it.damping);
  if (!problem.from.empty()) line += fmt::format("  {:>6.4f}", it.share);
  for (std::size_t j = 0; j < it.unknowns.size(); ++j)
    line += fmt::format("  {:>{}.12g}", it.unknowns[j], std::max<std::size_t>(16, problem.unknowns[j].name.size()));
  return line + "\n";
}

std::string solution_table(const DesignSummary& design) {
  const DesignSummary::Solution& s = *design.solution;
  std::size_t width = 8;
  for (const auto* list : {&s.unknowns, &s.conditions})
    for (const auto& [name, value] : *list) width = std::max(width, printable(name).size());
  std::string text = fmt::format("\n  {:<{}}  {:>18}  {:>18}\n", "unknown", width, "guess", "solution");
  for (std::size_t j = 0; j < s.unknowns.size(); ++j)
    text += fmt::format("  {:<{}}  {:>18.12g}  {:>18.12g}\n", printable(s.unknowns[j].first), width, s.guess[j].second,
                        s.unknowns[j].second);
  text += fmt::format("\n  {:<{}}  {:>18}  {:>18}\n", "condition", width, "solver", "ordinary run");
  for (std::size_t i = 0; i < s.conditions.size(); ++i) {
    const double again = i < s.verified.size() ? s.verified[i].second : std::nan("");
    text += fmt::format("  {:<{}}  {:>18.3e}  {:>18}\n", printable(s.conditions[i].first), width,
                        s.conditions[i].second, std::isfinite(again) ? fmt::format("{:.3e}", again) : "-");
  }
  if (!design.floquet.empty()) {
    text += "\n  multipliers";
    for (const std::complex<double>& x : design.floquet)
      text += x.imag() == 0 ? fmt::format("  {:.9g}", x.real()) : fmt::format("  {:.9g}{:+.9g}i", x.real(), x.imag());
    text += "\n";
  }
  return text + "\n";
}

int solve_one(const SolveArguments& arguments) {
  const Scenario scenario = read_scenario(find_scenario(arguments.scenario), arguments.overrides);
  if (!scenario.shoot && !scenario.optimize)
    throw InputError(fmt::format("{}: there is nothing to solve: the scenario has no [shoot] and no [optimize]",
                                 scenario.path.string()));
  std::optional<ShootingProblem> shooting;
  if (scenario.shoot) shooting = shooting_problem(scenario);
  const std::filesystem::path directory = free_directory(arguments.directory, scenario, arguments.voice.quiet);
  for (const std::filesystem::path& file : run_files(directory)) refuse_input(file, {scenario.path});

  Voice voice = arguments.voice;
  if (scenario.optimize) return solve_control_problem(scenario, directory, voice);
  const ShootingProblem& problem = *shooting;
  const bool talks = !voice.json && !voice.quiet;
  std::atomic<bool>* stop = stop_on_signals();
  if (talks) say("{}\n{}", printable(scenario.title), heading(problem));
  SolveControl control{.stop = stop, .progress = {}};
  if (talks)
    control.progress = [&](const Iterate& it) {
      say("{}", progress_line(problem, it));
      std::fflush(stdout);
    };
  const Solved outcome = solve_scenario(scenario, problem, control);
  const ShootingSolution& solution = outcome.solution;
  const Scenario& solved = outcome.scenario;
  const bool interrupted = solution.status == ShootingSolution::Status::interrupted;
  if (interrupted) stopping_in_order();  // the best iterate is run and written

  // The motion of the solution, or of the best iterate, as an ordinary run.
  std::vector<std::string> warnings;
  Summary summary;
  Impacts impacts;
  try {
    const std::unique_ptr<Stepper> stepper = make_stepper(solved, warnings);
    for (const std::string& warning : warnings) complain("ricochet: warning: {}\n", warning);
    voice.said.insert(warnings.begin(), warnings.end());
    RunControl run_control = control_for(voice);
    if (interrupted) run_control.stop = nullptr;
    run_control.impact = [&](const Impact& impact) { impacts.push_back(impact); };
    summary = run(*stepper, solved.run, describe(solved), directory, run_control);
  } catch (const InputError& error) {
    complain("ricochet: {}\nricochet: the best iterate cannot be run: {}\n", solution.message, error.what());
    return exit_solver;
  }
  add_quantities(solved, impacts, summary);
  add_solution(outcome, impacts, summary);
  if (summary.exit_code == 0 && solution.status != ShootingSolution::Status::solved)
    summary.exit_code = interrupted ? exit_interrupted : exit_solver;
  write_summary(directory / summary_name, summary);
  if (talks) say_text(solution_table(summary.design));
  const int exit_code = report_outcome(summary, solved, directory, voice);
  if (solution.status == ShootingSolution::Status::failed) {
    complain("ricochet: {}: not solved: {}\n", scenario.place("shoot"), solution.message);
    for (const auto& [name, residual] : summary.design.solution->conditions)
      complain("  residual {:.6g} of {}\n", residual, name);
    return exit_solver;
  }
  if (interrupted) {
    complain("ricochet: interrupted; the best iterate, residual {:.3g}, is in {}\n", solution.residual,
             directory.string());
    return exit_interrupted;
  }
  return exit_code;
}

}  // namespace

void add_solve(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<SolveArguments>();
  CLI::App* verb = app.add_subcommand("solve", "solve the problem that the scenario poses in [shoot] or [optimize]");
  verb->add_option("SCENARIO", arguments->scenario, "a scenario file, or a name from `ricochet list`")->required();
  verb->add_option("-o,--output", arguments->directory, "where the results go (default: runs/NAME)")->type_name("DIR");
  add_set_option(*verb, arguments->overrides);
  verb->add_flag("--json", arguments->voice.json, "print the summary as JSON");
  verb->add_flag("--quiet", arguments->voice.quiet, "print nothing but errors");
  verb->callback([arguments, &exit_code] { exit_code = solve_one(*arguments); });
}

}  // namespace ricochet::cli
