#pragma once
// Kinks as structure. A formula with abs, min, max becomes a tree of minima and maxima over smooth pieces:
//   abs(u) = max(u, -u);   min(a,b) + c = min(a+c, b+c);   s*min(a,b) = min(s*a, s*b) for s >= 0, max(s*a, s*b) for s
//   <= 0.
// The sign of s must be known from its form: a constant, a square, abs, exp, sqrt, cosh, products and sums of such.
// Anything else (sin(abs(x)), a product of unknown sign) is refused, and more than 64 pieces too.
//
// For a gap g >= 0: a minimum is an intersection (each piece a gap of its own), a maximum a union (re-entrant corner).

#include <stdexcept>
#include <vector>

#include "ricochet/formula/expr.hpp"

namespace ricochet::formula {

struct KinkError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct KinkTree {
  enum class Kind : std::uint8_t { piece, minimum, maximum };
  Kind kind = Kind::piece;
  int piece = -1;                  // number in Kinks::pieces, for a leaf
  std::vector<KinkTree> children;  // otherwise; children of a node are never of the node's own kind
};

struct Kinks {
  std::vector<Expr> pieces;  // smooth, each different, in the order written
  KinkTree tree;
};

inline constexpr int max_pieces = 64;

Kinks split_kinks(Expr f);

}  // namespace ricochet::formula
