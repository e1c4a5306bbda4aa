#pragma once
// An expression with some symbols replaced by expressions of the same graph.

#include <utility>
#include <vector>

#include "ricochet/formula/expr.hpp"

namespace ricochet::formula {

Expr substitute(Expr f, const std::vector<std::pair<Expr, Expr>>& replacements);

}  // namespace ricochet::formula
