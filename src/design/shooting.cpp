#include "ricochet/design/shooting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/formula/differentiate.hpp"

namespace ricochet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string sequence_difference(const std::vector<std::string>& required, const Course& course) {
  for (std::size_t k = 0; k < std::max(required.size(), course.impacts.size()); ++k) {
    if (k >= course.impacts.size())
      return fmt::format("impact {} should be on {}, but the motion has only {}", k + 1, required[k],
                         course.impacts.size());
    const Passage& impact = course.impacts[k];
    if (k >= required.size())
      return fmt::format("impact {} is on {} at t = {:.6g}, but only {} are required", k + 1, impact.contacts, impact.t,
                         required.size());
    if (impact.contacts != required[k])
      return fmt::format("impact {} should be on {}, but is on {} at t = {:.6g}", k + 1, required[k], impact.contacts,
                         impact.t);
  }
  return "";
}

std::vector<Quantity> periodic_conditions(const Shot& shot, const std::vector<int>& coordinates) {
  const std::vector<Expr> q = shot.model.q(), v = shot.model.v();
  const std::vector<Expr> p = shot.momentum_given ? formula::gradient(shot.model.lagrangian, v) : v;
  std::vector<Quantity> result;
  for (const int i : coordinates) {
    const std::string& name = shot.model.coordinates[i];
    result.push_back({name + " returns", q[i] - shot.position[i]});
    result.push_back({name + "' returns", p[i] - shot.velocity[i]});
  }
  return result;
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Evaluation {
  bool good = false;
  std::string reason;  // if not
  bool sequence_changed = false;
  VectorXd r, scale;  // scale: Σ_j |J_ij| s_j
  VectorXd sizes;     // of what the conditions are made of
  MatrixXd J, by_theta;
  MatrixXd monodromy;
  double residual = infinity;  // the largest |r_i|/ρ_i
};

class Shooter {
 public:
  Shooter(ShootingProblem& problem, const SolveControl& control)
      : problem_(problem),
        control_(control),
        unknowns_(static_cast<int>(problem.unknowns.size())),
        conditions_(static_cast<int>(problem.conditions.size())) {
    const std::vector<double> theta = problem.shot.theta();
    theta_ = Eigen::Map<const VectorXd>(theta.data(), static_cast<Eigen::Index>(theta.size()));
    guess_.resize(unknowns_);
    for (int j = 0; j < unknowns_; ++j) guess_[j] = theta_[problem.unknowns[j].parameter];
  }

  ShootingSolution go() {
    VectorXd x = guess_;
    best_ = x;
    try {
      const bool solved = problem_.from.empty() ? newton(x) : follow(x);
      solution_.status = solved ? ShootingSolution::Status::solved : ShootingSolution::Status::failed;
      if (solved) best_ = x;
      finish();
    } catch (const Interrupted&) {
      solution_.status = ShootingSolution::Status::interrupted;
      solution_.message = "interrupted; the best iterate is kept";
      solution_.unknowns.assign(best_.begin(), best_.end());
      solution_.residual = best_residual_;
      share_ = 1;
      set(best_);
    }
    return solution_;
  }

 private:
  void set(const VectorXd& x) {
    VectorXd theta = theta_;
    for (int j = 0; j < unknowns_; ++j) theta[problem_.unknowns[j].parameter] = x[j];
    for (const Easier& easy : problem_.from)
      theta[easy.parameter] = easy.value + share_ * (theta_[easy.parameter] - easy.value);
    problem_.shot.set_theta(theta);
  }

  Evaluation evaluate_at(const VectorXd& x) {
    Evaluation e;
    set(x);
    try {
      const FlownShot flight = fly_forward(problem_.shot, control_.stop);
      const Course& course = flight.course;
      e.r.resize(conditions_);
      if (problem_.impacts)
        if (e.reason = sequence_difference(*problem_.impacts, course); !e.reason.empty()) {
          e.reason = "the sequence of impacts changes: " + e.reason;
          e.sequence_changed = true;
        }
      if (!course.reason.empty() && e.reason.empty()) e.reason = "the motion has no derivative " + course.reason;
      if (!e.reason.empty()) {
        for (int i = 0; i < conditions_; ++i) {
          const bool there = problem_.conditions[i].at <= static_cast<int>(course.impacts.size());
          e.r[i] = there ? evaluate(problem_.conditions[i], course, false).value : std::nan("");
        }
        return e;
      }
      const Sensitivity s = sensitivity_forward(problem_.shot, flight, problem_.conditions);
      e.r = s.values;
      e.sizes = s.sizes;
      e.by_theta = s.by_theta;
      e.J.resize(conditions_, unknowns_);
      for (int j = 0; j < unknowns_; ++j) e.J.col(j) = s.by_theta.col(problem_.unknowns[j].parameter);
      if (problem_.periodic) e.monodromy = flight.derivative.monodromy;
      e.good = e.r.allFinite() && e.J.allFinite();
      if (!e.good) e.reason = "a condition or its derivative is not finite";
    } catch (const ModelError& error) {
      if (solution_.history.empty()) throw;  // at the guess: what was asked for is no start
      e.reason = fmt::format("{}: {}", error.key, error.what());
    } catch (const SolverError& error) {
      e.reason = error.step >= 0 ? fmt::format("at t = {:.9g}: {}", error.time, error.what()) : error.what();
    }
    return e;
  }

  // s_j: the size of an unknown; of one that is 0, what makes as much of the conditions as the others do.
  VectorXd sizes(const VectorXd& x, const MatrixXd& J) const {
    VectorXd s(unknowns_);
    for (int j = 0; j < unknowns_; ++j) s[j] = std::fmax(std::abs(x[j]), std::abs(guess_[j]));
    const VectorXd others = J.cwiseAbs() * s;
    for (int j = 0; j < unknowns_; ++j) {
      if (s[j] > 0) continue;
      double size = infinity;
      for (int i = 0; i < conditions_; ++i)
        if (J(i, j) != 0 && others[i] > 0) size = std::fmin(size, others[i] / std::abs(J(i, j)));
      const double column = J.col(j).cwiseAbs().maxCoeff();
      s[j] = std::isfinite(size) ? size : column > 0 ? 1 / column : 1;
    }
    return s;
  }

  // Where a derivative has a pole (√θ at 0) every residual would look small: it counts up to 1e3 times what it was at
  // the first iterate.
  void measure(Evaluation& e, const VectorXd& x) {
    e.scale = e.J.cwiseAbs() * sizes(x, e.J);
    if (first_scale_.size() == 0) first_scale_ = e.scale;
    e.residual = 0;
    for (int i = 0; i < conditions_; ++i)
      if (e.r[i] != 0) {
        const double scale = first_scale_[i] > 0 ? std::fmin(e.scale[i], 1e3 * first_scale_[i]) : e.scale[i];
        e.residual = std::fmax(e.residual, std::abs(e.r[i]) / (scale + e.sizes[i]));
      }
  }

  // −J⁺r over the unknowns that are free to move; the others are at a bound that they would leave (held_).
  VectorXd correction(const Evaluation& e, const VectorXd& r, const VectorXd& x) {
    const VectorXd s = sizes(x, e.J);
    const bool least_squares = conditions_ > unknowns_;
    std::vector<char> fixed(unknowns_, 0);
    VectorXd dx = VectorXd::Zero(unknowns_);
    held_.clear();
    for (int pass = 0; pass <= unknowns_; ++pass) {
      MatrixXd A(conditions_, unknowns_);
      VectorXd b(conditions_);
      for (int i = 0; i < conditions_; ++i) {
        const double weight = least_squares || e.scale[i] == 0 ? 1 : 1 / e.scale[i];
        b[i] = -r[i] * weight;
        for (int j = 0; j < unknowns_; ++j) A(i, j) = fixed[j] != 0 ? 0 : weight * e.J(i, j) * s[j];
      }
      Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
      solver.setThreshold(1e-13);
      solver.compute(A);
      solution_.rank = static_cast<int>(solver.rank());
      dx = solver.solve(b).cwiseProduct(s);
      bool again = false;
      for (int j = 0; j < unknowns_; ++j) {
        const Unknown& u = problem_.unknowns[j];
        if (fixed[j] != 0 || !((dx[j] < 0 && x[j] <= u.min) || (dx[j] > 0 && x[j] >= u.max))) continue;
        fixed[j] = 1;
        held_ += fmt::format("{}{} is at its bound {:.9g}", held_.empty() ? "" : ", ", u.name, x[j]);
        again = true;
      }
      if (!again) break;
    }
    return dx;
  }

  VectorXd clamped(VectorXd x) const {
    for (int j = 0; j < unknowns_; ++j) x[j] = std::clamp(x[j], problem_.unknowns[j].min, problem_.unknowns[j].max);
    return x;
  }

  void note(const VectorXd& x, const Evaluation& e, double damping) {
    Iterate it{solution_.iterations, e.residual, damping, share_, {x.begin(), x.end()}};
    if (control_.progress) control_.progress(it);
    solution_.history.push_back(std::move(it));
    if (share_ == 1 && e.residual < best_residual_) best_ = x, best_residual_ = e.residual;
  }

  // From x to a solution at the present share of the way; false: message says why.
  bool newton(VectorXd& x) {
    Evaluation e = evaluate_at(x);
    if (!e.good) {
      solution_.message = "at the guess: " + e.reason;
      last_ = e;
      return false;
    }
    measure(e, x);
    note(x, e, 1);
    const bool least_squares = conditions_ > unknowns_;
    for (int step = 0;; ++step) {
      last_ = e;
      for (int i = 0; i < conditions_ && !least_squares; ++i)
        if (e.scale[i] == 0 && e.r[i] != 0) {
          solution_.message = fmt::format("the condition {} depends on no unknown", problem_.conditions[i].name);
          return false;
        }
      const VectorXd dx = correction(e, e.r, x);
      const double length = dx.cwiseQuotient(sizes(x, e.J)).norm();
      if (least_squares ? length <= problem_.tolerance : e.residual <= problem_.tolerance) return true;
      const std::string held = held_.empty() ? "" : held_ + ", and the conditions ask for more";
      if (!held.empty() && length <= problem_.tolerance) {
        solution_.message = held;
        return false;
      }
      if (step == problem_.max_iterations) {
        solution_.message = fmt::format("{} iterations were not enough{}{}", step, held.empty() ? "" : "; ", held);
        return false;
      }
      bool taken = false, flown = false, changed = false;
      std::string refused;  // why no trial was flown to its end, or that it met other contacts
      for (double damping = 1; damping > 1e-4; damping /= 2) {
        const VectorXd trial = clamped(x + damping * dx);
        Evaluation next = evaluate_at(trial);
        if (!next.good) {
          if (refused.empty() || next.sequence_changed) refused = next.reason;
          changed |= next.sequence_changed;
          continue;
        }
        flown = true;
        measure(next, trial);
        const double after = correction(e, next.r, x).cwiseQuotient(sizes(x, e.J)).norm();
        taken = least_squares ? next.r.squaredNorm() <= e.r.squaredNorm() - damping / 2 * (e.J * dx).squaredNorm() ||
                                    (damping == 1 && length <= std::sqrt(problem_.tolerance))
                              : after <= (1 - damping / 4) * length || next.residual <= problem_.tolerance;
        if (!taken) continue;
        ++solution_.iterations;
        x = trial;
        e = std::move(next);
        note(x, e, damping);
        break;
      }
      if (taken) continue;
      if (flown && !changed) refused.clear();
      // where the residual has reached its round-off no step makes it smaller
      if (refused.empty() && (least_squares ? length <= 1e-6 : e.residual <= 1e3 * problem_.tolerance)) return true;
      solution_.message =
          !refused.empty() ? refused
          : solution_.rank < std::min(unknowns_, conditions_)
              ? fmt::format("the conditions do not determine a way on: their derivative has rank {} of {}",
                            solution_.rank, std::min(unknowns_, conditions_))
          : held.empty() ? "no step towards a solution makes the conditions smaller: is what they ask for in reach? If "
                           "so, try another guess, or `from` an easier problem"
                         : held;
      return false;
    }
  }

  // From the easier problem to this one.
  bool follow(VectorXd& x) {
    share_ = 0;
    if (!newton(x)) {
      solution_.message = "the easier problem: " + solution_.message;
      return false;
    }
    for (double step = 0.25; share_ < 1;) {
      const double from = share_;
      // along the tangent: J du = −∂r/∂share
      VectorXd by_share = VectorXd::Zero(conditions_);
      for (const Easier& easy : problem_.from)
        by_share += last_.by_theta.col(easy.parameter) * (theta_[easy.parameter] - easy.value);
      const double length = std::fmin(step, 1 - from);
      const VectorXd start = x;
      x = clamped(x + correction(last_, by_share * length, x));
      share_ = from + length;
      const Evaluation before = last_;
      if (newton(x)) {
        step = std::fmin(0.5, 2 * step);
        continue;
      }
      const std::string why = solution_.message;
      x = start;
      share_ = from;
      last_ = before;
      step /= 4;
      if (step < 1e-3) {
        solution_.message = fmt::format("after {:.3g} of the way from the easier problem: {}", from, why);
        return false;
      }
    }
    solution_.message.clear();
    return true;
  }

  void finish() {
    const bool solved = solution_.status == ShootingSolution::Status::solved;
    if (solved) solution_.message.clear();
    const bool easier = share_ < 1;  // it was not left: what is kept is the guess, of the problem itself
    share_ = 1;
    if (!solved && (easier || last_.residual > best_residual_)) {
      last_ = evaluate_at(best_);
      if (last_.good) measure(last_, best_);
    }
    set(best_);
    solution_.unknowns.assign(best_.begin(), best_.end());
    solution_.residuals.assign(last_.r.begin(), last_.r.end());
    solution_.residual = last_.residual;
    if (!solved || last_.monodromy.size() == 0) return;
    const Eigen::VectorXcd multipliers = last_.monodromy.eigenvalues();
    solution_.floquet.assign(multipliers.begin(), multipliers.end());
    std::sort(solution_.floquet.begin(), solution_.floquet.end(), [](const auto& a, const auto& b) {
      return std::abs(a) != std::abs(b) ? std::abs(a) > std::abs(b) : a.imag() > b.imag();
    });
  }

  ShootingProblem& problem_;
  const SolveControl& control_;
  int unknowns_, conditions_;
  VectorXd theta_, guess_, best_;
  double best_residual_ = infinity;
  double share_ = 1;
  std::string held_;      // unknowns at bounds that the last correction would leave
  VectorXd first_scale_;  // of the first iterate
  Evaluation last_;
  ShootingSolution solution_;
};

}  // namespace

ShootingSolution solve(ShootingProblem& problem, const SolveControl& control) {
  check_differentiable(problem.shot);
  return Shooter(problem, control).go();
}

}  // namespace ricochet
