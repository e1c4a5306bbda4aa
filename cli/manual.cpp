// ricochet man, ricochet completion SHELL: the manual page and what a shell offers after a tab, both generated from the
// verbs, options and descriptors themselves.

#include <fmt/format.h>

#include "ricochet/continuum/integrator.hpp"
#include "ricochet/discrete/tableau.hpp"
#include "ricochet/methods/describe.hpp"
#include "ricochet/methods/options.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_name().empty(); });
}

std::vector<std::string> option_words(const CLI::App& verb) {
  std::vector<std::string> words;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    for (const std::string& name : option->get_snames()) words.push_back("-" + name);
  }
  return words;
}

// Of troff: a backslash, and a dot or quote at the front of a line, are its own.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : printable(text))
    out += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c);
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string name_of(const CLI::Option& option) {
  const std::string type = option.get_items_expected_max() > 0 ? option.get_type_name() : "";
  const bool value = !option.get_positional() && option.get_type_size() > 0;
  return option.get_positional() ? option.get_name(true) : option.get_name(false, true) + (value ? " " + type : "");
}

std::string options_of(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options())
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(name_of(*option)), roff(option->get_description()));
  return text;
}

std::string man_page(const CLI::App& app) {
  std::string text = fmt::format(".TH RICOCHET 1 \"\" \"ricochet {}\"\n.SH NAME\nricochet \\- {}\n", RICOCHET_VERSION,
                                 roff("simulates mechanical systems that collide"));
  text +=
      ".SH SYNOPSIS\n.B ricochet\n.I VERB\n[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" + roff(app.get_description()) + "\n";
  text += ".SH VERBS\n";
  for (const CLI::App* verb : verbs_of(app))
    text += fmt::format(".SS {}\n{}\n{}", roff(verb->get_name()), roff(verb->get_description()), options_of(*verb));
  for (const auto& [heading, list] : {std::pair{"METHODS", &method_descriptors()},
                                      {"DISCRETIZATIONS", &discretization_descriptors()},
                                      {"INTEGRATORS OF BODIES", &continuum::integrator_descriptors()}}) {
    text += fmt::format(".SH {}\n", heading);
    for (const Descriptor& d : *list) {
      text += fmt::format(".TP\n\\fB{}\\fR\n{} (order: {})\n", roff(d.name), roff(d.doc), roff(d.order));
      for (const ParameterDoc& p : d.parameters) text += fmt::format(".br\n{}: {}\n", roff(p.name), roff(describe(p)));
    }
  }
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : {std::pair{0, "done"},
                                      {exit_failed, "the run failed, or a file could not be written"},
                                      {exit_usage, "usage"},
                                      {exit_bad_scenario, "a bad scenario; nothing is written"},
                                      {exit_solver, "a solver did not converge"},
                                      {exit_expectation, "an expectation failed"},
                                      {exit_interrupted, "interrupted; a checkpoint is written"}})
    text += fmt::format(".TP\n.B {}\n{}\n", code, roff(meaning));
  return text +
         ".SH ENVIRONMENT\n.TP\n.B RICOCHET_SCENARIOS\nthe directory of the gallery\n.TP\n.B NO_COLOR\nif set, no "
         "colours\n";
}

std::string method_words() {
  std::string words;
  for (const auto* list : {&method_descriptors(), &continuum::integrator_descriptors()})
    for (const Descriptor& d : *list) words += (words.empty() ? "" : " ") + d.name;
  return words;
}

std::string bash_completion(const CLI::App& app) {
  std::string verbs, cases;
  for (const CLI::App* verb : verbs_of(app)) {
    verbs += verb->get_name() + " ";
    cases += fmt::format("    {}) words=\"{}\" ;;\n", verb->get_name(), fmt::join(option_words(*verb), " "));
  }
  return fmt::format(
      "# bash completion of ricochet: source it, or put it where bash-completion looks\n"
      "_ricochet() {{\n"
      "  local now=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} words\n"
      "  if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W \"{}help --help --version\" -- \"$now\")); return; fi\n"
      "  case $before in\n"
      "    --methods) COMPREPLY=($(compgen -W \"{}\" -- \"$now\")); return ;;\n"
      "    -o|--output) COMPREPLY=($(compgen -d -- \"$now\")); return ;;\n"
      "  esac\n"
      "  case $verb in\n{}  esac\n"
      "  case $verb in\n"
      "    run|check|audit|compare|solve) words+=\" $(\"${{COMP_WORDS[0]}}\" list 2>/dev/null | awk '{{print $1}}')\" "
      ";;\n"
      "    methods) words+=\" {}\" ;;\n"
      "    help) words=\"{}\" ;;\n"
      "    completion) words+=\" bash zsh\" ;;\n"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$now\") $(compgen -f -- \"$now\"))\n"
      "}}\n"
      "complete -o filenames -F _ricochet ricochet ./ricochet\n",
      verbs, method_words(), cases, method_words(), verbs);
}

}  // namespace

void add_man(CLI::App& app, int&) {
  app.add_subcommand("man", "the manual page: ricochet man | man -l -")->callback([&app] { say_text(man_page(app)); });
}

void add_completion(CLI::App& app, int&) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* verb =
      app.add_subcommand("completion", "what a shell offers after a tab: source <(ricochet completion bash)");
  verb->add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  verb->callback([&app, shell] {
    if (*shell == "zsh") say_text("autoload -U +X bashcompinit && bashcompinit\n");
    say_text(bash_completion(app));
  });
}

}  // namespace ricochet::cli
