#include "expect_reader.hpp"

#include <fmt/format.h>

#include <map>

#include "ricochet/continuum/continuum_stepper.hpp"
#include "ricochet/continuum/episodes.hpp"
#include "ricochet/continuum/probe.hpp"
#include "ricochet/formula/parser.hpp"
#include "ricochet/methods/running_scalars.hpp"
#include "ricochet/simulation/summary_fields.hpp"

namespace ricochet {

namespace {

// The names of summary.json: a node without children is a value. `list` is the length of a list value, else 0.
struct SummaryName {
  std::map<std::string, SummaryName> children;
  std::size_t list = 0;
  bool any_child = false;
};

struct NameReader {
  SummaryName& root;
  std::size_t coordinates = 0;
  void operator()(const std::string& path, const auto&, double = 0) const { name(path); }
  void operator()(const std::string& path, const std::vector<double>&) const { name(path).list = coordinates; }
  void operator()(const std::string&, const std::vector<std::string>&) const {}
  void operator()(const std::string&, const std::vector<Counter>&) const {}
  template <class Named>
  requires requires(Named n) { n.name; }
  void operator()(const std::string& path, const std::vector<Named>& list) const {
    SummaryName& table = name(path);
    table.any_child = list.empty();  // then every name is unknown, and said to be so
    for (const Named& one : list) each_field(one, NameReader{table.children[one.name]});
  }

 private:
  SummaryName& name(const std::string& path) const {
    const std::size_t dot = path.find('.');
    SummaryName& first = root.children[path.substr(0, dot)];
    return dot == std::string::npos ? first : first.children[path.substr(dot + 1)];
  }
};

SummaryName summary_names(const SummaryFields& fields) {
  SummaryName root;
  root.children["format"];
  Summary names;
  for (const std::string& m : fields.momenta) names.momenta.push_back({m});
  for (const std::string& scalar : fields.scalars) names.scalars.push_back({scalar});
  each_field(names, NameReader{root, fields.coordinates});
  for (const std::string& counter : fields.counters) root.children[counter];
  const auto add = [&](const std::string& table, const auto& reports) {
    for (const auto& [name, values] : reports)
      for (const std::string& value : values) {
        const std::size_t dot = value.find('.');
        SummaryName& report = root.children[table].children[name].children[value.substr(0, dot)];
        if (dot != std::string::npos) report.children[value.substr(dot + 1)];
      }
  };
  for (const std::string& name : fields.quantities) root.children["quantities"].children[name];
  if (!fields.unknowns.empty() || fields.times > 0) {
    SummaryName& solution = root.children["solution"];
    for (const char* name : {"status", "message", "iterations", "residual"}) solution.children[name];
    for (const std::string& name : fields.unknowns) solution.children["unknowns"].children[name];
    for (const char* table : {"conditions", "verified"})
      for (const std::string& name : fields.conditions) solution.children[table].children[name];
    if (fields.times > 0)
      for (const char* name : {"cost", "mismatch"}) solution.children[name];
    for (std::size_t k = 0; k < fields.times; ++k) solution.children["times"].children[std::to_string(k)];
  }
  for (std::size_t k = 0; k < fields.floquet; ++k)
    for (const char* part : {"0", "1"}) root.children["floquet"].children[std::to_string(k)].children[part];
  add("probes", fields.probes);
  add("contacts", fields.contacts);
  return root;
}

class ExpectReader {
 public:
  ExpectReader(const Document& document, std::vector<Expectation>& out) : document_(document), out_(out) {}

  void read(const toml::node& node, const SummaryName& name, std::vector<std::string> keys) {
    const std::string key = "expect." + joined(keys, ".");
    if (name.children.empty() && !name.any_child) {
      if (name.list && node.is_array()) return read_elements(*node.as_array(), name, keys, key);
      return read_value(node, keys, key);
    }
    for (const toml::key* written : keys_in_order(read_table(document_, node, key))) {
      const std::string word(written->str());
      const auto child = name.children.find(word);
      if (child == name.children.end() && (!name.any_child || keys.back() == "momentum" || keys.back() == "scalars"))
        unknown(name, *written, key);
      keys.push_back(word);
      read(*node.as_table()->get(word), child == name.children.end() ? SummaryName{} : child->second, keys);
      keys.pop_back();
    }
  }

  [[noreturn]] void unknown(const SummaryName& name, const toml::key& written, const std::string& key) const {
    std::vector<std::string> known;
    for (const auto& [word, child] : name.children) known.push_back(word);
    document_.fail(written.source(), key + "." + std::string(written.str()),
                   known.empty() ? fmt::format("summary.json has no such field: the system declares no {}",
                                               key == "expect.scalars" ? "force and no contact" : "symmetry")
                                 : fmt::format("summary.json has no such field; it has {}", joined(known)),
                   formula::nearest(written.str(), known));
  }

 private:
  void read_elements(const toml::array& list, const SummaryName& name, const std::vector<std::string>& keys,
                     const std::string& key) {
    if (list.size() != name.list)
      document_.fail(list.source(), key, fmt::format("expected {} entries, got {}", name.list, list.size()));
    for (std::size_t k = 0; k < list.size(); ++k) {
      std::vector<std::string> element = keys;
      element.push_back(std::to_string(k));
      read_value(*list.get(k), element, key);
    }
  }

  void read_value(const toml::node& node, const std::vector<std::string>& keys, const std::string& key) {
    Expectation e;
    e.keys = keys;
    e.path = joined(keys, ".");
    e.where = document_.line_place(node.source());
    if (node.is_string()) {
      e.text = node.as_string()->get();
    } else if (const toml::table* table = node.as_table()) {
      TableReader reader(document_, *table, key);
      e.min = reader.number("min");
      e.max = reader.number("max");
      e.value = reader.number("value");
      e.tolerance = reader.number("tolerance");
      reader.finish();
      const std::string expected = "expected { min, max } or { value, tolerance }";
      if (e.value.has_value() != e.tolerance.has_value()) document_.fail(node.source(), key, expected + " together");
      if (e.value.has_value() == (e.min || e.max)) document_.fail(node.source(), key, expected);
      if (e.tolerance && *e.tolerance < 0) reader.fail("tolerance", "expected a tolerance of at least 0");
      if (e.min && e.max && *e.min > *e.max) reader.fail("min", "min is above max: nothing can meet this");
    } else if (node.is_number()) {
      e.equal = read_number(document_, node, key);
    } else {
      document_.fail(
          node.source(), key,
          fmt::format("expected a number, text, {{ min, max }} or {{ value, tolerance }}, got {}", kind_of(node)));
    }
    out_.push_back(std::move(e));
  }

  const Document& document_;
  std::vector<Expectation>& out_;
};

}  // namespace

SummaryFields summary_fields(const Scenario& scenario) {
  const Model& model = scenario.model;
  SummaryFields fields;
  fields.coordinates = model.coordinates.size();
  for (const Symmetry& s : model.symmetries) fields.momenta.push_back(s.name);
  fields.scalars = RunningScalars(model).names;
  for (const Descriptor& d : method_descriptors())
    if (d.name == scenario.integrator.method) fields.counters = d.counters;
  for (const Quantity& q : scenario.quantities) fields.quantities.push_back(q.name);
  if (scenario.optimize) {
    const ControlProblem& problem = *scenario.optimize;
    fields.times = static_cast<std::size_t>(problem.search.value_or(0)) + problem.impacts.size() + 1;
    for (const Quantity& c : problem.conditions) fields.conditions.push_back(c.name);
    fields.unknowns = control_unknowns(problem);
    for (const std::string& name : problem.control_names) fields.scalars.push_back("control." + name);
    for (const std::string& name : problem.model.coordinates) {
      fields.scalars.push_back("costate.position." + name);
      fields.scalars.push_back("costate.momentum." + name);
    }
  }
  if (!scenario.shoot) return fields;
  for (const ShootTable::Entry& u : scenario.shoot->unknowns) fields.unknowns.push_back(u.name);
  for (const Quantity& c : scenario.shoot->conditions) fields.conditions.push_back(c.name);
  if (!scenario.shoot->periodic.empty()) fields.floquet = 2 * fields.coordinates;
  return fields;
}

SummaryFields summary_fields(const continuum::Model& model) {
  SummaryFields fields;
  fields.momenta = continuum::momentum_names(model);
  fields.scalars = continuum::scalar_names(model);
  fields.counters = {continuum::updates_counter};
  for (const continuum::Probe& p : model.probes)
    fields.probes.emplace_back(p.name, continuum::Probes::value_names(p.interface));
  for (const continuum::ContactPair& c : model.contacts)
    fields.contacts.emplace_back(c.a + "-" + c.b, continuum::Episodes::value_names());
  return fields;
}

std::vector<Expectation> read_expect(const TableReader& expect, const SummaryFields& fields) {
  std::vector<Expectation> expectations;
  const SummaryName names = summary_names(fields);
  ExpectReader reader(expect.document(), expectations);
  for (const toml::key* written : keys_in_order(expect.table())) {
    const std::string word(written->str());
    const auto child = names.children.find(word);
    if (child == names.children.end()) reader.unknown(names, *written, "expect");
    reader.read(*expect.table().get(word), child->second, {word});
  }
  return expectations;
}

}  // namespace ricochet
