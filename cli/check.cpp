// ricochet check [SCENARIO…]: run in memory and compare with [expect]. Scenarios run side by side; lines come in order.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <future>

#include "control_outcome.hpp"
#include "gallery.hpp"
#include "interrupt.hpp"
#include "outcome.hpp"
#include "ricochet/scenario/expect.hpp"
#include "ricochet/simulation/summary.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

struct Checked {
  std::string line;
  std::vector<std::string> details;
  int exit_code = 0;
};

Checked check_one(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                  std::atomic<bool>* stop) {
  Checked result;
  try {
    Scenario scenario = read_scenario(file, overrides);
    std::optional<Solved> solved;
    if (scenario.shoot) {  // the expectations are of the solution
      solved = solve_scenario(scenario, shooting_problem(scenario), {.stop = stop, .progress = {}});
      scenario = solved->scenario;
    }
    std::optional<Controlled> controlled;
    if (scenario.optimize) {
      controlled = solve_control(scenario, {.stop = stop});
      scenario = controlled->scenario;
    }
    std::vector<std::string> warnings;
    Impacts impacts;
    const std::unique_ptr<Stepper> stepper = make_stepper(scenario, warnings);
    RunControl control;
    control.stop = stop;
    control.stopping = stopping_in_order;
    if (solved || controlled || !scenario.quantities.empty())
      control.impact = [&](const Impact& impact) { impacts.push_back(impact); };
    Summary summary = run(*stepper, scenario.run, describe(scenario), control);
    add_quantities(scenario, impacts, summary);
    if (solved) add_solution(*solved, impacts, summary);
    if (controlled) add_control(*controlled, impacts, summary);
    for (const FailedExpectation& f : failed_expectations(scenario, summary_json(summary)))
      result.details.push_back(fmt::format("{}: {}: wanted {}, got {}", f.where, f.path, f.wanted, f.got));
    const bool status_expected = std::any_of(scenario.expect.begin(), scenario.expect.end(), [](const Expectation& e) {
      return e.path == "status" || e.path == "solution.status";
    });
    if (solved && solved->solution.status == ShootingSolution::Status::failed && !status_expected) {
      result.exit_code = exit_solver;
      result.details.insert(result.details.begin(),
                            fmt::format("{}: not solved: {}", scenario.place("shoot"), solved->solution.message));
    }
    if (controlled && controlled->solution.status == ControlSolution::Status::failed && !status_expected) {
      result.exit_code = exit_solver;
      result.details.insert(result.details.begin(), fmt::format("{}: not solved: {}", scenario.place("optimize"),
                                                                controlled->solution.message));
    }
    if (summary.status == "interrupted" || (summary.status == "failed" && !status_expected)) {
      result.exit_code = summary.exit_code;
      result.details.insert(result.details.begin(), fmt::format("{}: {} {}", place_of_failure(summary, scenario),
                                                                summary.status, summary.message));
    } else if (!result.details.empty() && result.exit_code == 0) {
      result.exit_code = exit_expectation;
    }
    result.line =
        fmt::format("{} expectations, {} steps, {:.3g} s", scenario.expect.size(), summary.steps, summary.wall_seconds);
    for (const std::string& warning : summary.warnings) result.details.push_back("warning: " + warning);
  } catch (const InputError& error) {
    result = {"bad scenario", {error.what()}, exit_bad_scenario};
  }
  return result;
}

// The gravest outcome: interrupted, then a bad scenario, then a solver, then an expectation.
int graver(int a, int b) {
  const auto rank = [](int code) {
    const int order[] = {0, exit_expectation, exit_solver, exit_bad_scenario, exit_interrupted};
    return std::find(std::begin(order), std::end(order), code) - std::begin(order);
  };
  return rank(a) >= rank(b) ? a : b;
}

int check_all(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& overrides) {
  std::atomic<bool>* stop = stop_on_signals();
  std::size_t width = 0;
  for (const auto& file : files) width = std::max(width, file.stem().string().size());
  constexpr std::size_t at_once = 2;
  std::vector<std::future<Checked>> checks(files.size());
  const auto start = [&](std::size_t k) {
    if (k < files.size())
      checks[k] = std::async(std::launch::async, [&, k] { return check_one(files[k], overrides, stop); });
  };
  for (std::size_t k = 0; k < at_once; ++k) start(k);
  int exit_code = 0;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const Checked result = checks[k].get();
    start(k + at_once);
    say_text(result.exit_code == 0 ? coloured(STDOUT_FILENO, Colour::green, "pass")
                                   : coloured(STDOUT_FILENO, Colour::red, "FAIL"));
    say("  {:<{}}  {}\n", printable(files[k].stem().string()), width, result.line);
    for (const std::string& detail : result.details) say("      {}\n", printable(shortened(detail)));
    std::fflush(stdout);
    exit_code = graver(exit_code, result.exit_code);
    if (exit_code == exit_interrupted) break;
  }
  return exit_code;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  struct CheckArguments {
    std::vector<std::string> scenarios, overrides;
  };
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* verb = app.add_subcommand("check", "run scenarios and compare with what they expect");
  verb->add_option("SCENARIO", arguments->scenarios, "scenario files or names (default: the whole gallery)");
  add_set_option(*verb, arguments->overrides);
  verb->callback([arguments, &exit_code] {
    std::vector<std::filesystem::path> files;
    for (const std::string& name : arguments->scenarios) files.push_back(find_scenario(name));
    exit_code = check_all(arguments->scenarios.empty() ? gallery() : files, arguments->overrides);
  });
}

}  // namespace ricochet::cli
