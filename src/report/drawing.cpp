#include "ricochet/report/drawing.hpp"

#include <algorithm>
#include <unordered_map>

namespace ricochet {

namespace {

constexpr std::size_t most_links = 1000;  // of a chain: more than a screen shows

std::string family(const std::string& coordinate) { return coordinate.substr(0, coordinate.find('[')); }

// x[1], x[2], x[3] …: all coordinates are elements of one array.
bool is_chain(const std::vector<std::string>& names) {
  return names.size() > 2 && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
           return name.find('[') != std::string::npos && family(name) == family(names.front());
         });
}

std::vector<Shape> standard_shapes(const Model& model) {
  const std::vector<Expr> q = model.q();
  formula::Graph& graph = *model.graph;
  const Expr zero = graph.constant(0);
  std::vector<Shape> shapes;
  const auto add = [&](const std::string& kind, std::map<std::string, std::vector<Expr>> formulas) -> Shape& {
    shapes.emplace_back();
    shapes.back().kind = kind;
    shapes.back().formulas = std::move(formulas);
    return shapes.back();
  };
  if (is_chain(model.coordinates)) {
    const std::size_t stride = 1 + (q.size() - 1) / most_links;
    for (std::size_t i = 0; i < q.size(); i += stride) {
      const Expr x = graph.constant(static_cast<double>(i + 1));
      add("segment", {{"from", {x, zero}}, {"to", {x, q[i]}}});
      add("point", {{"at", {x, q[i]}}}).label = q.size() <= 12 ? model.coordinates[i] : "";
    }
  } else if (!q.empty()) {
    const std::vector<Expr> at{q[0], q.size() > 1 ? q[1] : zero};
    add("trail", {{"at", at}});
    add("point", {{"at", at}}).label = q.size() > 1 ? model.coordinates[0] + ", " + model.coordinates[1]  //
                                                    : model.coordinates[0];
  }
  return shapes;
}

}  // namespace

Drawing::Drawing(const Scenario& scenario)
    : coordinates_(scenario.model.coordinates.size()), standard_(scenario.shapes.empty()) {
  landscape_ = standard_ && coordinates_ > 0 && !is_chain(scenario.model.coordinates);
  std::vector<Expr> outputs;
  std::unordered_map<std::uint32_t, int> tracks;  // of a formula: its place in outputs
  const auto number = [&](Expr formula) {
    if (formula.is_constant()) return DrawnNumber{formula.value(), -1};
    const auto [found, is_new] = tracks.try_emplace(formula.id, static_cast<int>(outputs.size()));
    if (is_new) outputs.push_back(formula);
    return DrawnNumber{0, found->second};
  };
  for (const Shape& shape : standard_ ? standard_shapes(scenario.model) : scenario.shapes) {
    DrawnShape drawn{shape.kind, shape.color, shape.label, {}, shape.points, shape.coils};
    for (const auto& [key, formulas] : shape.formulas) {
      for (const Expr& formula : formulas) drawn.values[key].push_back(number(formula));
      const bool place = key == "at" || key == "from" || key == "to" || key == "normal" || key == "size";
      if (place && formulas.size() == 3) dimension_ = 3;
    }
    if (!shape.points.empty() && shape.points.front().size() == 3) dimension_ = 3;
    shapes_.push_back(std::move(drawn));
  }
  std::vector<Expr> inputs = scenario.model.q();
  for (const Expr& v : scenario.model.v()) inputs.push_back(v);
  inputs.push_back(scenario.model.graph->time());
  program_ = formula::Program(outputs, inputs);
  evaluator_ = formula::Evaluator<double>(program_);
  values_.resize(outputs.size());
}

const std::vector<double>& Drawing::evaluate(double t, const double* q, const double* v) {
  std::copy(q, q + coordinates_, evaluator_.inputs());
  std::copy(v, v + coordinates_, evaluator_.inputs() + coordinates_);
  evaluator_.inputs()[2 * coordinates_] = t;
  evaluator_.run();
  for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = evaluator_.output(k);
  return values_;
}

}  // namespace ricochet
