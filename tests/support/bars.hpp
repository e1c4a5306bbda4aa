#pragma once
// Bodies on a line for tests: rods of one material, runs in memory.

#include <random>
#include <string>

#include "ricochet/continuum/continuum_stepper.hpp"
#include "ricochet/formula/parser.hpp"
#include "ricochet/simulation/run.hpp"

namespace ricochet::test {

namespace ct = ricochet::continuum;

inline ct::Body rod(const std::string& name, double from, double length, int cells, double velocity = 0, double rho = 1,
                    double E = 1) {
  ct::Body body;
  body.name = name;
  body.mesh = {from, length, cells, 1};
  body.material = {ct::Linear{E}, rho};
  if (velocity != 0) body.velocity = [velocity](double) { return velocity; };
  return body;
}

inline ct::Model bodies(std::vector<ct::Body> list, double courant = 1) {
  ct::Model model;
  model.bodies = std::move(list);
  model.courant = courant;
  return model;
}

// A rod with speed 1 strikes one at rest, ends touching.
inline ct::Model two_rods(double L1, double L2, int cells_for_one, ct::Treatment treatment, double courant = 1) {
  ct::Model model = bodies({rod("rod1", 0, L1, static_cast<int>(L1 * cells_for_one), 1),
                            rod("rod2", L1, L2, static_cast<int>(L2 * cells_for_one))},
                           courant);
  model.contacts = {{"rod1", "rod2", treatment}};
  return model;
}

inline ct::Barotropic gas(const std::string& pressure) {
  const auto graph = std::make_shared<formula::Graph>();
  formula::Scope scope(graph);
  const formula::Expr J = graph->symbol(formula::SymbolKind::other, 0, "J");
  scope.add_name("J", J);
  return ct::Barotropic(formula::Formula(pressure).build(scope), J);
}

inline std::unique_ptr<Stepper> stepper_of(const ct::Model& model) {
  std::vector<std::string> dropped;
  return ct::make_stepper(model, dropped);
}

inline Summary run_bodies(ct::Model model, double duration) {
  model.duration = duration;
  RunSettings settings;
  settings.start = model.start;
  settings.step = ct::step_of(model);
  settings.duration = duration;
  const auto stepper = stepper_of(model);
  return run(*stepper, settings, {});
}

inline double value(const std::vector<ProbeReport>& reports, const std::string& name, const std::string& key) {
  for (const ProbeReport& report : reports)
    if (report.name == name)
      for (const auto& [path, x] : report.values)
        if (path == key) return x;
  throw std::out_of_range(name + "." + key);
}

inline const ScalarSummary& scalar(const Summary& summary, const std::string& name) {
  for (const ScalarSummary& s : summary.scalars)
    if (s.name == name) return s;
  throw std::out_of_range(name);
}

// One to four bodies of random materials, meshes and motions, some bonded, with contacts of one treatment between the
// others, perhaps a wall, a fixed or moving end, gravity and viscosity. Strains stay moderate.
inline ct::Model random_bodies(std::mt19937& random, ct::Treatment treatment, bool linear_only) {
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const auto whole = [&](int a, int b) { return std::uniform_int_distribution<int>(a, b)(random); };
  ct::Model model;
  model.courant = uniform(0.2, 0.6);
  const int count = whole(1, 4);
  double at = uniform(-2, 2);
  for (int k = 0; k < count; ++k) {
    const bool bonded = k > 0 && whole(0, 2) == 0;
    if (k > 0 && !bonded) at += uniform(0, 0.02);
    ct::Body body = rod("body" + std::to_string(k), at, uniform(0.5, 2), whole(3, 30), uniform(-0.05, 0.05),
                        uniform(0.5, 4), uniform(0.5, 4));
    body.mesh.grading = whole(0, 1) ? 1 : uniform(0.3, 3);
    body.area = uniform(0.5, 2);
    if (!linear_only) switch (whole(0, 3)) {
        case 0: body.material.law = ct::Quadratic{uniform(0.5, 4), uniform(-1, 1)}; break;
        case 1: body.material.law = ct::NeoHookean{uniform(0.5, 2), uniform(0.5, 2)}; break;
        case 2: body.material.law = ct::StVenant{uniform(0.5, 2), uniform(0.5, 2)}; break;
        default: break;
      }
    if (bonded) {
      model.bonds.push_back({model.bodies.back().name, body.name});
      body.mesh.from = model.bodies.back().mesh.from + model.bodies.back().mesh.length;
    } else if (k > 0) {
      model.contacts.push_back({model.bodies.back().name, body.name, treatment, 20});
    }
    at = body.mesh.from + body.mesh.length;
    model.bodies.push_back(std::move(body));
  }
  switch (whole(0, 3)) {
    case 0:
      model.walls = {{"wall", at + uniform(0, 0.02), -1}};
      model.contacts.push_back({model.bodies.back().name, "wall", treatment, 20});
      break;
    case 1: model.bodies.back().right_end = [](double) { return 0.0; }; break;
    case 2: model.bodies.front().left_end = [](double t) { return 0.02 * std::sin(t); }; break;
    default: break;
  }
  return model;
}

}  // namespace ricochet::test
