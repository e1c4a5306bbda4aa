#pragma once
// Materials in plane strain: the first Piola–Kirchhoff stress P = ∂W/∂F, the stored energy W and its second derivative,
// for the gradient H = F − 1 of the displacements, for one unit of reference area and thickness. Formulas are written
// in H, so that small strains keep their digits and a rotation has none.
//
//   linear        W = λ/2 tr(ε)² + μ ε:ε,   ε = (H + Hᵀ)/2: small strains and small rotations
//   st-venant     W = λ/2 tr(e)² + μ e:e,   e = (H + Hᵀ + HᵀH)/2
//   neo-hookean   W = μ/2 (|F|² − 2 − 2 ln J) + λ/2 ln²J,   P = μ(F − F⁻ᵀ) + λ ln J F⁻ᵀ
//
// The speed of pressure waves is √((λ + 2μ)/ρ).

#include <Eigen/Core>
#include <cmath>
#include <variant>

#include "ricochet/continuum/material.hpp"

namespace ricochet::continuum {

struct Gradient {  // or a stress: rows are components, columns directions
  double xx = 0, xy = 0, yx = 0, yy = 0;
  double trace() const { return xx + yy; }
  double det() const { return xx * yy - xy * yx; }
};

struct Hooke {
  double lambda = 1, mu = 1;
};

using PlaneLaw = std::variant<Hooke, StVenant, NeoHookean>;

inline Gradient stress(const Hooke& m, const Gradient& H) {
  const double p = m.lambda * H.trace(), s = m.mu * (H.xy + H.yx);
  return {p + 2 * m.mu * H.xx, s, s, p + 2 * m.mu * H.yy};
}
inline double energy(const Hooke& m, const Gradient& H) {
  const double s = H.xy + H.yx;
  return 0.5 * m.lambda * H.trace() * H.trace() + m.mu * (H.xx * H.xx + H.yy * H.yy + 0.5 * s * s);
}
// The energy between two states, of which that of one with itself is 2W.
inline double energy(const Hooke& m, const Gradient& H, const Gradient& G) {
  return m.lambda * H.trace() * G.trace() + m.mu * (2 * H.xx * G.xx + 2 * H.yy * G.yy + (H.xy + H.yx) * (G.xy + G.yx));
}

struct Green {  // e = (FᵀF − 1)/2
  double xx, xy, yy;
  explicit Green(const Gradient& H)
      : xx(H.xx + 0.5 * (H.xx * H.xx + H.yx * H.yx)),
        xy(0.5 * (H.xy + H.yx + H.xx * H.xy + H.yx * H.yy)),
        yy(H.yy + 0.5 * (H.xy * H.xy + H.yy * H.yy)) {}
};

inline Gradient stress(const StVenant& m, const Gradient& H) {
  const Green e(H);
  const double p = m.lambda * (e.xx + e.yy), a = p + 2 * m.mu * e.xx, b = 2 * m.mu * e.xy, d = p + 2 * m.mu * e.yy;
  return {a + H.xx * a + H.xy * b, b + H.xx * b + H.xy * d, b + H.yx * a + H.yy * b, d + H.yx * b + H.yy * d};
}
inline double energy(const StVenant& m, const Gradient& H) {
  const Green e(H);
  const double t = e.xx + e.yy;
  return 0.5 * m.lambda * t * t + m.mu * (e.xx * e.xx + 2 * e.xy * e.xy + e.yy * e.yy);
}

// F − F⁻ᵀ = ((J − 1)F + F − cof F)/J, F⁻ᵀ = cof F/J. ln(1 + j) as log1p gives it, in half of the time: what 1 + j
// rounds off is given back.
inline Gradient stress(const NeoHookean& m, const Gradient& H) {
  const double j = H.trace() + H.det(), J = 1 + j, inverse = 1 / J,
               l = m.lambda * (std::log(J) + (j - (J - 1)) * inverse) * inverse, a = m.mu * inverse, d = H.xx - H.yy,
               s = H.xy + H.yx;
  return {a * (j * (1 + H.xx) + d) + l * (1 + H.yy), a * (j * H.xy + s) - l * H.yx, a * (j * H.yx + s) - l * H.xy,
          a * (j * (1 + H.yy) - d) + l * (1 + H.xx)};
}
inline double energy(const NeoHookean& m, const Gradient& H) {
  const double j = H.trace() + H.det(), l = std::log1p(j);
  const double size = H.xx * H.xx + H.xy * H.xy + H.yx * H.yx + H.yy * H.yy;
  return m.mu * (H.trace() + 0.5 * size - l) + 0.5 * m.lambda * l * l;
}

inline double energy(const PlaneLaw& law, const Gradient& H) {
  return std::visit([&](const auto& m) { return energy(m, H); }, law);
}
inline Gradient stress(const PlaneLaw& law, const Gradient& H) {
  return std::visit([&](const auto& m) { return stress(m, H); }, law);
}
inline bool is_linear(const PlaneLaw& law) { return std::holds_alternative<Hooke>(law); }

// ∂²W/∂F∂F as a matrix over (xx, xy, yx, yy).
Eigen::Matrix4d tangent(const PlaneLaw& law, const Gradient& H);

// A bound of the largest eigenvalue of ∂²W − R(∂²W at rest), R the rotation in F: what strains add to the stiffness.
// Cheap, and of first order in the strains.
double stiffening(const PlaneLaw& law, const Gradient& H);

double lambda_of(const PlaneLaw& law);
double mu_of(const PlaneLaw& law);

// True stress: P Fᵀ/J; of the linear law P itself. (xx, yy, xy).
Eigen::Vector3d true_stress(const PlaneLaw& law, const Gradient& H);

}  // namespace ricochet::continuum
