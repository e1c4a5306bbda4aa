#pragma once
// Exact derivatives of expressions, as expressions of the same graph; apply again for higher orders.

#include <utility>
#include <vector>

#include "ricochet/formula/expr.hpp"

namespace ricochet::formula {

// ∂f/∂x for every x of the list, by one reverse sweep over what f depends on: cost proportional to the size of f.
std::vector<Expr> gradient(Expr f, const std::vector<Expr>& x);
Expr derivative(Expr f, Expr x);

}  // namespace ricochet::formula
