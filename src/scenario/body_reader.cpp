#include "body_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "formula_reader.hpp"
#include "ricochet/formula/program.hpp"

namespace ricochet::continuum {

std::string read_own_name(TableReader& table, const std::string& thing, std::set<std::string>& names) {
  table.require("name", "the name of the " + thing);
  const std::string name = *table.text("name");
  if (!names.insert(name).second) table.fail("name", fmt::format("the name \"{}\" is given twice", name));
  return name;
}

double read_number_above_zero(TableReader& table, const char* name, const std::string& what) {
  table.require(name, what + ", a number above 0");
  const double x = *table.number(name);
  if (!(x > 0)) table.fail(name, fmt::format("expected {} above 0, got {}", what, x));
  return x;
}

const toml::array& read_entries(const TableReader& table, const toml::node& node, const std::string& name,
                                std::size_t dimension) {
  const std::string key = table.key_of(name);
  const bool line = dimension == 1;
  const toml::array& list =
      read_list(table.document(), node, key,
                line ? "a list with one entry, as in [\"0.1\"]" : "a list with two entries, one for x and one for y");
  if (list.size() != dimension)
    table.document().fail(
        node.source(), key,
        fmt::format("expected {}; got {}",
                    line ? "1 entry: bodies lie on a line" : "2 entries: bodies lie in the plane", list.size()));
  return list;
}

Formulas read_formulas(const TableReader& table, const toml::node& node, const std::string& name,
                       const std::string& purpose, const std::vector<std::string>& variables, std::size_t dimension) {
  const auto graph = std::make_shared<formula::Graph>();
  FormulaReader reader(table.document(), graph);
  std::vector<Expr> symbols, formulas;
  const bool time = variables.front() == "t";
  for (std::size_t k = 0; k < variables.size(); ++k) {
    symbols.push_back(time ? graph->time()
                           : graph->symbol(formula::SymbolKind::other, static_cast<int>(k), variables[k]));
    if (!time) reader.scope.add_name(variables[k], symbols.back());
  }
  for (const toml::node& entry : read_entries(table, node, name, dimension))
    formulas.push_back(reader.build(entry, table.key_of(name), {purpose, false, false, time, true}));
  struct Compiled {
    formula::Program program;
    formula::Evaluator<double> evaluator;
  };
  const auto compiled = std::make_shared<Compiled>();
  compiled->program = formula::Program(formulas, symbols);
  compiled->evaluator = formula::Evaluator<double>(compiled->program);
  return [compiled, n = variables.size(), dimension](const double* at, double* values) {
    std::copy_n(at, n, compiled->evaluator.inputs());
    compiled->evaluator.run();
    for (std::size_t d = 0; d < dimension; ++d) values[d] = compiled->evaluator.output(static_cast<int>(d));
  };
}

}  // namespace ricochet::continuum
