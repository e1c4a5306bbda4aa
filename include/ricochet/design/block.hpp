#pragma once
// A block of a large sparse problem: some rows r(x) and a cost c(x) of a few variables x and constants k, compiled once
// and evaluated for every place where it stands. With exact sparse derivatives: ∂r/∂x, ∂c/∂x, and the Hessian of
// σ c + λᵀr, entries (i,j) with i >= j.

#include <string>
#include <utility>
#include <vector>

#include "ricochet/formula/program.hpp"

namespace ricochet {

using formula::Expr;

struct BlockFormulas {
  std::string name;
  std::vector<Expr> rows;
  std::vector<std::string> row_names;
  Expr cost{};  // none: 0
  std::vector<Expr> variables, constants;
};

class Block {
 public:
  using Entry = std::pair<int, int>;  // row and variable, or two variables

  explicit Block(const BlockFormulas& formulas);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& row_names() const { return row_names_; }
  int rows() const { return static_cast<int>(row_names_.size()); }
  int variables() const { return variables_; }
  int constants() const { return constants_; }
  const std::vector<Entry>& jacobian() const { return jacobian_; }
  const std::vector<int>& gradient() const { return gradient_; }  // variables of the cost
  const std::vector<Entry>& hessian() const { return hessian_; }

  // Inputs: x, k; and λ, σ for the last. Outputs: rows, cost; entries of ∂r/∂x, then of ∂c/∂x; entries of the Hessian.
  const formula::Program& values() const { return values_; }
  const formula::Program& derivatives() const { return derivatives_; }
  const formula::Program& curvature() const { return curvature_; }

 private:
  std::string name_;
  std::vector<std::string> row_names_;
  int variables_, constants_;
  std::vector<Entry> jacobian_, hessian_;
  std::vector<int> gradient_;
  formula::Program values_, derivatives_, curvature_;
};

}  // namespace ricochet
