#include "ricochet/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "continuum_reader.hpp"
#include "expect_reader.hpp"
#include "initial_reader.hpp"
#include "integrator_reader.hpp"
#include "optimize_reader.hpp"
#include "overrides.hpp"
#include "ricochet/continuum/continuum_stepper.hpp"
#include "ricochet/formula/substitute.hpp"
#include "ricochet/mechanics/contact_frame.hpp"
#include "ricochet/simulation/method_stepper.hpp"
#include "run_reader.hpp"
#include "section_reader.hpp"
#include "shoot_reader.hpp"
#include "system_reader.hpp"
#include "view_reader.hpp"

namespace ricochet {

namespace {

std::string read_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) throw InputError(fmt::format("{}: is a directory", file.string()));
  if (!std::filesystem::exists(file, error)) throw InputError(fmt::format("{}: there is no such file", file.string()));
  std::ifstream in(file, std::ios::binary);
  std::string text(Document::max_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (in.fail() && !in.eof())) throw InputError(fmt::format("{}: cannot be read", file.string()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

// The place of every key, tables of lists by their name.
void collect_places(const Document& document, const toml::node& node, const std::string& key,
                    std::map<std::string, std::string>& places) {
  if (!key.empty()) places.emplace(key, document.place(node.source()));
  const std::string prefix = key.empty() ? "" : key + ".";
  if (const toml::table* table = node.as_table())
    for (auto&& [name, child] : *table) collect_places(document, child, prefix + std::string(name.str()), places);
  if (const toml::array* list = node.as_array())
    for (const toml::node& element : *list)
      if (const toml::table* table = element.as_table())
        if (const toml::node* name = table->get("name"); name && name->is_string())
          collect_places(document, element, prefix + name->as_string()->get(), places);
}

// A control is 0 while these are read: they would depend on it silently.
void refuse_controls(const Scenario& scenario, const std::vector<std::pair<std::string, Expr>>& controls) {
  const auto refuse = [&](Expr f, const std::string& key) {
    for (const auto& [name, symbol] : controls)
      if (f && depends_on(f, symbol))
        throw InputError(
            fmt::format("{}: {}: the control {} cannot be used here; controls are for forces and the "
                        "Lagrangian",
                        scenario.place(key), key, name));
  };
  for (const Expr& f : scenario.position_formulas) refuse(f, "initial.position");
  for (const Expr& f : scenario.velocity_formulas)
    refuse(f, scenario.momentum_given ? "initial.momentum" : "initial.velocity");
  for (const Contact& contact : scenario.model.contacts) {
    const std::string key = "system.contact." + contact.name;
    refuse(contact.gap, key + ".gap");
    refuse(contact.restitution, key + ".restitution");
    refuse(contact.friction, key + ".friction");
    for (const Expr& f : contact.point) refuse(f, key + ".point");
    for (const std::vector<Expr>& row : contact.tangent)
      for (const Expr& f : row) refuse(f, key + ".tangent");
  }
  for (const Constraint& f : scenario.model.holonomic) refuse(f.equation, "system.holonomic." + f.name);
  for (const Constraint& f : scenario.model.nonholonomic) refuse(f.equation, "system.nonholonomic." + f.name);
  for (const Symmetry& s : scenario.model.symmetries)
    for (const Expr& f : s.generator) refuse(f, "system.symmetry." + s.name);
}

// With an unknown duration T the number N of steps is fixed and h = T/N.
void keep_duration(const KeptNames& kept, Scenario& scenario) {
  const auto found = kept.guesses.find("duration");
  if (!kept.all && found == kept.guesses.end()) return;
  if (!(scenario.run.duration > 0)) return;  // it ends with an impact
  if (!kept.all) {
    RunSettings& run = scenario.run;
    run.duration = found->second.value_or(run.duration);
    run.step = scenario.integrator.step = run.duration / std::fmax(1, std::round(run.duration / run.step));
  }
  scenario.model.graph->parameter("duration", scenario.run.duration);
}

// Time elapsed t is the physical time 2 start − t: make_stepper reverses the model, this pictures and sections.
void reverse_time(Scenario& scenario) {
  const Expr t = scenario.model.time();
  for (Shape& shape : scenario.shapes)
    for (auto& [name, list] : shape.formulas)
      for (Expr& f : list) f = formula::substitute(f, {{t, 2 * scenario.run.start - t}});
  for (Section& section : scenario.sections) {
    for (Expr& f : section.quantities) f = formula::substitute(f, {{t, 2 * scenario.run.start - t}});
    if (section.crosses) section.crosses = formula::substitute(section.crosses, {{t, 2 * scenario.run.start - t}});
  }
}

// Bodies on a line: the step comes from the mesh, so that nothing is left to say in [system], [initial], [integrator].
void read_bodies(TableReader& root, Scenario& scenario) {
  for (const char* name : {"system", "initial", "integrator", "contact", "view", "shoot", "optimize", "schedule"})
    if (root.find(name)) root.fail(name, fmt::format("[{}] has no meaning beside [continuum]", name));
  scenario.continuum = continuum::read_continuum(root.require_table("continuum"));
  continuum::Model& model = *scenario.continuum;
  TableReader run = root.require_table("run");
  model.start = run.number("start").value_or(0.0);
  model.duration = std::max(run.number("duration").value_or(0.0), 0.0);
  scenario.integrator.method = continuum::name(model.scheme);
  try {
    scenario.integrator.step = continuum::step_of(model);
  } catch (const ModelError& error) {
    throw located(error, scenario);
  }
  if (run.find("direction")) run.fail("direction", "bodies run forward");
  scenario.run = read_run(root.require_table("run"), scenario.integrator, !model.contacts.empty());
}

Scenario read_document(Document document, const std::vector<std::string>& overrides, const KeptNames* kept = nullptr) {
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  Scenario scenario;
  scenario.text = document.text();
  scenario.overrides = overrides;
  collect_places(document, document.root(), "", scenario.places);
  scenario.places[""] = document.name() + ":1:1";

  TableReader root(document, document.root(), "");
  scenario.title = root.text("title").value_or("");
  scenario.reference = root.text("reference").value_or("");
  for (const char* name : {"system", "initial", "integrator", "run"}) root.find(name);
  if (const toml::node* list = document.root().get("contact"); list && list->is_array())
    root.fail("contact", "contacts belong to the system: [[system.contact]]");
  const auto output = root.table("output"), contact = root.table("contact"), expect = root.table("expect"),
             view = root.table("view"), shoot = root.table("shoot"), schedule = root.table("schedule");
  auto optimize = root.table("optimize");
  if (shoot && optimize) root.fail("optimize", "the scenario has a [shoot] already: one problem in a file");
  if (schedule && !optimize) root.fail("schedule", "a schedule is of the controls that [optimize] names");
  if (root.find("continuum")) {
    read_bodies(root, scenario);
    root.finish();
    if (output && output->table().contains("section"))
      output->fail("section", "a section needs coordinates, which bodies on meshes do not have; expected a probe");
    if (output) read_output(*output, scenario.run);
    if (expect) scenario.expect = read_expect(*expect, summary_fields(*scenario.continuum));
    return scenario;
  }
  root.finish();

  FormulaReader formulas(document, scenario.model.graph);
  formulas.kept = kept;
  std::vector<std::pair<std::string, Expr>> controls;
  read_system(root.require_table("system"), formulas, scenario.model, [&] {
    if (optimize) controls = read_controls(*optimize, formulas);
  });
  scenario.integrator = read_integrator(root.require_table("integrator"));
  read_initial(root.require_table("initial"), formulas, scenario);
  refuse_controls(scenario, controls);
  for (const Variable& v : formulas.variables) scenario.variables.emplace_back(v.name, v.value);
  scenario.run = read_run(root.require_table("run"), scenario.integrator, !scenario.model.contacts.empty());
  if (output) {
    if (const toml::node* quantities = output->table().get("quantities"))
      scenario.quantities = read_quantities(*quantities, output->key_of("quantities"), "formula", formulas);
    scenario.sections = read_sections(*output, formulas, scenario.model);
    read_output(*output, scenario.run);
  }
  if (shoot) scenario.shoot = read_shoot(*shoot, formulas, scenario);
  if (optimize) scenario.optimize = read_optimize(*optimize, formulas, scenario, controls);
  if (schedule) scenario.schedule = read_schedule(*schedule, controls, scenario.run);
  if (kept != nullptr) keep_duration(*kept, scenario);
  if (contact) scenario.rest = read_contact(*contact);
  scenario.integrator.rest = scenario.rest.policy == "auto";
  scenario.integrator.most_bounces =
      static_cast<int>(std::min<std::int64_t>(scenario.rest.max_impacts_per_step, std::numeric_limits<int>::max()));
  if (expect) scenario.expect = read_expect(*expect, summary_fields(scenario));
  if (view) scenario.shapes = read_view(*view, formulas);
  if (scenario.integrator.backward) reverse_time(scenario);
  return scenario;
}

}  // namespace

Scenario read_scenario(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Scenario scenario = read_document(Document(file.string(), read_file(file)), overrides);
  scenario.path = file;
  scenario.name = file.stem().string();
  if (scenario.title.empty()) scenario.title = scenario.name;
  return scenario;
}

Scenario read_scenario_text(const std::string& text, const std::string& name,
                            const std::vector<std::string>& overrides) {
  Scenario scenario = read_document(Document(name, text), overrides);
  scenario.path = name;
  scenario.name = scenario.path.stem().string();
  if (scenario.title.empty()) scenario.title = scenario.name;
  return scenario;
}

Scenario read_again(const Scenario& scenario, const KeptNames& kept) {
  Scenario again = read_document(Document(scenario.path.string(), scenario.text), scenario.overrides, &kept);
  again.path = scenario.path;
  again.name = scenario.name;
  again.title = scenario.title;
  return again;
}

std::string read_title(const std::filesystem::path& file) {
  const Document document(file.string(), read_file(file));
  return TableReader(document, document.root(), "").text("title").value_or(file.stem().string());
}

std::string Scenario::place(const std::string& key) const {
  // "system.contact.pair[2].gap" stands where "system.contact.pair.gap" does.
  std::string prefix;
  int depth = 0;
  for (const char c : key) {
    if (c == '[') ++depth;
    if (depth == 0) prefix += c;
    if (c == ']') depth = std::max(0, depth - 1);
  }
  if (const auto whole = places.find(key); whole != places.end()) return whole->second;
  while (true) {
    if (const auto found = places.find(prefix); found != places.end()) return found->second;
    if (prefix.empty()) return path.string();
    const std::size_t dot = prefix.rfind('.');
    prefix.resize(dot == std::string::npos ? 0 : dot);
  }
}

InputError located(const ModelError& error, const Scenario& scenario) {
  return InputError(fmt::format("{}: {}: {}", scenario.place(error.key), error.key, error.what()));
}

std::unique_ptr<Stepper> make_stepper(const Scenario& scenario, std::vector<std::string>& warnings) {
  try {
    if (scenario.continuum) return continuum::make_stepper(*scenario.continuum, warnings);
    const auto has_point = [](const Contact& contact) { return !contact.point.empty(); };
    if (std::any_of(scenario.model.contacts.begin(), scenario.model.contacts.end(), has_point))
      check_frames(System(scenario.model), scenario.position.data(), scenario.run.start);
    const InitialState initial{scenario.run.start, scenario.position, scenario.velocity_or_momentum,
                               scenario.momentum_given, scenario.project};
    return with_sections(scenario.schedule ? make_scheduled_stepper(scenario.model, scenario.integrator, initial,
                                                                    *scenario.schedule, warnings)
                                           : make_stepper(scenario.model, scenario.integrator, initial, warnings),
                         scenario.model, scenario.sections);
  } catch (const ModelError& error) {
    throw located(error, scenario);
  }
}

RunDescription describe(const Scenario& scenario) {
  return {scenario.title, scenario.integrator.method, scenario.integrator.discretization, scenario.path.string(),
          scenario.text,  scenario.overrides};
}

}  // namespace ricochet
