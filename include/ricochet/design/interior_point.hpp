#pragma once
// A sparse program solved by Ipopt's interior-point method, with exact Hessians.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "ricochet/design/sparse_program.hpp"

namespace ricochet {

struct InteriorStep {  // of the iteration
  int number = 0;
  double cost = 0;
  double infeasibility = 0;  // the largest violation of a row
  double stationarity = 0;   // of the gradient of the Lagrangian, scaled
  double barrier = 0;
  double step = 1;  // of the way that was taken
};

struct InteriorOptions {
  double tolerance = 1e-9;
  int max_iterations = 1000;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const InteriorStep&)> progress;
};

struct InteriorSolution {
  enum class Status { solved, infeasible, failed, interrupted } status = Status::failed;
  std::string message;
  std::vector<double> x, lambda, z_min, z_max;  // if not solved, x is the best iterate
  double cost = 0;
  double kkt = 0;  // SparseProgram::kkt_residual
  int iterations = 0;
};

InteriorSolution minimise(SparseProgram& program, const std::vector<double>& guess, const InteriorOptions& options);

}  // namespace ricochet
