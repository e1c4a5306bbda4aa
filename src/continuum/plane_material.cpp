#include "ricochet/continuum/plane_material.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace ricochet::continuum {

namespace {

using Matrix = Eigen::Matrix2d;

Matrix matrix(const Gradient& H) { return (Matrix() << H.xx, H.xy, H.yx, H.yy).finished(); }

// The second variation W''[A, B] of each law at F.
double second(const Hooke& m, const Matrix&, const Matrix& A, const Matrix& B) {
  return m.lambda * A.trace() * B.trace() + 0.5 * m.mu * (A + A.transpose()).cwiseProduct(B + B.transpose()).sum();
}

double second(const StVenant& m, const Matrix& H, const Matrix& A, const Matrix& B) {
  const Matrix F = Matrix::Identity() + H, e = 0.5 * (H + H.transpose() + H.transpose() * H),
               S = m.lambda * e.trace() * Matrix::Identity() + 2 * m.mu * e, a = F.transpose() * A,
               b = F.transpose() * B;
  return (A * S).cwiseProduct(B).sum() + second(Hooke{m.lambda, m.mu}, H, a, b);
}

double second(const NeoHookean& m, const Matrix& H, const Matrix& A, const Matrix& B) {
  const Matrix F = Matrix::Identity() + H, inverse = F.inverse(), a = A * inverse, b = B * inverse;
  const double l = std::log1p(H.trace() + H.determinant());
  return m.mu * A.cwiseProduct(B).sum() + (m.mu - m.lambda * l) * (a * b).trace() + m.lambda * a.trace() * b.trace();
}

// Largest and smallest stretch.
struct Stretches {
  double large, small;
  explicit Stretches(const Gradient& H) {
    const Green e(H);
    const double mean = 0.5 * (e.xx + e.yy), d = 0.5 * (e.xx - e.yy), radius = std::sqrt(d * d + e.xy * e.xy);
    large = std::sqrt(1 + 2 * (mean + radius));
    small = std::sqrt(std::fmax(1 + 2 * (mean - radius), 0.0));
  }
};

// With F = RU, H = RA: |A(U + 1 … )| ≤ |A|ε for the largest ε of the matrices that replace the identity.
double added(const Hooke&, const Gradient&) { return 0; }

// W'' = tr(AᵀA S) + λ tr(UA)² + 2μ|sym UA|², and tr(UA)² − tr(A)² ≤ |A|²(4ε + 2ε²), 2|sym UA|² − 2|sym A|² ≤
// |A|²(4ε + 2ε²).
double added(const StVenant& m, const Gradient& H) {
  const Stretches s(H);
  const double eps = std::fmax(s.large - 1, 1 - s.small), e = std::fmax(s.large * s.large - 1, 0.0) / 2;
  return 2 * (m.lambda + m.mu) * e + (m.lambda + m.mu) * (4 * eps + 2 * eps * eps);
}

// W'' = μ|A|² + (μ − λl) tr(AU⁻¹AU⁻¹) + λ tr(AU⁻¹)²; |tr(AU⁻¹AU⁻¹) − tr(AA)| ≤ |A|²(2ε + ε²) and so on.
double added(const NeoHookean& m, const Gradient& H) {
  const Stretches s(H);
  const double eps = std::fmax(1 / s.small - 1, 1 - 1 / s.large), grow = (1 + eps) * (1 + eps),
               l = std::log1p(H.trace() + H.det());
  return m.mu * (2 * eps + eps * eps) + m.lambda * std::abs(l) * grow + m.lambda * (4 * eps + 2 * eps * eps);
}

}  // namespace

Eigen::Matrix4d tangent(const PlaneLaw& law, const Gradient& H) {
  Eigen::Matrix4d result;
  const Matrix at = matrix(H);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      Matrix A = Matrix::Zero(), B = Matrix::Zero();
      A(i / 2, i % 2) = 1;
      B(j / 2, j % 2) = 1;
      result(i, j) = std::visit([&](const auto& m) { return second(m, at, A, B); }, law);
    }
  return result;
}

double stiffening(const PlaneLaw& law, const Gradient& H) {
  return std::visit([&](const auto& m) { return added(m, H); }, law);
}

double lambda_of(const PlaneLaw& law) {
  return std::visit([](const auto& m) { return m.lambda; }, law);
}
double mu_of(const PlaneLaw& law) {
  return std::visit([](const auto& m) { return m.mu; }, law);
}

Eigen::Vector3d true_stress(const PlaneLaw& law, const Gradient& H) {
  const Gradient P = stress(law, H);
  if (is_linear(law)) return {P.xx, P.yy, P.xy};
  const double J = 1 + H.trace() + H.det();
  return Eigen::Vector3d(P.xx * (1 + H.xx) + P.xy * H.xy, P.yx * H.yx + P.yy * (1 + H.yy),
                         P.xx * H.yx + P.xy * (1 + H.yy)) /
         J;
}

}  // namespace ricochet::continuum
