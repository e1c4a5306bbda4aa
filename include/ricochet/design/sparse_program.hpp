#pragma once
// A nonlinear program made of blocks: minimise Σ c(x) subject to a <= r(x) <= b and bounds of x. Every place where a
// block stands has its variables, constants and rows; values and derivatives of the whole are one loop over the places,
// linear in their number, without allocation.
//
// Triplets may name the same entry more than once; their sum is meant.

#include <Eigen/Dense>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/design/block.hpp"

namespace ricochet {

class SparseProgram {
 public:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  int add_block(const BlockFormulas& formulas);
  int add_variable(double min = -infinity, double max = infinity);
  // All rows of the place have the same limits. Returns the number of the place.
  int add_place(int block, std::string label, std::vector<int> variables, std::vector<double> constants, double min = 0,
                double max = 0);
  void prepare();  // after the last of these

  int variables() const { return static_cast<int>(x_min.size()); }
  int rows() const { return static_cast<int>(row_min.size()); }
  std::string row_name(int row) const;
  int first_row(int place) const { return places_[place].first_row; }
  std::vector<double> x_min, x_max, row_min, row_max;

  // Sizes, so that no unit counts: of the variables as given (1), then of the rows Σ|∂r/∂x_j| s_j and of the cost
  // Σ|∂c/∂x_j| s_j + ½Σ|∂²c/∂x_i∂x_j| s_i s_j at a point.
  std::vector<double> x_size, row_size;
  double cost_size = 1;
  void measure(const double* x);

  // Structure of triplets, then their values in the same order.
  std::vector<Block::Entry> jacobian_entries() const, hessian_entries() const;
  std::size_t jacobian_size() const { return jacobian_size_; }
  std::size_t hessian_size() const { return hessian_size_; }
  double cost(const double* x);
  void gradient(const double* x, double* out);
  void values(const double* x, double* out);
  void jacobian(const double* x, double* out);
  void hessian(const double* x, double sigma, const double* lambda, double* out);  // i >= j

  // The derivative of σ c + λᵀr of one place by its variables.
  Eigen::VectorXd slope_of_place(int place, const double* x, double sigma, const double* lambda);

  // The largest violation of rows and bounds at x.
  double violation(const double* x);
  // The Karush–Kuhn–Tucker residual: the largest of violation, |∇c + Jᵀλ − z_min + z_max| and |z|·(distance of a bound
  // or limit), the last two divided by max(1, mean of |λ| and |z|), as solvers of this kind measure it; everything in
  // the sizes.
  double kkt_residual(const double* x, const double* lambda, const double* z_min, const double* z_max);

 private:
  struct Place {
    int block, first_row;
    std::string label;
    std::vector<int> variables;
    std::vector<double> constants;
  };
  formula::Evaluator<double>& load(std::vector<formula::Evaluator<double>>& evaluators, const Place& place,
                                   const double* x);
  std::vector<std::unique_ptr<const Block>> blocks_;
  std::vector<Place> places_;
  std::vector<int> place_of_row_;
  std::vector<formula::Evaluator<double>> values_, derivatives_, curvature_;
  std::size_t jacobian_size_ = 0, hessian_size_ = 0;
  std::vector<double> scratch_;
};

}  // namespace ricochet
