// ricochet cite DIR: what to cite for a run, as BibTeX: the program with its version, the paper of the method, and what
// the scenario names as its source.

#include <fmt/format.h>

#include "ricochet/scenario/scenario.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

using Paper = const char*;  // its entry

constexpr Paper fmow{
    "@article{FetecauMarsdenOrtizWest2003,\n"
    "  author  = {Fetecau, R. C. and Marsden, J. E. and Ortiz, M. and West, M.},\n"
    "  title   = {Nonsmooth {Lagrangian} mechanics and variational collision integrators},\n"
    "  journal = {SIAM Journal on Applied Dynamical Systems},\n"
    "  volume  = {2},\n  number  = {3},\n  pages   = {381--416},\n  year    = {2003}\n}\n"};
constexpr Paper marsden_west{
    "@article{MarsdenWest2001,\n"
    "  author  = {Marsden, J. E. and West, M.},\n"
    "  title   = {Discrete mechanics and variational integrators},\n"
    "  journal = {Acta Numerica},\n"
    "  volume  = {10},\n  pages   = {357--514},\n  year    = {2001}\n}\n"};
constexpr Paper kaufman_pai{
    "@article{KaufmanPai2012,\n"
    "  author  = {Kaufman, D. M. and Pai, D. K.},\n"
    "  title   = {Geometric numerical integration of inequality constrained, nonsmooth {Hamiltonian} systems},\n"
    "  journal = {SIAM Journal on Scientific Computing},\n"
    "  volume  = {34},\n  number  = {5},\n  pages   = {A2670--A2703},\n  year    = {2012}\n}\n"};
constexpr Paper lew{
    "@article{LewMarsdenOrtizWest2003,\n"
    "  author  = {Lew, A. and Marsden, J. E. and Ortiz, M. and West, M.},\n"
    "  title   = {Asynchronous variational integrators},\n"
    "  journal = {Archive for Rational Mechanics and Analysis},\n"
    "  volume  = {167},\n  pages   = {85--146},\n  year    = {2003}\n}\n"};

constexpr Paper rodriguez_colombo{
    "@misc{RodriguezAbellaColombo2025,\n"
    "  author  = {Rodr{\\'\\i}guez Abella, {\\'A}. and Colombo, L.},\n"
    "  title   = {Variational collision integrators for nonholonomic {Lagrangian} "
    "systems},\n  note    = {arXiv:2503.19724},\n  year    = {2025}\n}\n"};

std::vector<Paper> papers_of(const std::string& method) {
  if (method == "variational") return {marsden_west};
  if (method == "variational-collision") return {fmow, marsden_west};
  if (method.starts_with("nonholonomic")) return {rodriguez_colombo, fmow};
  if (method == "generalized-variational") return {kaufman_pai};
  if (method == "avi") return {lew};
  return {};
}

std::string braced(const std::string& text) {  // what BibTeX would read as its own
  std::string out;
  for (const char c : text)
    out += std::string_view("{}%#&_$\\").find(c) == std::string_view::npos ? std::string(1, c) : std::string("\\") + c;
  return out;
}

void cite(const std::string& directory) {
  const ArchiveReader archive(std::filesystem::path(directory) / archive_name);
  const RunDescription& about = archive.header().about;
  const Scenario scenario = read_scenario_text(about.scenario_text, about.scenario_name, about.overrides);
  std::string note = fmt::format("Version {}; method {}{}{}, step {}", RICOCHET_VERSION, about.method,
                                 about.discretization.empty() ? "" : ", ", about.discretization, scenario.run.step);
  std::string text = fmt::format(
      "@software{{Ricochet,\n  author  = {{{{The Ricochet developers}}}},\n"
      "  title   = {{Ricochet: variational collision integrators for mechanical systems that collide}},\n"
      "  version = {{{}}},\n  note    = {{{}}}\n}}\n",
      RICOCHET_VERSION, braced(note));
  for (const Paper paper : papers_of(about.method)) text += fmt::format("\n{}", paper);
  if (!scenario.reference.empty())
    text += fmt::format("\n% The scenario \"{}\" names as its source: {}\n", printable(scenario.title),
                        printable(scenario.reference));
  say_text(text);
}

}  // namespace

void add_cite(CLI::App& app, int&) {
  const auto directory = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("cite", "what to cite for a run, as BibTeX");
  verb->add_option("DIR", *directory, "the directory of a run")->required();
  verb->callback([directory] { cite(*directory); });
}

}  // namespace ricochet::cli
