// From the operands up: every node of the graph gets a form, a tree of minima and maxima over smooth pieces, and the
// sign that its writing guarantees. An operation that is monotone in an operand moves inside the minima and maxima of
// that operand: kept where it increases, exchanged where it decreases. Rounding is monotone too, so the tree has the
// very value of the formula.

#include "ricochet/formula/kinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "ricochet/formula/program.hpp"

namespace ricochet::formula {

namespace {

using KinkKind = KinkTree::Kind;

struct Form {
  KinkKind kind = KinkKind::piece;
  Expr piece{};  // of a leaf
  int sign = 0;  // 1: never negative, -1: never positive, 0: not known
  int leaves = 1;
  bool jumps = false;  // sign(u), which must meet a power of u
  std::vector<Form> children{};

  bool is_piece() const { return kind == KinkKind::piece; }
};

KinkKind opposite(KinkKind kind) { return kind == KinkKind::minimum ? KinkKind::maximum : KinkKind::minimum; }

bool leaves_have_signs(const Form& f) {
  if (f.is_piece()) return f.sign != 0;
  return std::all_of(f.children.begin(), f.children.end(), leaves_have_signs);
}

// Of a formula of parameters: a System is made for their values.
int sign_of_fixed(Expr e) { return fixed_value(e) >= 0 ? 1 : -1; }

// The sign of op(a, b), from the signs of its operands.
int sign_of(Op op, const Form& a, const Form& b) {
  switch (op) {
    case Op::add: return a.sign == b.sign ? a.sign : 0;
    case Op::sub: return a.sign == -b.sign ? a.sign : 0;
    case Op::mul:
    case Op::div: return a.is_piece() && b.is_piece() && a.piece == b.piece ? 1 : a.sign * b.sign;
    case Op::neg: return -a.sign;
    case Op::min: return a.sign == b.sign ? a.sign : a.sign < 0 || b.sign < 0 ? -1 : 0;
    case Op::max: return a.sign == b.sign ? a.sign : a.sign > 0 || b.sign > 0 ? 1 : 0;
    case Op::pow: {
      if (a.sign > 0) return 1;
      if (!b.is_piece() || !is_fixed(b.piece)) return 0;
      const double e = fixed_value(b.piece);  // of no integer: a value only where the base is not negative
      return e != std::floor(e) || std::fmod(e, 2) == 0 ? 1 : 0;
    }
    case Op::abs:
    case Op::exp:
    case Op::sqrt:
    case Op::cosh:
    case Op::acos: return 1;
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh: return a.sign;
    default: return 0;
  }
}

class Splitter {
 public:
  explicit Splitter(Expr f) : graph_(*f.graph), whole_(f) {}

  Kinks split() {
    for (const std::uint32_t id : dependencies({whole_})) forms_[id] = form(id);
    if (forms_[whole_.id].jumps) refuse_jump(whole_);
    Kinks result;
    result.tree = tree(forms_[whole_.id], result.pieces);
    return result;
  }

 private:
  Form form(std::uint32_t id) {
    const Node n = graph_[id];  // a copy: making nodes may move the graph's storage
    const Expr e{&graph_, id};
    if (n.op == Op::constant) return {.piece = e, .sign = n.value >= 0 ? 1 : -1};
    if (n.op == Op::symbol) return {.piece = e, .sign = is_fixed(e) ? sign_of_fixed(e) : 0};
    const Form &a = forms_.at(n.a), &b = arity(n.op) > 1 ? forms_.at(n.b) : a,
               &c = arity(n.op) > 2 ? forms_.at(n.c) : a;
    if ((n.op == Op::min || n.op == Op::max || n.op == Op::abs) && (a.jumps || b.jumps)) refuse_jump(e);
    switch (n.op) {
      case Op::min: return join(KinkKind::minimum, {a, b}, sign_of(n.op, a, b));
      case Op::max: return join(KinkKind::maximum, {a, b}, sign_of(n.op, a, b));
      case Op::abs:
        if (a.sign != 0) return a.sign > 0 ? a : negate(a);
        return join(KinkKind::maximum, {a, negate(a)}, 1);
      default: break;
    }
    if (n.op == Op::sign && !a.is_piece()) refuse(e, "sign may have no kink inside");
    if (n.op == Op::sign) return {.piece = e, .sign = a.sign, .jumps = true};
    if (n.op == Op::mul || n.op == Op::pow)
      if (const std::optional<Form> power = vanishing_power(n, e)) return *power;
    if (a.jumps || b.jumps || c.jumps) refuse_jump(e);
    if (a.is_piece() && b.is_piece() && c.is_piece()) return smooth(n.op, a, b, c);
    switch (n.op) {
      case Op::neg: return negate(a);
      case Op::add:
      case Op::sub: return combine(n.op, a, b, e);
      case Op::mul: {
        const Node x = graph_[n.a], y = graph_[n.b];
        if (x.op == Op::abs && y.op == Op::abs && forms_.at(x.a).is_piece() && forms_.at(y.a).is_piece()) {
          const Form product = smooth(Op::mul, forms_.at(x.a), forms_.at(y.a), a);  // |u| |v| = |u v|
          return product.sign > 0 ? product : join(KinkKind::maximum, {product, negate(product)}, 1);
        }
        return combine(n.op, a, b, e);
      }
      case Op::div: return combine(n.op, a, b, e);
      default:
        refuse(e,
               "abs, min and max may stand in sums and products only; powers that are smooth where they vanish, as "
               "min(0, u)^2, may stand anywhere, and distance_segment, distance_box and distance_polygon are made of "
               "them");
    }
  }

  // u^k with k > 1 is continuously differentiable where u has a kink, if u is zero there: u = min(0, w), max(0, w),
  // |w|, and w − clamp(w, l, h); so are w u, w^k sign(w), and |w| = w sign(w). Products of such powers of the same u
  // too. It stays as it is written, one smooth piece, but an even power of |w| is that of w.
  std::optional<Form> vanishing_power(const Node& n, Expr e) {
    const Node first = graph_[n.a];
    if (n.op == Op::pow) {
      const Expr exponent{&graph_, n.b};
      if (!vanishes_at_kinks(n.a) || !is_fixed(exponent) || !(fixed_value(exponent) > 1)) return std::nullopt;
      if (first.op == Op::abs && std::fmod(fixed_value(exponent), 2) == 0)
        return smooth(Op::pow, forms_.at(first.a), forms_.at(n.b), forms_.at(n.b));
      powers_[e.id] = n.a;
      return Form{.piece = e, .sign = sign_of(Op::pow, forms_.at(n.a), forms_.at(n.b))};
    }
    const auto base = [&](std::uint32_t id) {  // of a power of something that vanishes at its kinks, or that itself
      const auto found = powers_.find(id);
      return found != powers_.end() ? found->second : vanishes_at_kinks(id) ? id : none;
    };
    if (n.a == n.b && first.op == Op::abs && forms_.at(first.a).is_piece()) return std::nullopt;  // |w| |w| = w²
    if (base(n.a) != none && base(n.a) == base(n.b)) {
      powers_[e.id] = base(n.a);
      return Form{.piece = e, .sign = n.a == n.b ? 1 : forms_.at(n.a).sign * forms_.at(n.b).sign};
    }
    for (const auto& [bent, factor] : {std::pair{n.a, n.b}, {n.b, n.a}}) {
      const Node u = graph_[bent];
      const bool of_factor = u.a == factor || (arity(u.op) > 1 && u.b == factor);
      if (vanishes_at_kinks(bent) && of_factor && forms_.at(factor).is_piece() && !Expr{&graph_, factor}.is_constant())
        return Form{.piece = e};
    }
    for (const auto& [jumping, factor] : {std::pair{n.a, n.b}, {n.b, n.a}}) {
      const Node s = graph_[jumping];
      if (s.op != Op::sign || !forms_.at(s.a).is_piece()) continue;
      if (factor == s.a) return join(KinkKind::maximum, {forms_.at(s.a), negate(forms_.at(s.a))}, 1);
      const Node f = graph_[factor];
      const bool power = (f.op == Op::mul && f.a == s.a && f.b == s.a) ||
                         (f.op == Op::pow && f.a == s.a && is_fixed({&graph_, f.b}) && fixed_value({&graph_, f.b}) > 1);
      if (power) return Form{.piece = e};
    }
    return std::nullopt;
  }

  bool vanishes_at_kinks(std::uint32_t id) const {
    const Node n = graph_[id];
    const auto piece = [&](std::uint32_t k) { return forms_.at(k).is_piece(); };
    const auto zero = [&](std::uint32_t k) { return Expr{const_cast<Graph*>(&graph_), k}.is_constant(0); };
    if (n.op == Op::abs) return piece(n.a);
    if (n.op == Op::min || n.op == Op::max) return (zero(n.a) && piece(n.b)) || (zero(n.b) && piece(n.a));
    if (n.op != Op::sub) return false;
    for (const auto& [w, clamped] : {std::pair{n.a, n.b}, {n.b, n.a}}) {
      const Node outer = graph_[clamped];
      if ((outer.op != Op::min && outer.op != Op::max) || !piece(w)) continue;
      const Node inner = graph_[outer.a];
      const Op other = outer.op == Op::min ? Op::max : Op::min;
      if (inner.op == other && (inner.a == w || inner.b == w) && piece(inner.a) && piece(inner.b) && piece(outer.b))
        return true;
    }
    return false;
  }

  Form smooth(Op op, const Form& a, const Form& b, const Form& c) {
    count(1);
    const Expr piece = graph_.make(op, a.piece, b.piece, c.piece);
    if (piece.is_constant()) return {.piece = piece, .sign = piece.value() >= 0 ? 1 : -1};
    const int sign = sign_of(op, a, b);
    return {.piece = piece,
            .sign = sign == 0 && !graph_.parameters().empty() && is_fixed(piece) ? sign_of_fixed(piece) : sign};
  }

  Form negate(const Form& a) {
    if (a.is_piece()) return smooth(Op::neg, a, a, a);
    std::vector<Form> children;
    for (const Form& child : a.children) children.push_back(negate(child));
    return join(opposite(a.kind), std::move(children), -a.sign);
  }

  // a op b for + - * /, moved inside the minima and maxima of both.
  Form combine(Op op, const Form& a, const Form& b, Expr e) {
    if (a.is_piece() && b.is_piece()) return smooth(op, a, b, a);
    const bool linear = op == Op::add || op == Op::sub;
    int in_a = linear ? 1 : b.sign;  // the sign of the slope in a, in b
    int in_b = op == Op::add ? 1 : op == Op::sub ? -1 : op == Op::mul ? a.sign : 0;
    if (!linear && !a.is_piece() && !b.is_piece()) {  // what is opened first meets the other with its pieces alone
      if (!leaves_have_signs(a)) in_a = 0;
      if (!leaves_have_signs(b)) in_b = 0;
    }
    const bool open_a = !a.is_piece() && in_a != 0;
    if (!open_a && (b.is_piece() || in_b == 0))
      refuse(e, op == Op::div && !b.is_piece() ? "a divisor may have no kink"
                                               : "the factor of abs, min or max must have a sign known from its form");
    const Form& open = open_a ? a : b;
    std::vector<Form> children;
    for (const Form& child : open.children)
      children.push_back(open_a ? combine(op, child, b, e) : combine(op, a, child, e));
    return join((open_a ? in_a : in_b) > 0 ? open.kind : opposite(open.kind), std::move(children), sign_of(op, a, b));
  }

  // A minimum or maximum: children of its own kind are merged, equal pieces are one.
  Form join(KinkKind kind, std::vector<Form> parts, int sign) {
    Form result{.kind = kind, .sign = sign, .leaves = 0};
    const auto add = [&](Form&& part) {
      const auto same = [&](const Form& other) { return other.is_piece() && other.piece == part.piece; };
      if (part.is_piece() && std::any_of(result.children.begin(), result.children.end(), same)) return;
      result.leaves += part.leaves;
      result.children.push_back(std::move(part));
    };
    for (Form& part : parts) {
      if (part.kind != kind)
        add(std::move(part));
      else
        for (Form& child : part.children) add(std::move(child));
    }
    count(result.leaves);
    if (result.leaves > max_pieces) refuse(whole_, fmt::format("it has more than {} pieces", max_pieces).c_str());
    if (result.children.size() > 1) return result;
    Form only = std::move(result.children.front());
    if (only.sign == 0) only.sign = sign;
    return only;
  }

  KinkTree tree(const Form& f, std::vector<Expr>& pieces) const {
    KinkTree t{.kind = f.kind, .piece = -1, .children = {}};
    if (f.is_piece()) {
      const auto found = std::find(pieces.begin(), pieces.end(), f.piece);
      t.piece = static_cast<int>(found - pieces.begin());
      if (found == pieces.end()) pieces.push_back(f.piece);
    }
    for (const Form& child : f.children) t.children.push_back(tree(child, pieces));
    return t;
  }

  void count(int leaves) {
    constexpr std::size_t limit = 2'000'000;
    if ((made_ += static_cast<std::size_t>(leaves)) > limit)
      refuse(whole_, "it is too large to be split into smooth pieces");
  }

  [[noreturn]] static void refuse_jump(Expr e) {
    refuse(e, "sign jumps; in a gap it stands beside a power of its argument, as in u^2*sign(u)");
  }
  [[noreturn]] static void refuse(Expr e, const char* why) {
    throw KinkError(fmt::format("cannot split the kinks of {}: {}", to_string(e, 80), why));
  }

  Graph& graph_;
  Expr whole_;
  std::unordered_map<std::uint32_t, Form> forms_;
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  std::unordered_map<std::uint32_t, std::uint32_t> powers_;  // of what vanishes at its kinks
  std::size_t made_ = 0;
};

}  // namespace

Kinks split_kinks(Expr f) {
  if (!has_kinks(f)) return {{f}, {.kind = KinkKind::piece, .piece = 0, .children = {}}};
  try {
    return Splitter(f).split();
  } catch (const TooLarge& e) {
    throw KinkError(e.what());
  }
}

}  // namespace ricochet::formula
