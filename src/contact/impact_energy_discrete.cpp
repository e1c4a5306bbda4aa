// F(λ) = E⁺(q̃, p̃ + λd, s) − E⁻ + w + λ d_t has two roots: λ ≈ 0 passes through the wall, the larger one reflects. F
// grows where the outgoing speed c = d·u + d_t (u the mean velocity of the flow) is positive, and F' ≈ d·v⁺ + d_t (v⁺
// the velocity of p̃ + λd: E⁺ is the energy of that momentum but for O(s²)), F'' ≈ G. The parabola at the mirror image,
// λ = 1 (exact where the potential is linear), then those through the last two points find the reflected root at once
// in nearly every case. If not, the root is bracketed from c = 0 upwards; if F > 0 at c = 0 there is none: the impact
// grazes too deep. Nor is there anything to say where already the mirror image is off by more than the energy of the
// approach: that is what E_d owes to other parts of the system, a ball at the far end of a cradle say, and would all be
// paid into this contact.

#include <cmath>
#include <limits>

#include "ricochet/contact/impact_energy.hpp"
#include "ricochet/numerics/epsilon.hpp"
#include "ricochet/numerics/find_root.hpp"

namespace ricochet {

namespace {

constexpr double energy_round_off = 8 * epsilon;  // of the energies, as in newton.hpp

// From where F = f and F' = c > 0 to the root of F ≈ f + cx + G/2 x².
double way_to_root(double G, double c, double f) {
  const double root = c * c - 2 * G * f;
  return -(root > 0 ? 2 * f / (c + std::sqrt(root)) : f / c);
}

struct Equation {
  Flow& flow;
  ImpactLine& line;
  double length;
  Outgoing& out;
  double speed = 0, scale = 0;

  double operator()(double lambda) {
    place_on_line(line, lambda);
    flow.restart(line.p_plus.data());
    flow.solve(length);
    double before = 0, after = 0;
    flow.energies(before, after);
    speed = line.d_t;
    const double* const w = flow.mean_velocity();
    for (int i = 0; i < line.d.size(); ++i) speed += line.d[i] * w[i];
    scale = std::abs(line.energy_minus) + std::abs(after) + std::abs(speed);
    out.lambda = lambda;
    out.energy = after;
    ++out.iterations;
    return after - line.energy_minus + line.w + lambda * line.d_t;
  }
};

bool bracketed(Equation& F, double speed_at_one, Outgoing& out) {
  const double low = std::fmax(0, 1 - speed_at_one / F.line.G);  // c = 0, where c is affine in λ
  const double f_low = F(low);
  if (!(f_low <= 0)) return false;
  double high = low, f_high = f_low;
  for (double width = 1; f_high <= 0; width *= 2) {
    high = low + width;
    f_high = F(high);
    if (!std::isfinite(f_high)) return false;
  }
  const Root root = find_root(F, low, high, f_low, f_high);
  if (!(root.x > 0)) return false;
  out.residual = std::abs(F(root.x)) / F.scale;
  return F.speed > 0;
}

}  // namespace

bool solve_discrete(Flow& flow, ImpactLine& line, double length, Outgoing& out) {
  out = {};
  Equation F{flow, line, length, out};
  double a = 1, fa = F(a);
  if (!(std::abs(fa) <= line.largest)) return false;
  const double first_speed = F.speed;
  double best = a, f_best = fa;
  if (F.speed > 0) {
    double b = a + way_to_root(line.G, line.speed > 0 ? line.speed : F.speed, fa);
    for (int k = 0; k < 25 && std::abs(f_best) > energy_round_off * F.scale; ++k) {
      const double fb = F(b);
      const bool better = std::abs(fb) < std::abs(f_best), halved = std::abs(fb) < std::abs(f_best) / 2;
      if (better) best = b, f_best = fb;
      if (!halved || fb == fa) break;
      const double slope = (fb - fa) / (b - a) + line.G / 2 * (b - a);  // at b, where F'' = G
      a = b, fa = fb;
      b += way_to_root(line.G, slope, fb);
    }
    if (best > 0 && std::abs(f_best) <= 1e-11 * F.scale) {
      if (out.lambda != best) F(best);
      out.residual = std::abs(f_best) / F.scale;
      if (F.speed > 0) return true;
    }
  }
  return bracketed(F, first_speed, out);
}

bool initial_lambda(const ImpactLine& line, double& lambda) {
  const double f = line.energy - line.energy_minus;
  lambda = 1 + way_to_root(line.G, line.speed, f);
  return std::abs(f) <= line.largest && line.speed > 0;
}

double try_discrete(Flow& flow, ImpactLine& line, double length, double lambda) {
  Outgoing out;
  Equation F{flow, line, length, out};
  const double f = F(lambda);
  return F.speed > 0 ? std::abs(f) / F.speed : std::numeric_limits<double>::infinity();
}

EnergyRow linearize_discrete(const ImpactLine& line, const SubStepDerivative& after) {
  const int n = static_cast<int>(line.q.size());
  const auto row = after.matrix.row(2 * n + 1);  // of E⁺: by q0, p0, h, t0
  return {.q = row.head(n),
          .p_plus = row.segment(n, n),
          .p_minus = Eigen::RowVectorXd::Zero(n),
          .t = row[2 * n + 1],
          .length = row[2 * n],
          .energy_minus = -1,
          .theta = row.tail(row.size() - 2 * n - 2)};
}

}  // namespace ricochet
