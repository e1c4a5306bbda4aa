#include "ricochet/mechanics/symmetry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "ricochet/formula/differentiate.hpp"

namespace ricochet {

namespace {

constexpr int samples = 24;
constexpr double relative_tolerance = 1e-9;  // far above round-off of a formula, far below a broken symmetry

// The variation of f under ξ, and the sum of the sizes of its terms.
struct Variation {
  std::string what;
  Expr value, size;
};

Variation vary(const std::string& what, Expr f, const Model& model, const std::vector<Expr>& xi) {
  const std::vector<Expr> q = model.q(), v = model.v();
  const std::vector<Expr> f_q = formula::gradient(f, q), f_v = formula::gradient(f, v);
  Expr value = model.graph->constant(0), size = abs(f);
  const auto add = [&](Expr term) {
    value = value + term;
    size = size + abs(term);
  };
  for (std::size_t i = 0; i < q.size(); ++i) {
    add(f_q[i] * xi[i]);
    if (f_v[i].is_constant(0)) continue;
    const std::vector<Expr> slope = formula::gradient(xi[i], q);
    for (std::size_t j = 0; j < q.size(); ++j) add(f_v[i] * slope[j] * v[j]);
  }
  return {what, value, size};
}

}  // namespace

std::vector<std::string> broken_symmetries(const System& system, const std::vector<double>& q,
                                           const std::vector<double>& v, double t) {
  const Model& model = system.model();
  std::vector<std::string> sentences;
  std::vector<Expr> inputs = model.q();
  const std::vector<Expr> velocities = model.v();
  inputs.insert(inputs.end(), velocities.begin(), velocities.end());
  inputs.push_back(model.graph->time());
  for (const Symmetry& symmetry : model.symmetries) {
    std::vector<Variation> variations{vary("the Lagrangian", model.lagrangian, model, symmetry.generator)};
    for (const Contact& c : model.contacts)
      variations.push_back(vary(fmt::format("the gap of contact '{}'", c.name), c.gap, model, symmetry.generator));
    for (const Constraint& c : model.holonomic)
      variations.push_back(vary(fmt::format("the constraint '{}'", c.name), c.equation, model, symmetry.generator));
    for (const Force& f : model.forces) {
      Variation work{fmt::format("momentum balance through the force '{}'", f.name), model.graph->constant(0),
                     model.graph->constant(0)};
      for (std::size_t i = 0; i < f.components.size(); ++i) {
        work.value = work.value + f.components[i] * symmetry.generator[i];
        work.size = work.size + abs(f.components[i] * symmetry.generator[i]);
      }
      variations.push_back(work);
    }
    for (const Variation& variation : variations) {
      const formula::Program program({variation.value, variation.size}, inputs);
      formula::Evaluator<double> evaluate(program);
      std::mt19937 random(1);
      std::uniform_real_distribution<double> offset(-1, 1);
      double worst = 0;
      for (int k = 0; k < samples; ++k) {
        double* in = evaluate.inputs();
        for (const double x : q) *in++ = x + offset(random);
        for (const double x : v) *in++ = x + offset(random);
        *in = t + offset(random);
        evaluate.run();
        const double ratio = std::abs(evaluate.output(0)) / (evaluate.output(1) + 1e-300);
        if (std::isfinite(ratio)) worst = std::fmax(worst, ratio);
      }
      if (worst > relative_tolerance)
        sentences.push_back(fmt::format("symmetry '{}' is none: it changes {}; its momentum will not be kept",
                                        symmetry.name, variation.what));
    }
  }
  return sentences;
}

}  // namespace ricochet
