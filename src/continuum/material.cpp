#include "ricochet/continuum/material.hpp"

#include "ricochet/formula/differentiate.hpp"

namespace ricochet::continuum {

Barotropic::Barotropic(formula::Expr p, formula::Expr J)
    : program_(std::make_shared<formula::Program>(std::vector{p, formula::derivative(p, J)}, std::vector{J})),
      evaluator_(*program_) {}

Barotropic::Barotropic(const Barotropic& other) : program_(other.program_), evaluator_(*program_) {}

Barotropic& Barotropic::operator=(const Barotropic& other) {
  if (this == &other) return *this;
  program_ = other.program_;
  evaluator_ = formula::Evaluator<double>(*program_);
  return *this;
}

// W = −∫₁ᴶ p ds = −∫₀^{ln J} p(e^y) e^y dy by Gauss's rule with ten points: exact to round-off for power laws and
// compressions to a half.
double Barotropic::energy(double e) const {
  static constexpr double x[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845,
                                 0.9739065285171717},
                          w[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806,
                                 0.0666713443086881};
  const double half = 0.5 * std::log1p(e);
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    for (const double s : {-x[k], x[k]}) {
      const double J = std::exp(half * (1 + s));
      run(J);
      sum += w[k] * J * evaluator_.output(0);
    }
  return -half * sum;
}

}  // namespace ricochet::continuum
