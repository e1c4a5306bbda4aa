// F(λ) = E⁺(q̃, p̃⁻ + λd, s) − E⁻ + λ d_t has two roots: λ ≈ 0 passes through the wall, the larger one reflects. F grows
// where the outgoing speed c = d·w + d_t (w the mean velocity of the sub-step) is positive, and F' ≈ c. A secant
// iteration from the reflection of the momentum, λ = 1, finds the reflected root at once in nearly every case. If it
// does not, the root is bracketed from c = 0 upwards; if F > 0 at c = 0 there is none: the impact grazes too
// deep. Nor is a root far above λ = 1 a reflection: there the approach is so slow that the O(h²) which E_d owes to
// other parts of the system, a ball at the far end of a cradle say, would all be paid into this contact.

#include <cmath>

#include "ricochet/contact/impact_energy.hpp"
#include "ricochet/error.hpp"
#include "ricochet/numerics/find_root.hpp"

namespace ricochet {

namespace {

constexpr double largest_lambda = 10;

class DiscreteEnergy : public ImpactEnergy {
 public:
  bool depends_on_length() const override { return true; }

  bool solve(SubStep& step, const ImpactPoint& at, double length, Outgoing& out, double* q1,
             double* p1) const override {
    double speed = 0, scale = 0;
    const int n = step.n();
    Eigen::VectorXd p_plus(n);
    out = {};
    const auto F = [&](double lambda) {
      p_plus = at.p_minus + lambda * at.d;
      step.solve(at.t, at.q.data(), p_plus.data(), length, q1, p1);
      double before = 0;
      step.energies(before, out.energy);
      speed = at.d.dot(Eigen::Map<const Eigen::VectorXd>(step.mean_velocity(), n)) + at.d_t;
      scale = std::abs(at.energy_minus) + std::abs(out.energy) + std::abs(speed);
      out.lambda = lambda;
      ++out.iterations;
      return out.energy - at.energy_minus + lambda * at.d_t;
    };
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    double a = 1, fa = F(a);
    const double first_speed = speed;
    double best = a, f_best = fa;
    if (speed > 0) {
      double b = a - fa / speed;
      for (int k = 0; k < 25 && std::abs(b) < largest_lambda && std::abs(f_best) > epsilon * scale; ++k) {
        const double fb = F(b);
        const bool better = std::abs(fb) < std::abs(f_best);
        if (!(std::abs(fb) < std::abs(f_best) / 2)) {
          if (better) best = b, f_best = fb;
          break;
        }
        best = b, f_best = fb;
        if (fb == fa) break;
        const double c = b - fb * (b - a) / (fb - fa);
        a = b, fa = fb, b = c;
      }
      if (best > 0 && std::abs(f_best) <= 1e-11 * scale) {
        if (out.lambda != best) F(best);
        out.residual = std::abs(f_best) / scale;
        if (speed > 0) return true;
      }
    }
    return bracketed(at, first_speed, F, out, speed, scale);
  }

  EnergyRow linearize(SubStep&, const ImpactPoint& at, double, const SubStepDerivative& after) const override {
    const int n = static_cast<int>(at.q.size());
    const auto row = after.matrix.row(2 * n + 1);  // of E⁺: by q0, p0, h, t0
    return {.q = row.head(n),
            .p_plus = row.segment(n, n),
            .p_minus = Eigen::RowVectorXd::Zero(n),
            .t = row[2 * n + 1],
            .length = row[2 * n],
            .energy_minus = -1};
  }

 private:
  template <class Equation>
  static bool bracketed(const ImpactPoint& at, double speed_at_one, const Equation& F, Outgoing& out, double& speed,
                        double& scale) {
    const double low = std::fmax(0, 1 - speed_at_one / at.G);  // c = 0, where c is affine in λ
    if (!(low < largest_lambda)) return false;
    const double f_low = F(low);
    if (f_low > 0) return false;
    double high = low, f_high = f_low;
    for (double width = 1; f_high <= 0; width *= 2) {
      high = low + width;
      if (high > 2 * largest_lambda) return false;
      f_high = F(high);
    }
    const Root root = find_root(F, low, high, f_low, f_high);
    if (!(root.x > 0 && root.x < largest_lambda)) return false;
    out.residual = std::abs(F(root.x)) / scale;
    return speed > 0;
  }
};

}  // namespace

std::unique_ptr<ImpactEnergy> discrete_energy() { return std::make_unique<DiscreteEnergy>(); }

}  // namespace ricochet
