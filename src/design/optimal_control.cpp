#include "ricochet/design/optimal_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/design/replay.hpp"
#include "ricochet/design/transcription.hpp"
#include "ricochet/error.hpp"
#include "ricochet/formula/interval.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/mechanics/lagrangian.hpp"

namespace ricochet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// x moved by the shortest way, in units of `size`, to where the formulas of (q, v, t) are 0; as near as some steps
// lead.
void move_onto(const Model& model, const std::vector<Expr>& formulas, double t, const VectorXd& size, VectorXd& x) {
  if (formulas.empty()) return;
  const int n = static_cast<int>(model.coordinates.size()), rows = static_cast<int>(formulas.size());
  std::vector<Expr> qvt = model.q();
  for (const Expr& v : model.v()) qvt.push_back(v);
  qvt.push_back(model.graph->time());
  const formula::VectorFunction f(formulas, qvt);
  formula::Evaluator<double> program(f.order(1));
  for (int step = 0; step < 20; ++step) {
    for (int i = 0; i < 2 * n; ++i) program.inputs()[i] = x[i];
    program.inputs()[2 * n] = t;
    program.run();
    VectorXd r(rows);
    MatrixXd J = MatrixXd::Zero(rows, 2 * n);
    for (int i = 0; i < rows; ++i) r[i] = program.output(i);
    for (std::size_t e = 0; e < f.jacobian_pattern().size(); ++e) {
      const auto [row, column] = f.jacobian_pattern()[e];
      if (static_cast<int>(column) < 2 * n) J(row, column) = program.output(f.jacobian_output(e)) * size[column];
    }
    if (!r.allFinite() || !J.allFinite() || r.isZero(0)) return;
    x -= size.cwiseProduct(J.completeOrthogonalDecomposition().solve(r));
  }
}

double at_time(const Model& model, Expr f, double t) {
  const formula::Program program({f}, {model.graph->time()});
  formula::Evaluator<double> evaluator(program);
  evaluator.inputs()[0] = t;
  evaluator.run();
  return evaluator.output(0);
}

}  // namespace

std::vector<std::string> control_unknowns(const ControlProblem& problem) {
  std::vector<std::string> names;
  const std::vector<std::string>& coordinates = problem.model.coordinates;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (problem.free_position[i] != 0) names.emplace_back("position." + coordinates[i]);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (problem.free_velocity[i] != 0) names.emplace_back("velocity." + coordinates[i]);
  if (problem.free_duration) names.emplace_back("duration");
  return names;
}

std::vector<double> control_unknowns(const ControlProblem& problem, const Trajectory& trajectory) {
  std::vector<double> values;
  const TrajectoryArc& first = trajectory.arcs.front();
  for (std::size_t i = 0; i < problem.free_position.size(); ++i)
    if (problem.free_position[i] != 0) values.push_back(first.q(static_cast<Eigen::Index>(i), 0));
  for (std::size_t i = 0; i < problem.free_velocity.size(); ++i)
    if (problem.free_velocity[i] != 0) values.push_back(first.v(static_cast<Eigen::Index>(i), 0));
  if (problem.free_duration) values.push_back(trajectory.times.back() - trajectory.times.front());
  return values;
}

Trajectory first_guess(const ControlProblem& problem) {
  const Model& model = problem.model;
  const int n = static_cast<int>(model.coordinates.size()), arcs = problem.arcs();
  Trajectory result;
  result.times.push_back(problem.start);
  for (int a = 1; a < arcs; ++a)
    result.times.push_back(problem.times.empty() ? problem.start + problem.duration * a / arcs : problem.times[a - 1]);
  result.times.push_back(problem.start + problem.duration);
  result.impulses.assign(problem.impacts.size(), 0.0);

  // positions at the ends of the arcs: v counts as v·duration beside q
  const auto given = [&](int i, double t, double otherwise) {
    return !problem.position_guess.empty() && problem.position_guess[i] ? at_time(model, problem.position_guess[i], t)
                                                                        : otherwise;
  };
  VectorXd start(2 * n), end(2 * n), size = VectorXd::Ones(2 * n);
  size.tail(n).setConstant(1 / problem.duration);
  for (int i = 0; i < n; ++i) {
    start[i] = problem.free_position[i] != 0 ? given(i, problem.start, problem.position[i]) : problem.position[i];
    start[n + i] = problem.velocity[i];
    end[i] = given(i, result.times.back(), start[i]);
    end[n + i] = 0;
  }
  std::vector<Expr> conditions;
  for (const Quantity& condition : problem.conditions)
    if (condition.at == 0) conditions.push_back(condition.formula);
  for (const Constraint& f : model.holonomic) conditions.push_back(f.equation);
  move_onto(model, conditions, result.times.back(), size, end);
  if (!end.allFinite()) end = start;
  std::vector<VectorXd> corners{start.head(n)};
  for (int a = 1; a < arcs; ++a) {
    const double share = (result.times[a] - problem.start) / problem.duration;
    VectorXd x = start + share * (end - start);
    for (int i = 0; i < n; ++i) x[i] = given(i, result.times[a], x[i]);
    move_onto(model, {model.contacts[problem.impacts[a - 1]].gap}, result.times[a], size, x);
    corners.emplace_back(x.allFinite() ? x.head(n) : start.head(n));
  }
  corners.emplace_back(end.head(n));

  const System system(model);
  Lagrangian lagrangian(system);
  for (int a = 0; a < arcs; ++a) {
    const int N = problem.intervals[a];
    TrajectoryArc& arc = result.arcs.emplace_back();
    arc.q.resize(n, N + 1), arc.p.resize(n, N + 1), arc.v.resize(n, N + 1);
    arc.u = MatrixXd::Zero(static_cast<Eigen::Index>(problem.controls.size()), N);
    const double length = result.times[a + 1] - result.times[a];
    for (int k = 0; k <= N; ++k) {
      const double share = k / static_cast<double>(N), t = result.times[a] + share * length;
      arc.q.col(k) = corners[a] + share * (corners[a + 1] - corners[a]);
      for (int i = 0; i < n && k > 0 && k < N; ++i) arc.q(i, k) = given(i, t, arc.q(i, k));
      if (k < N)
        for (std::size_t j = 0; j < problem.controls.size(); ++j)
          if (!problem.control_guess.empty() && problem.control_guess[j])
            arc.u(static_cast<Eigen::Index>(j), k) = at_time(model, problem.control_guess[j], t + length / N / 2);
    }
    for (int k = 0; k <= N; ++k) {
      const int before = std::max(k - 1, 0), after = std::min(k + 1, N);
      arc.v.col(k) = (arc.q.col(after) - arc.q.col(before)) / ((after - before) * length / N);
      if (a == 0 && k == 0)
        for (int i = 0; i < n; ++i)
          if (problem.free_velocity[i] == 0) arc.v(i, 0) = problem.velocity[i];
      const VectorXd q = arc.q.col(k), v = arc.v.col(k);
      VectorXd p(n);
      lagrangian.momentum(q.data(), v.data(), result.time(a, k), p.data());
      arc.p.col(k) = p;
    }
  }
  return result;
}

namespace {

class Optimizer {
 public:
  explicit Optimizer(const ControlProgress& progress) : progress_(progress) {}

  // One sequence of impacts, refined if asked for.
  ControlSolution follow(ControlProblem problem, const std::string& title) {
    ControlSolution solution = once(problem, title);
    int settled = 0;  // times the cost has, but the motion strikes something between grid points
    while (problem.refine && solution.status == ControlSolution::Status::solved) {
      const double cost = solution.cost;
      for (int& N : problem.intervals) N *= 2;
      if (total(problem) > most_intervals) {
        solution.status = ControlSolution::Status::failed;
        const std::string other = difference(solution);
        solution.message = other.empty()
                               ? fmt::format(
                                     "{} intervals were not enough: the cost still changes by more than {} of "
                                     "it",
                                     total(problem) / 2, *problem.refine)
                               : fmt::format("{} intervals were not enough: {}", total(problem) / 2, other);
        break;
      }
      const auto refinements = solution.refinements;
      ControlSolution finer = once(problem, doubled(solution.trajectory),
                                   fmt::format("{}{} intervals", title.empty() ? "" : title + ", ", total(problem)));
      finer.refinements.insert(finer.refinements.begin(), refinements.begin(), refinements.end());
      if (finer.status != ControlSolution::Status::solved) {
        if (finer.status == ControlSolution::Status::failed)
          solution.message = fmt::format("with {} intervals: {}", total(problem), finer.message);
        solution.status = finer.status;
        solution.iterations = iterations_;
        break;
      }
      solution = std::move(finer);
      if (std::abs(solution.cost - cost) <= *problem.refine * std::abs(solution.cost) &&
          (difference(solution).empty() || ++settled > 2))
        break;
    }
    if (solution.status == ControlSolution::Status::solved)
      if (const std::string other = difference(solution); !other.empty()) {
        solution.status = ControlSolution::Status::failed;
        solution.message = other +
                           "; between grid points a gap is not watched: more intervals, refine, or a path formula that "
                           "keeps a distance";
      }
    return solution;
  }

  // All sequences, short ones first. With a running cost that is nowhere negative a sequence costs at least what the
  // way to its last impact costs, and so does all that begins with it: where that is more than the best, they are not
  // tried.
  ControlSolution search(const ControlProblem& problem) {
    std::vector<ControlSolution> solved;
    std::vector<Candidate> candidates;
    ControlSolution last;
    double least = std::numeric_limits<double>::infinity();
    const bool bounded = never_negative(problem);
    std::vector<std::vector<int>> sequences{{}};
    for (std::size_t k = 0; k < sequences.size(); ++k) {
      const std::vector<int> sequence = sequences[k];
      ControlProblem one = problem;
      one.search.reset();
      one.refine.reset();
      one.impacts = sequence;
      one.times.clear();
      const int N = problem.intervals.front();
      one.intervals.assign(sequence.size() + 1, N);
      std::string title = "no impact";
      for (std::size_t i = 0; i < sequence.size(); ++i)
        title = (i == 0 ? "" : title + ", ") + problem.model.contacts[sequence[i]].name;
      last = follow(one, title);
      if (last.status == ControlSolution::Status::interrupted) break;
      const bool good = last.status == ControlSolution::Status::solved;
      candidates.push_back({sequence, good ? "solved" : "failed", last.cost});
      if (good) {
        least = std::fmin(least, last.cost);
        solved.push_back(last);
      }
      if (static_cast<int>(sequence.size()) == *problem.search) continue;
      if (bounded && !sequence.empty() && std::isfinite(least)) {
        const ControlSolution way = once(way_to_last_impact(one), title + ", and whatever follows");
        last.status = way.status;
        if (way.status == ControlSolution::Status::interrupted) break;
        if (way.status == ControlSolution::Status::solved && way.cost > least) {
          candidates.push_back({sequence, "pruned", way.cost});
          continue;
        }
      }
      for (int c = 0; c < static_cast<int>(problem.model.contacts.size()); ++c) {
        sequences.push_back(sequence);
        sequences.back().push_back(c);
      }
    }
    const auto cheaper = [](const auto& a, const auto& b) { return a.cost < b.cost; };
    std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
      return a.status != b.status ? a.status > b.status : cheaper(a, b);  // solved, pruned, failed
    });
    const bool interrupted = last.status == ControlSolution::Status::interrupted;
    ControlSolution best = solved.empty() ? last : *std::min_element(solved.begin(), solved.end(), cheaper);
    if (solved.empty() && !interrupted) best.message = "no sequence of impacts was solved; the last: " + best.message;
    if (!solved.empty() && problem.refine && !interrupted) {
      ControlProblem again = best.problem;
      again.refine = problem.refine;
      best = follow(again, "the best sequence");
    }
    if (interrupted) best.status = ControlSolution::Status::interrupted;
    best.candidates = std::move(candidates);
    best.iterations = iterations_;
    return best;
  }

 private:
  static constexpr int most_intervals = 100'000;
  static int total(const ControlProblem& problem) {
    int sum = 0;
    for (const int N : problem.intervals) sum += N;
    return sum;
  }

  ControlSolution once(const ControlProblem& problem, const std::string& title) {
    return once(problem, first_guess(problem), title, true);
  }

  ControlSolution once(const ControlProblem& problem, const Trajectory& guess, const std::string& title,
                       bool bent = false) {
    ControlSolution solution;
    solution.problem = problem;
    if (progress_.begin) progress_.begin(title);
    Transcription transcription(problem);
    transcription.measure(guess);
    SparseProgram& program = transcription.program();
    solution.unknowns = static_cast<std::size_t>(program.variables());
    solution.conditions = static_cast<std::size_t>(program.rows());
    InteriorOptions options{problem.tolerance, problem.max_iterations, progress_.stop, {}};
    options.progress = [&](const InteriorStep& step) {
      solution.history.push_back(step);
      if (progress_.step) progress_.step(step);
    };
    std::vector<double> start = transcription.pack(guess);
    if (bent) transcription.bend(start);
    const InteriorSolution found = minimise(program, start, options);
    using Status = ControlSolution::Status;
    solution.status = found.status == InteriorSolution::Status::solved        ? Status::solved
                      : found.status == InteriorSolution::Status::interrupted ? Status::interrupted
                                                                              : Status::failed;
    solution.message = found.message;
    solution.cost = found.cost;
    solution.kkt = found.kkt;
    iterations_ += found.iterations;
    solution.iterations = iterations_;
    solution.trajectory = transcription.unpack(found.x);
    if (solution.status == Status::solved) {
      solution.costates = transcription.costates(found.x, found.lambda);
      solution.multipliers = transcription.multipliers(found.lambda, found.z_min, found.z_max);
      solution.refinements.emplace_back(total(problem), found.cost);
    } else {
      name_worst(program, found.x, solution);
      if (solution.worst.empty() && solution.status == Status::failed) solution.message += unsettled(problem);
      separate(problem, solution.trajectory.times);
    }
    return solution;
  }

  // The conditions that are broken most.
  static void name_worst(SparseProgram& program, const std::vector<double>& x, ControlSolution& solution) {
    std::vector<double> r(static_cast<std::size_t>(program.rows()));
    program.values(x.data(), r.data());
    // of iterates that ran away the round-off is that of large numbers
    std::vector<double> entries(program.jacobian_size()), terms = program.row_size;
    program.jacobian(x.data(), entries.data());
    std::size_t e = 0;
    for (const auto& [row, j] : program.jacobian_entries()) terms[row] += std::abs(entries[e++] * x[j]);
    std::vector<std::pair<double, int>> broken;
    for (int i = 0; i < program.rows(); ++i) {
      const double by = std::fmax(program.row_min[i] - r[i], r[i] - program.row_max[i]);
      if (by > solution.problem.tolerance * terms[i] || std::isnan(by))
        broken.emplace_back(by / program.row_size[i], i);
    }
    std::sort(broken.begin(), broken.end(), std::greater<>());
    for (std::size_t k = 0; k < std::min<std::size_t>(broken.size(), 5); ++k)
      solution.worst.emplace_back(program.row_name(broken[k].second),
                                  broken[k].first * program.row_size[broken[k].second]);
  }

  // Whether the motion is one of the method that meets the contacts as the problem has it, between grid points too.
  static std::string difference(const ControlSolution& solution) {
    try {
      return impact_difference(solution.problem, solution.trajectory, replay(solution.problem, solution.trajectory));
    } catch (const SolverError& error) {
      return fmt::format("the motion integrated again fails: {}", error.what());
    }
  }

  // By interval arithmetic, whatever the motion within its bounds.
  static bool never_negative(const ControlProblem& problem) {
    if (!problem.running || problem.final_cost) return false;
    const Model& model = problem.model;
    std::vector<Expr> inputs = model.q();
    for (const auto& list : {model.v(), problem.controls}) inputs.insert(inputs.end(), list.begin(), list.end());
    inputs.push_back(model.graph->time());
    const formula::Program program({problem.running}, inputs);
    formula::Evaluator<formula::Interval> evaluator(program);
    formula::Interval* in = evaluator.inputs();
    for (const auto* bounds : {&problem.position_bounds, &problem.velocity_bounds, &problem.control_bounds})
      for (const Range& range : *bounds) *in++ = {range.min, range.max};
    *in = formula::Interval::whole();
    evaluator.run();
    return evaluator.output(0).lo >= -std::numeric_limits<double>::min();  // it is rounded outward
  }

  // The problem up to the last impact, which may come at any time.
  static ControlProblem way_to_last_impact(const ControlProblem& problem) {
    ControlProblem way = problem;
    const int last = problem.impacts.back();
    way.impacts.pop_back();
    way.intervals.pop_back();
    way.conditions = {{"gap of " + problem.model.contacts[last].name, problem.model.contacts[last].gap}};
    const double most = problem.free_duration ? problem.free_duration->max : problem.duration;
    way.free_duration = Range{0, most};
    way.duration = problem.duration * (problem.arcs() - 1) / problem.arcs();
    return way;
  }

  // All conditions hold, and yet there is no optimum.
  static std::string unsettled(const ControlProblem& problem) {
    const auto kinked = [](Expr f) { return f && formula::has_kinks(f); };
    const bool kinks = kinked(problem.running) || kinked(problem.final_cost) ||
                       std::any_of(problem.path.begin(), problem.path.end(),
                                   [&](const PathFormula& path) { return kinked(path.formula); });
    return kinks ? "; the conditions hold, but the cost has no derivative where an abs, min or max has its kink: for "
                   "|u| write sqrt(u^2 + 1e-6), or u = p - n with bounds p >= 0, n >= 0 and the cost p + n"
                 : "; the conditions hold, but the cost does not settle: is it bounded from below? Bounds of the "
                   "controls, or a running cost that grows with them, make it so";
  }

  // The instants of a best iterate, which may break anything, as those of a motion: they grow.
  static void separate(const ControlProblem& problem, std::vector<double>& times) {
    const double arc = problem.minimum_arc * problem.duration / problem.arcs();
    for (std::size_t k = 1; k < times.size(); ++k)
      if (k + 1 < times.size() || problem.free_duration) times[k] = std::fmax(times[k], times[k - 1] + arc);
    for (std::size_t k = times.size() - 1; k-- > 1;) times[k] = std::fmin(times[k], times[k + 1] - arc);
  }

  const ControlProgress& progress_;
  int iterations_ = 0;
};

}  // namespace

ControlSolution solve(const ControlProblem& problem, const ControlProgress& progress) {
  check_controllable(problem);
  check_start(problem);
  Optimizer optimizer(progress);
  return problem.search ? optimizer.search(problem) : optimizer.follow(problem, "");
}

}  // namespace ricochet
