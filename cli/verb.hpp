#pragma once
// A verb of the command line: one file that declares its arguments and sets the exit code when it is called.

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace ricochet::cli {

// Exit codes of the contract.
inline constexpr int exit_failed = 1, exit_usage = 2, exit_bad_scenario = 3, exit_solver = 4, exit_expectation = 5,
                     exit_interrupted = 130;

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_methods(CLI::App& app, int& exit_code);
void add_laws(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_resume(CLI::App& app, int& exit_code);
void add_audit(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_plot(CLI::App& app, int& exit_code);
void add_solve(CLI::App& app, int& exit_code);
void add_gallery(CLI::App& app, int& exit_code);
void add_cite(CLI::App& app, int& exit_code);
void add_man(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);

// The option --set of a verb.
void add_set_option(CLI::App& verb, std::vector<std::string>& overrides);

}  // namespace ricochet::cli
