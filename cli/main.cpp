// ricochet: the verbs, and what becomes of their errors.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "ricochet/error.hpp"
#include "ricochet/formula/parser.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace {

using namespace ricochet;
using namespace ricochet::cli;

int failed(int exit_code, const std::string& message) {
  complain("ricochet: {}\n", message);
  return exit_code;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = formula::nearest(word, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

// The nearest option to the first word that looks like one and is none.
std::string option_suggestion(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> known{"--help", "--version"};
  for (const CLI::App* verb : app.get_subcommands([&](const CLI::App* v) { return v->get_name() == words.front(); }))
    for (const CLI::Option* option : verb->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name.starts_with("--") && std::find(known.begin(), known.end(), name) == known.end())
      return suggestion(name, known);
  }
  return "";
}

int run_program(int argc, char** argv) {
  CLI::App app("Ricochet simulates mechanical systems that collide, and keeps what physics keeps.", "ricochet");
  app.set_version_flag("-V,--version", "ricochet " RICOCHET_VERSION);
  app.require_subcommand(1);
  int exit_code = 0;
  for (const auto add : {add_run, add_check, add_list, add_methods, add_laws, add_export, add_resume, add_audit,
                         add_compare, add_solve, add_report, add_plot, add_gallery, add_cite, add_man, add_completion})
    add(app, exit_code);

  std::vector<std::string> words(argv + 1, argv + argc);
  const std::vector<std::string> verbs = verb_names(app);
  if (!words.empty() && words.front() == "help") {  // help VERB is VERB --help
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words.empty()) {
    complain_text(app.help());
    return exit_usage;
  }
  if (!words.front().starts_with("-") && std::find(verbs.begin(), verbs.end(), words.front()) == verbs.end()) {
    const std::string near = suggestion(words.front(), verbs);
    return failed(exit_usage, fmt::format("there is no verb \"{}\"{}", words.front(),
                                          near.empty() ? fmt::format("; there are {}", fmt::join(verbs, ", ")) : near));
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // it takes them from the back
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return failed(exit_usage, fmt::format("{}{}", error.what(), option_suggestion(app, words)));
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // beyond a limit of file size a write fails, as on a full disk
  try {
    const int exit_code = run_program(argc, argv);
    if (exit_code == 0) finish_saying();
    return exit_code;
  } catch (const UsageError& error) {
    return failed(exit_usage, error.what());
  } catch (const InputError& error) {
    return failed(exit_bad_scenario, error.what());
  } catch (const SolverError& error) {
    return failed(exit_solver, fmt::format("{}; {}", error.what(), error.advice));
  } catch (const std::bad_alloc&) {
    return failed(exit_failed, "out of memory");
  } catch (const std::exception& error) {
    return failed(exit_failed, fmt::format("failed: {}", error.what()));
  }
}
