#pragma once
// Impacts made up at random, and what is true of each: energy, cone, signs.

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "ricochet/contact/law_resolver.hpp"

namespace ricochet::test {

using Dual = formula::Dual<double>;

// Contacts of a system with n degrees of freedom: rows J, Δ = J M⁻¹ Jᵀ, c = J v.
struct RandomImpact {
  int rows = 0;
  Eigen::MatrixXd delta;
  Eigen::VectorXd c;
  std::vector<LawContact<double>> contacts;
  std::vector<Restitution> restitutions;
  std::vector<double> still;

  template <class T>
  std::vector<LawContact<T>> contacts_for() {
    std::vector<LawContact<T>> result;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const LawContact<double>& x = contacts[i];
      result.push_back({.law = x.law,
                        .row = x.row,
                        .tangents = x.tangents,
                        .friction = T(x.friction),
                        .restitution = &restitutions[i],
                        .captured = x.captured,
                        .pressed = x.pressed,
                        .length = x.length});
    }
    return result;
  }
  void resolve(ImpactResolver<double>& resolver, Simultaneous rule = Simultaneous::moreau) {
    const std::vector<LawContact<double>> list = contacts_for<double>();
    const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> m = delta;
    resolver.resolve(list, rows, m.data(), c.data(), still, rule);
  }
};

// ΔE = ½Λᵀ(c⁺ + c⁻); against Σ|terms| of it.
inline double energy_change(const RandomImpact& impact, const ImpactResolver<double>& resolver, double& scale) {
  double sum = 0;
  scale = 0;
  for (int i = 0; i < impact.rows; ++i) {
    const double l = resolver.impulse()[i];
    sum += 0.5 * l * (resolver.c_plus()[i] + impact.c[i]);
    scale += 0.5 * std::abs(l) * (std::abs(resolver.c_plus()[i]) + std::abs(impact.c[i]));
  }
  return sum;
}

inline Eigen::MatrixXd random_rows(int rows, int n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd j(rows, n);
  for (int a = 0; a < rows; ++a)
    for (int b = 0; b < n; ++b) j(a, b) = normal(random);
  return j;
}

// count contacts of the given law and tangents; `spread`: decades over which the directions of Δ differ.
inline RandomImpact random_impact(const std::vector<ImpactLaw>& laws, int tangents, std::mt19937& random,
                                  double spread = 1) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit(0, 1);
  RandomImpact impact;
  const int count = static_cast<int>(laws.size());
  impact.rows = count * (1 + tangents);
  const int n = impact.rows + static_cast<int>(random() % 3);
  const Eigen::MatrixXd j = random_rows(impact.rows, n, random);
  Eigen::VectorXd inverse_mass(n), v(n);
  for (int i = 0; i < n; ++i) {
    inverse_mass[i] = std::pow(10.0, spread * (2 * unit(random) - 1));
    v[i] = normal(random);
  }
  impact.delta = j * inverse_mass.asDiagonal() * j.transpose();
  impact.c = j * v;
  for (int i = 0; i < count; ++i) {
    const int row = i * (1 + tangents);
    if (i == 0 && impact.c[row] > 0) impact.c[row] = -impact.c[row];
    impact.contacts.push_back({.law = laws[i],
                               .row = row,
                               .tangents = tangents,
                               .friction = random() % 8 == 0 ? 0 : 2 * unit(random) * unit(random),
                               .length = true});
    const int kind = static_cast<int>(random() % 6);
    impact.restitutions.emplace_back(kind == 0 ? 0.0 : kind == 1 ? 1.0 : unit(random));
    impact.still.push_back(1e-14 * (std::abs(impact.c[row]) + impact.c.cwiseAbs().maxCoeff()));
  }
  return impact;
}

}  // namespace ricochet::test
