#include "ricochet/design/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

std::string contact_names(const Model& model, const Impact& impact) {
  std::string names;
  for (const ContactImpulse& c : impact.contacts) names += (names.empty() ? "" : "+") + model.contacts[c.contact].name;
  return names;
}

}  // namespace

Schedule schedule_of(const ControlProblem& problem, const Trajectory& motion) {
  Schedule schedule;
  for (std::size_t a = 0; a < motion.arcs.size(); ++a)
    for (int k = a == 0 ? 0 : 1; k <= motion.arcs[a].intervals(); ++k)
      schedule.times.push_back(motion.time(static_cast<int>(a), k));
  for (std::size_t j = 0; j < problem.control_names.size(); ++j) {
    std::vector<double> u;
    for (const TrajectoryArc& arc : motion.arcs)
      for (int k = 0; k < arc.intervals(); ++k) u.push_back(arc.u(static_cast<Eigen::Index>(j), k));
    schedule.controls.emplace_back("control." + problem.control_names[j], std::move(u));
  }
  return schedule;
}

std::vector<Impact> replay(const ControlProblem& problem, const Trajectory& motion) {
  const Schedule schedule = schedule_of(problem, motion);
  const Eigen::VectorXd q = motion.arcs.front().q.col(0), v = motion.arcs.front().v.col(0);
  IntegratorOptions options = problem.integrator;
  options.step = (schedule.times.back() - schedule.times.front()) / static_cast<double>(schedule.times.size() - 1);
  const InitialState start{problem.start, {q.begin(), q.end()}, {v.begin(), v.end()}};
  std::vector<std::string> dropped;
  const std::unique_ptr<Stepper> stepper = make_scheduled_stepper(problem.model, options, start, schedule, dropped);
  std::vector<Impact> impacts;
  for (std::size_t k = 0; k + 1 < schedule.times.size(); ++k) {
    stepper->advance(schedule.times[k], schedule.times[k + 1] - schedule.times[k]);
    impacts.insert(impacts.end(), stepper->impacts().begin(), stepper->impacts().end());
  }
  return real_impacts(problem, motion, impacts);
}

std::vector<Impact> real_impacts(const ControlProblem& problem, const Trajectory& motion,
                                 std::span<const Impact> impacts) {
  Eigen::VectorXd speed = Eigen::VectorXd::Zero(motion.arcs.front().v.rows());
  for (const TrajectoryArc& arc : motion.arcs) speed = speed.cwiseMax(arc.v.cwiseAbs().rowwise().maxCoeff());
  std::vector<Impact> result;
  for (const Impact& impact : impacts)
    for (Eigen::Index i = 0; i < speed.size(); ++i) {
      const auto c = static_cast<std::size_t>(i);
      if (std::abs(impact.v_after[c] - impact.v_before[c]) <= 1e3 * problem.tolerance * speed[i]) continue;
      result.push_back(impact);
      break;
    }
  return result;
}

const Impact* last_instant(const ControlProblem& problem, const Trajectory& motion, std::span<const Impact> impacts) {
  if (impacts.size() != problem.impacts.size() + 1) return nullptr;
  // the instant is known to the root of the tolerance
  const double near = std::sqrt(problem.tolerance) * (motion.times.back() - motion.times.front());
  return motion.times.back() - impacts.back().time <= near ? &impacts.back() : nullptr;
}

std::string impact_difference(const ControlProblem& problem, const Trajectory& motion,
                              std::span<const Impact> impacts) {
  const std::size_t wanted = problem.impacts.size();
  for (std::size_t k = 0; k < std::min(wanted, impacts.size()); ++k)
    if (const std::string name = contact_names(problem.model, impacts[k]);
        name != problem.model.contacts[problem.impacts[k]].name)
      return fmt::format("impact {} of the motion integrated again is on {} at t = {:.9g}, not on {}", k + 1, name,
                         impacts[k].time, problem.model.contacts[problem.impacts[k]].name);
  for (std::size_t k = 0; k < std::min(wanted, impacts.size()); ++k)
    if (std::abs(impacts[k].time - motion.times[k + 1]) >
        std::sqrt(problem.tolerance) * (motion.times.back() - motion.times.front()))
      return fmt::format("impact {} of the motion integrated again is at t = {:.9g}, not at {:.9g}", k + 1,
                         impacts[k].time, motion.times[k + 1]);
  if (impacts.size() > wanted && last_instant(problem, motion, impacts) == nullptr)
    return fmt::format("the motion integrated again also strikes {} at t = {:.9g}",
                       contact_names(problem.model, impacts[wanted]), impacts[wanted].time);
  if (impacts.size() < wanted)
    return fmt::format("the motion integrated again has {} of {} impacts", impacts.size(), wanted);
  return "";
}

void check_start(const ControlProblem& problem) {
  const auto any = [](const std::vector<char>& free) {
    return std::any_of(free.begin(), free.end(), [](char x) { return x != 0; });
  };
  if (any(problem.free_position) || any(problem.free_velocity)) return;
  const std::unique_ptr<Stepper> stepper =
      make_stepper(problem.model, problem.integrator, {problem.start, problem.position, problem.velocity});
  stepper->advance(problem.start, 1e-6 * problem.duration);
  for (const Impact& impact : stepper->impacts())
    if (impact.impulse() != 0 && impact.time == problem.start)
      throw ModelError("initial.velocity",
                       fmt::format("the start is on {0} and moves into it, so that it is struck at once, at no free "
                                   "time; begin with the velocity after this impact, or a little away from {0}",
                                   contact_names(problem.model, impact)));
}

}  // namespace ricochet
