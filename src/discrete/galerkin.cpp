// Polynomials of degree s with s Gauss points: order 2s. The unknowns are the velocities at the Gauss points,
//   q_i = q0 + h Σ_j A_ij V_j,  A_ij = ∫_0^{c_i} ℓ_j,   q1 = q0 + h Σ_j b_j V_j,   ℓ_j the Lagrange polynomials of the
//   c_j,
// which makes the inner nodes of the polynomial disappear.

#include <cmath>

#include "discretization.hpp"

namespace ricochet {

namespace {

struct Legendre {
  double value, derivative;
};
Legendre legendre(int s, double x) {
  double p0 = 1, p1 = x;
  for (int k = 2; k <= s; ++k) {
    const double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
    p0 = p1;
    p1 = p2;
  }
  return {p1, s * (x * p1 - p0) / (x * x - 1)};
}

// Gauss–Legendre points and weights on [0,1].
void gauss(int s, std::vector<double>& b, std::vector<double>& c) {
  b.resize(s);
  c.resize(s);
  for (int i = 0; i < s; ++i) {
    double x = s % 2 == 1 && i == s / 2 ? 0.0 : -std::cos(M_PI * (i + 0.75) / (s + 0.5));
    for (int k = 0; k < 20 && x != 0; ++k) {
      const Legendre p = legendre(s, x);
      x -= p.value / p.derivative;
    }
    const double slope = legendre(s, x).derivative;
    c[i] = (1 + x) / 2;
    b[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

double lagrange(const std::vector<double>& c, int j, double x) {
  double product = 1;
  for (std::size_t k = 0; k < c.size(); ++k)
    if (static_cast<int>(k) != j) product *= (x - c[k]) / (c[j] - c[k]);
  return product;
}

Tableau make(const Parameters& parameters) {
  const int s = static_cast<int>(std::get<double>(parameters.at("degree")));
  Tableau t{.name = "galerkin", .points = s, .unknowns = s, .b = {}, .c = {}, .A = {}, .B = {}, .beta = {}};
  gauss(s, t.b, t.c);
  t.beta = t.b;
  t.A.resize(static_cast<std::size_t>(s) * s);
  t.B.assign(static_cast<std::size_t>(s) * s, 0.0);
  for (int i = 0; i < s; ++i) {
    t.B[i * s + i] = 1;
    for (int j = 0; j < s; ++j) {  // ∫_0^{c_i} ℓ_j is exact with the same quadrature, scaled
      double integral = 0;
      for (int k = 0; k < s; ++k) integral += t.b[k] * lagrange(t.c, j, t.c[i] * t.c[k]);
      t.A[i * s + j] = t.c[i] * integral;
    }
  }
  return t;
}

}  // namespace

Discretization galerkin() {
  return {{.name = "galerkin",
           .doc = "polynomials of the given degree, as many Gauss points",
           .order = "2 degree; 2 with holonomic constraints, which hold at the ends of a step only",
           .preserves = "symplectic form; momentum maps of generators affine in q",
           .not_preserved = "energy exactly (bounded oscillation of size h^(2 degree))",
           .parameters = {{.name = "degree",
                           .default_value = 2.0,
                           .doc = "degree of the polynomials",
                           .choices = {},
                           .min = 1,
                           .max = 12,
                           .integer = true}}},
          make};
}

}  // namespace ricochet
