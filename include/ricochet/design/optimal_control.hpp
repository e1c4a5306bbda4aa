#pragma once
// The best motion under control: guess, solution, refinement, search for the sequence of impacts.

#include "ricochet/design/control_problem.hpp"
#include "ricochet/design/interior_point.hpp"
#include "ricochet/design/trajectory.hpp"
#include "ricochet/design/transcription.hpp"

namespace ricochet {

struct Candidate {  // of a search
  std::vector<int> impacts;
  std::string status;  // solved | failed | pruned: already the way to its last impact costs this
  double cost = 0;
};

struct ControlSolution {
  enum class Status { solved, failed, interrupted } status = Status::failed;
  std::string message;
  ControlProblem problem;                 // with the intervals and impacts of the solution
  Trajectory trajectory;                  // or the best iterate
  std::vector<Eigen::MatrixXd> costates;  // of each arc; empty if not solved
  Multipliers multipliers;                // likewise
  double cost = 0;
  double kkt = 0;
  int iterations = 0;  // of all programs solved
  std::size_t unknowns = 0, conditions = 0;
  std::vector<std::pair<std::string, double>> worst;  // not solved: the conditions broken most
  std::vector<Candidate> candidates;                  // the cheapest first
  std::vector<InteriorStep> history;
  std::vector<std::pair<int, double>> refinements;  // intervals in all, cost
};

struct ControlProgress {
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string& title)> begin{};  // of each program solved
  std::function<void(const InteriorStep&)> step{};
};

// What is unknown beside the motion, by name: free initial values, duration.
std::vector<std::string> control_unknowns(const ControlProblem& problem);
std::vector<double> control_unknowns(const ControlProblem& problem, const Trajectory& trajectory);

// A straight guess: from the start through the points of impact to an end that meets the conditions.
Trajectory first_guess(const ControlProblem& problem);

// Throws ModelError where the problem cannot be posed (check_controllable).
ControlSolution solve(const ControlProblem& problem, const ControlProgress& progress = {});

}  // namespace ricochet
