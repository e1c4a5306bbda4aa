#pragma once
// Materials in one dimension: the stress P(ε) = dW/dε, its tangent P'(ε) and the stored energy W(ε) for the strain
// ε = ∂φ/∂X − 1, J = 1 + ε, all for one unit of reference length and area. The speed of a wave in the reference
// configuration is c = √(P'(ε)/ρ).
//
//   linear        P = E ε: the theory of small strains, in which any size of ε scales; J has no meaning in it
//   quadratic     P = E (ε + b ε²)
//   neo-hookean   W = μ/2 (J² − 1 − 2 ln J) + λ/2 ln²J
//   st-venant     W = (λ/2 + μ) e²,  e = (J² − 1)/2
//   barotropic    P = −p(J), a gas or a liquid;  W = −∫₁ᴶ p(s) ds

#include <cmath>
#include <memory>
#include <string>
#include <variant>

#include "ricochet/formula/program.hpp"

namespace ricochet::continuum {

struct Linear {
  double E = 1;
  double stress(double e) const { return E * e; }
  double tangent(double) const { return E; }
  double energy(double e) const { return 0.5 * E * e * e; }
};

struct Quadratic {
  double E = 1, b = 0;
  double stress(double e) const { return E * (e + b * e * e); }
  double tangent(double e) const { return E * (1 + 2 * b * e); }
  double energy(double e) const { return E * e * e * (0.5 + b * e / 3); }
};

struct NeoHookean {
  double lambda = 1, mu = 1;
  double stress(double e) const { return mu * e * (2 + e) / (1 + e) + lambda * std::log1p(e) / (1 + e); }
  double tangent(double e) const {
    const double J2 = (1 + e) * (1 + e);
    return mu * (1 + 1 / J2) + lambda * (1 - std::log1p(e)) / J2;
  }
  double energy(double e) const {
    const double l = std::log1p(e);
    return mu * (e + 0.5 * e * e - l) + 0.5 * lambda * l * l;
  }
};

struct StVenant {
  double lambda = 1, mu = 1;
  double stress(double e) const { return (lambda + 2 * mu) * e * (1 + 0.5 * e) * (1 + e); }
  double tangent(double e) const { return (lambda + 2 * mu) * (e * (1 + 0.5 * e) + (1 + e) * (1 + e)); }
  double energy(double e) const {
    const double s = e * (1 + 0.5 * e);
    return (0.5 * lambda + mu) * s * s;
  }
};

// p as a formula of J. Registers are its own: a copy for each thread.
class Barotropic {
 public:
  Barotropic(formula::Expr p, formula::Expr J);
  Barotropic(const Barotropic& other);
  Barotropic& operator=(const Barotropic& other);
  double stress(double e) const {
    run(1 + e);
    return -evaluator_.output(0);
  }
  double tangent(double e) const {
    run(1 + e);
    return -evaluator_.output(1);
  }
  double energy(double e) const;

 private:
  void run(double J) const {
    *evaluator_.inputs() = J;
    evaluator_.run();
  }
  std::shared_ptr<const formula::Program> program_;  // p, p'
  mutable formula::Evaluator<double> evaluator_;
};

using Law = std::variant<Linear, Quadratic, NeoHookean, StVenant, Barotropic>;

struct Material {
  Law law;
  double rho = 1;
};

inline double stress(const Law& law, double e) {
  return std::visit([e](const auto& m) { return m.stress(e); }, law);
}
inline double tangent(const Law& law, double e) {
  return std::visit([e](const auto& m) { return m.tangent(e); }, law);
}
inline double energy(const Law& law, double e) {
  return std::visit([e](const auto& m) { return m.energy(e); }, law);
}
inline bool is_linear(const Law& law) { return std::holds_alternative<Linear>(law); }

}  // namespace ricochet::continuum
