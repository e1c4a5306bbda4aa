#include "ricochet/design/optimal_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/design/transcription.hpp"
#include "ricochet/error.hpp"
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
    if (problem.free_position[i] != 0) names.push_back("position." + coordinates[i]);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (problem.free_velocity[i] != 0) names.push_back("velocity." + coordinates[i]);
  if (problem.free_duration) names.push_back("duration");
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
    corners.push_back(x.allFinite() ? x.head(n) : start.head(n));
  }
  corners.push_back(end.head(n));

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
    ControlSolution solution = once(problem, first_guess(problem), title);
    while (problem.refine && solution.status == ControlSolution::Status::solved) {
      const double cost = solution.cost;
      for (int& N : problem.intervals) N *= 2;
      if (total(problem) > most_intervals) {
        solution.status = ControlSolution::Status::failed;
        solution.message = fmt::format("{} intervals were not enough: the cost still changes by more than {} of it",
                                       total(problem) / 2, *problem.refine);
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
      if (std::abs(solution.cost - cost) <= *problem.refine * std::abs(solution.cost)) break;
    }
    return solution;
  }

  ControlSolution search(const ControlProblem& problem) {
    std::vector<ControlSolution> solved;
    std::vector<Candidate> candidates;
    ControlSolution last;
    std::vector<std::vector<int>> sequences{{}};
    for (std::size_t k = 0; k < sequences.size(); ++k) {
      const std::vector<int> sequence = sequences[k];
      if (static_cast<int>(sequence.size()) < *problem.search)
        for (int c = 0; c < static_cast<int>(problem.model.contacts.size()); ++c) {
          sequences.push_back(sequence);
          sequences.back().push_back(c);
        }
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
      if (good) solved.push_back(last);
    }
    const auto cheaper = [](const auto& a, const auto& b) { return a.cost < b.cost; };
    std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
      return a.status != b.status ? a.status == "solved" : cheaper(a, b);
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

  ControlSolution once(const ControlProblem& problem, const Trajectory& guess, const std::string& title) {
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
    const InteriorSolution found = minimise(program, transcription.pack(guess), options);
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
      solution.refinements.emplace_back(total(problem), found.cost);
    } else {
      name_worst(program, found.x, solution);
    }
    return solution;
  }

  // The conditions that are broken most.
  static void name_worst(SparseProgram& program, const std::vector<double>& x, ControlSolution& solution) {
    std::vector<double> r(static_cast<std::size_t>(program.rows()));
    program.values(x.data(), r.data());
    std::vector<std::pair<double, int>> broken;
    for (int i = 0; i < program.rows(); ++i) {
      const double by = std::fmax(program.row_min[i] - r[i], r[i] - program.row_max[i]);
      if (by > 0 || std::isnan(by)) broken.emplace_back(by / program.row_size[i], i);
    }
    std::sort(broken.begin(), broken.end(), std::greater<>());
    for (std::size_t k = 0; k < std::min<std::size_t>(broken.size(), 5); ++k)
      solution.worst.emplace_back(program.row_name(broken[k].second),
                                  broken[k].first * program.row_size[broken[k].second]);
  }

  const ControlProgress& progress_;
  int iterations_ = 0;
};

}  // namespace

ControlSolution solve(const ControlProblem& problem, const ControlProgress& progress) {
  check_controllable(problem);
  Optimizer optimizer(progress);
  return problem.search ? optimizer.search(problem) : optimizer.follow(problem, "");
}

}  // namespace ricochet
