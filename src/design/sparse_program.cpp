#include "ricochet/design/sparse_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ricochet {

int SparseProgram::add_block(const BlockFormulas& formulas) {
  blocks_.push_back(std::make_unique<const Block>(formulas));
  return static_cast<int>(blocks_.size()) - 1;
}

int SparseProgram::add_variable(double min, double max) {
  x_min.push_back(min);
  x_max.push_back(max);
  x_size.push_back(1);
  return variables() - 1;
}

int SparseProgram::add_place(int block, std::string label, std::vector<int> variables, std::vector<double> constants,
                             double min, double max) {
  const int first = rows(), count = blocks_[block]->rows();
  for (int r = 0; r < count; ++r) {
    row_min.push_back(min);
    row_max.push_back(max);
    row_size.push_back(1);
    place_of_row_.push_back(static_cast<int>(places_.size()));
  }
  places_.push_back({block, first, std::move(label), std::move(variables), std::move(constants)});
  return static_cast<int>(places_.size()) - 1;
}

void SparseProgram::prepare() {
  for (const auto& block : blocks_) {
    values_.emplace_back(block->values());
    derivatives_.emplace_back(block->derivatives());
    curvature_.emplace_back(block->curvature());
  }
  jacobian_size_ = hessian_size_ = 0;
  for (const Place& place : places_) {
    jacobian_size_ += blocks_[place.block]->jacobian().size();
    hessian_size_ += blocks_[place.block]->hessian().size();
  }
  scratch_.resize(static_cast<std::size_t>(std::max(rows(), variables())));
}

std::string SparseProgram::row_name(int row) const {
  const Place& place = places_[place_of_row_[row]];
  const std::string& name = blocks_[place.block]->row_names()[row - place.first_row];
  return place.label.empty() ? name : fmt::format("{}, {}", name, place.label);
}

formula::Evaluator<double>& SparseProgram::load(std::vector<formula::Evaluator<double>>& evaluators, const Place& place,
                                                const double* x) {
  formula::Evaluator<double>& evaluator = evaluators[place.block];
  double* in = evaluator.inputs();
  for (const int j : place.variables) *in++ = x[j];
  for (const double k : place.constants) *in++ = k;
  return evaluator;
}

std::vector<Block::Entry> SparseProgram::jacobian_entries() const {
  std::vector<Block::Entry> result;
  result.reserve(jacobian_size_);
  for (const Place& place : places_)
    for (const auto& [r, i] : blocks_[place.block]->jacobian())
      result.emplace_back(place.first_row + r, place.variables[i]);
  return result;
}

std::vector<Block::Entry> SparseProgram::hessian_entries() const {
  std::vector<Block::Entry> result;
  result.reserve(hessian_size_);
  for (const Place& place : places_)
    for (const auto& [i, j] : blocks_[place.block]->hessian()) {
      const int a = place.variables[i], b = place.variables[j];
      result.emplace_back(std::max(a, b), std::min(a, b));
    }
  return result;
}

double SparseProgram::cost(const double* x) {
  double sum = 0;
  for (const Place& place : places_) {
    formula::Evaluator<double>& values = load(values_, place, x);
    values.run();
    sum += values.output(blocks_[place.block]->rows());
  }
  return sum;
}

void SparseProgram::gradient(const double* x, double* out) {
  std::fill_n(out, variables(), 0.0);
  for (const Place& place : places_) {
    const Block& block = *blocks_[place.block];
    if (block.gradient().empty()) continue;
    formula::Evaluator<double>& derivatives = load(derivatives_, place, x);
    derivatives.run();
    for (std::size_t e = 0; e < block.gradient().size(); ++e)
      out[place.variables[block.gradient()[e]]] += derivatives.output(block.jacobian().size() + e);
  }
}

void SparseProgram::values(const double* x, double* out) {
  for (const Place& place : places_) {
    const int count = blocks_[place.block]->rows();
    if (count == 0) continue;
    formula::Evaluator<double>& values = load(values_, place, x);
    values.run();
    for (int r = 0; r < count; ++r) out[place.first_row + r] = values.output(r);
  }
}

void SparseProgram::jacobian(const double* x, double* out) {
  for (const Place& place : places_) {
    const std::size_t count = blocks_[place.block]->jacobian().size();
    if (count == 0) continue;
    formula::Evaluator<double>& derivatives = load(derivatives_, place, x);
    derivatives.run();
    for (std::size_t e = 0; e < count; ++e) *out++ = derivatives.output(e);
  }
}

void SparseProgram::hessian(const double* x, double sigma, const double* lambda, double* out) {
  for (const Place& place : places_) {
    const Block& block = *blocks_[place.block];
    if (block.hessian().empty()) continue;
    formula::Evaluator<double>& curvature = load(curvature_, place, x);
    double* weights = curvature.inputs() + block.variables() + block.constants();
    for (int r = 0; r < block.rows(); ++r) *weights++ = lambda[place.first_row + r];
    *weights = sigma;
    curvature.run();
    for (std::size_t e = 0; e < block.hessian().size(); ++e) {
      const auto& [i, j] = block.hessian()[e];
      // two variables of a block that are one here: (i,j) and (j,i) both land on the diagonal
      const double times = i != j && place.variables[i] == place.variables[j] ? 2 : 1;
      *out++ = times * curvature.output(e);
    }
  }
}

Eigen::VectorXd SparseProgram::slope_of_place(int number, const double* x, double sigma, const double* lambda) {
  const Place& place = places_[number];
  const Block& block = *blocks_[place.block];
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(block.variables());
  formula::Evaluator<double>& derivatives = load(derivatives_, place, x);
  derivatives.run();
  std::size_t e = 0;
  for (const auto& [r, i] : block.jacobian()) slope[i] += lambda[place.first_row + r] * derivatives.output(e++);
  for (const int i : block.gradient()) slope[i] += sigma * derivatives.output(e++);
  return slope;
}

void SparseProgram::measure(const double* x) {
  std::vector<double> entries(std::max(jacobian_size_, hessian_size_)), slope(variables()), none(rows(), 0.0);
  jacobian(x, entries.data());
  std::fill(row_size.begin(), row_size.end(), 0.0);
  std::size_t e = 0;
  for (const auto& [row, j] : jacobian_entries()) row_size[row] += std::abs(entries[e++]) * x_size[j];
  for (double& size : row_size)
    if (!(size > 0 && std::isfinite(size))) size = 1;
  gradient(x, slope.data());
  hessian(x, 1, none.data(), entries.data());
  cost_size = 0;
  for (int j = 0; j < variables(); ++j) cost_size += std::abs(slope[j]) * x_size[j];
  e = 0;
  for (const auto& [i, j] : hessian_entries()) {
    const double both = std::abs(entries[e++]) * x_size[i] * x_size[j];
    cost_size += i == j ? both / 2 : both;
  }
  if (!(cost_size > 0 && std::isfinite(cost_size))) cost_size = 1;
}

double SparseProgram::violation(const double* x) {
  double largest = 0;
  values(x, scratch_.data());
  for (int r = 0; r < rows(); ++r)
    largest = std::fmax(largest, std::fmax(row_min[r] - scratch_[r], scratch_[r] - row_max[r]) / row_size[r]);
  for (int j = 0; j < variables(); ++j)
    largest = std::fmax(largest, std::fmax(x_min[j] - x[j], x[j] - x_max[j]) / x_size[j]);
  return largest;
}

double SparseProgram::kkt_residual(const double* x, const double* lambda, const double* z_min, const double* z_max) {
  const double feasibility = violation(x);
  std::vector<double> slope(variables()), r(rows()), entries(jacobian_size_);
  gradient(x, slope.data());
  jacobian(x, entries.data());
  std::size_t e = 0;
  for (const auto& [row, j] : jacobian_entries()) slope[j] += lambda[row] * entries[e++];
  values(x, r.data());
  double size = 0, stationarity = 0, complementarity = 0;
  for (int j = 0; j < variables(); ++j) {
    size += (z_min[j] + z_max[j]) * x_size[j];
    if (x_min[j] == x_max[j]) continue;  // fixed: any multiplier
    stationarity = std::fmax(stationarity, std::abs(slope[j] - z_min[j] + z_max[j]) * x_size[j]);
    if (std::isfinite(x_min[j])) complementarity = std::fmax(complementarity, std::abs(z_min[j] * (x[j] - x_min[j])));
    if (std::isfinite(x_max[j])) complementarity = std::fmax(complementarity, std::abs(z_max[j] * (x_max[j] - x[j])));
  }
  for (int i = 0; i < rows(); ++i) {
    size += std::abs(lambda[i]) * row_size[i];
    if (row_min[i] == row_max[i]) continue;
    // λ > 0 presses on the upper limit, λ < 0 on the lower one
    const double distance = lambda[i] > 0 ? row_max[i] - r[i] : r[i] - row_min[i];
    complementarity =
        std::fmax(complementarity, std::abs(lambda[i]) * (std::isfinite(distance) ? std::abs(distance) : row_size[i]));
  }
  const double s = std::fmax(1, size / cost_size / std::max(1, rows() + variables()));
  return std::fmax(feasibility, std::fmax(stationarity, complementarity) / cost_size / s);
}

}  // namespace ricochet
