// Syntax trees to expressions: names are looked up in the scope, sums and indices are unrolled.

#include "ricochet/formula/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "composites.hpp"
#include "ricochet/formula/program.hpp"
#include "scope_entry.hpp"
#include "syntax.hpp"

namespace ricochet::formula {

FormulaError::FormulaError(const std::string& message, std::size_t at, std::string near)
    : std::runtime_error(message), column(at), suggestion(std::move(near)) {}

class Builder {
 public:
  explicit Builder(const Scope& scope) : scope_(scope), graph_(*scope.graph_) {}

  Expr build(const Syntax& s) {
    try {
      return expr(s);
    } catch (const TooLarge& e) {
      throw FormulaError(e.what(), s.column);
    }
  }

  int integer(const Syntax& s) {
    const Expr e = build(s);
    if (!e.is_constant() && !is_fixed(e))
      throw FormulaError("expected an integer formula of parameters and indices", s.column);
    if (!e.is_constant()) e.graph->note_in_range(e);
    const double v = fixed_value(e);
    if (v != std::floor(v)) throw FormulaError(fmt::format("expected an integer, found {}", v), s.column);
    if (std::abs(v) > 1e9)
      throw FormulaError(fmt::format("expected an integer of at most 1e9 in size, found {}", v), s.column);
    return static_cast<int>(v);
  }

  // Calls body for all values of the ranges from number k on, the last running fastest.
  void loop(const Syntax& sum, std::size_t ranges, const std::function<void()>& body, std::size_t k = 0) {
    if (k == ranges) return body();
    const Syntax& range = *sum.parts[k].node;
    const std::string name(range.name);
    if (scope_.knows(name) || std::any_of(indices_.begin(), indices_.end(), [&](auto& i) { return i.first == name; }))
      throw FormulaError(fmt::format("the index '{}' is already the name of something", name), range.column);
    const int first = integer(*range.parts[0].node), last = integer(*range.parts[1].node);
    indices_.emplace_back(range.name, 0);
    for (int i = first; i <= last; ++i) {
      visit(range);
      indices_.back().second = i;
      loop(sum, ranges, body, k + 1);
    }
    indices_.pop_back();
  }

  std::vector<int> index_values() const {
    std::vector<int> values;
    for (const auto& i : indices_) values.push_back(i.second);
    return values;
  }

 private:
  using Kind = Syntax::Kind;

  void visit(const Syntax& s) {
    if (++visits_ > scope_.visit_limit) throw FormulaError("the formula expands to too many terms", s.column);
  }

  Expr expr(const Syntax& s) {
    visit(s);
    switch (s.kind) {
      case Kind::number: return graph_.constant(s.number);
      case Kind::name:
      case Kind::element: return value(s);
      case Kind::negate: return -expr(*s.parts[0].node);
      case Kind::power: {
        const Expr base = expr(*s.parts[0].node);
        return finite(pow(base, expr(*s.parts[1].node)), s.column);
      }
      case Kind::call: {
        if (const Composite* composite = s.op == Op::constant ? find_composite(s.name) : nullptr) {
          std::vector<Expr> arguments;
          for (const Syntax::Part& part : s.parts) arguments.push_back(expr(*part.node));
          return finite(composite->make(arguments), s.column);
        }
        Expr result = expr(*s.parts[0].node);
        if (s.parts.size() == 1) result = graph_.make(s.op, result);
        for (std::size_t k = 1; k < s.parts.size(); ++k) result = graph_.make(s.op, result, expr(*s.parts[k].node));
        return finite(result, s.column);
      }
      case Kind::chain: {
        Expr result = expr(*s.parts[0].node);
        for (std::size_t k = 1; k < s.parts.size(); ++k) result = combine(result, s.parts[k]);
        return result;
      }
      case Kind::sum: {
        Expr result{};
        loop(s, s.parts.size() - 1, [&] {
          const Expr term = expr(*s.parts.back().node);
          result = result ? finite(result + term, s.column) : term;
        });
        return result ? result : graph_.constant(0);
      }
      case Kind::range: break;  // lives in sums only
    }
    throw std::logic_error("a syntax node that is no expression");
  }

  Expr combine(Expr left, const Syntax::Part& part) {
    const Expr right = expr(*part.node);
    switch (part.op) {
      case '+': return finite(left + right, part.column);
      case '-': return finite(left - right, part.column);
      case '*': return finite(left * right, part.column);
      default:
        if (right.is_constant(0)) throw FormulaError("division by zero: not a finite number", part.column);
        return finite(left / right, part.column);
    }
  }

  static Expr finite(Expr e, std::size_t column) {
    if (e.is_constant() && !std::isfinite(e.value())) throw FormulaError("the value is not a finite number", column);
    return e;
  }

  Expr value(const Syntax& s) {
    const std::string name(s.name);
    for (const auto& [index, i] : indices_)
      if (index == s.name) return plain(s, graph_.constant(i), "an index");
    if (name == "pi") return plain(s, graph_.constant(std::numbers::pi), "a number");
    if (name == "t") {
      if (!scope_.allow_time) refuse(s, "the time t");
      return plain(s, graph_.time(), "the time");
    }
    const auto found = scope_.entries_.find(name);
    if (found == scope_.entries_.end()) unknown(s);
    const Scope::Entry& entry = *found->second;
    if (entry.uses_coordinates && !scope_.allow_coordinates) refuse(s, "coordinates");
    if (entry.uses_velocity && !scope_.allow_velocity) refuse(s, "velocities");
    if (entry.uses_time && !scope_.allow_time) refuse(s, "the time t");
    if (!entry.is_array() && s.kind == Kind::element)
      throw FormulaError(fmt::format("'{}' has no elements", name), s.column);
    if (s.dotted && !entry.is_coordinate())
      throw FormulaError(fmt::format("'{}' is no coordinate: only a coordinate has a velocity", name), s.column);
    if (s.dotted && !scope_.allow_velocity) refuse(s, "velocities");
    const Expr e = entry.is_array() ? element(s, entry) : entry.values[0];
    return s.dotted ? dot(e) : e;
  }

  Expr element(const Syntax& s, const Scope::Entry& entry) {
    const long first = entry.first, last = first + static_cast<long>(entry.values.size()) - 1;
    if (s.kind != Kind::element)
      throw FormulaError(fmt::format("'{0}' has elements {1} to {2}: write {0}[{1}]", s.name, first, last), s.column);
    const int i = integer(*s.parts[0].node);
    if (i < first || i > last)
      throw FormulaError(fmt::format("{}[{}] is out of range: the elements are {} to {}", s.name, i, first, last),
                         s.parts[0].node->column);
    return entry.values[static_cast<std::size_t>(i - first)];
  }

  // The value of a name that has neither elements nor a velocity.
  static Expr plain(const Syntax& s, Expr e, const char* what) {
    if (s.kind == Kind::element || s.dotted)
      throw FormulaError(fmt::format("'{}' is {}: it has no {}", s.name, what, s.dotted ? "velocity" : "elements"),
                         s.column);
    return e;
  }

  [[noreturn]] void refuse(const Syntax& s, const char* what) const {
    throw FormulaError(fmt::format("'{}': {} may not be used in {}", s.name, what,
                                   scope_.purpose.empty() ? "this formula" : scope_.purpose),
                       s.column);
  }

  [[noreturn]] void unknown(const Syntax& s) const {
    std::vector<std::string> names = scope_.names();
    for (const auto& index : indices_) names.emplace_back(index.first);
    const std::string_view cut = s.name.substr(0, 60);
    const std::string velocity = meant_velocity(s.name);
    if (!velocity.empty())
      throw FormulaError(fmt::format("unknown name '{}'; the velocity of a coordinate is written with '", cut),
                         s.column, velocity);
    std::string near = nearest(s.name, names);
    std::erase_if(names, [](const std::string& name) { return Scope::is_reserved(name); });
    if (const std::string declared = nearest(s.name, names); !declared.empty()) near = declared;  // before functions
    std::sort(names.begin(), names.end());
    constexpr std::size_t most = 12;
    const bool all = names.size() <= most;
    if (!all) names.resize(most);
    const std::string known =
        names.empty() ? "" : fmt::format("; known here: {}{}", fmt::join(names, ", "), all ? "" : " …");
    throw FormulaError(fmt::format("unknown name '{}'{}", cut, near.empty() ? known : ""), s.column, near);
  }

  // "x'" for xdot, x_dot, dx, vx, v_x, where x is a coordinate.
  std::string meant_velocity(std::string_view name) const {
    for (const std::string_view end : {"_dot", "dot", "_t"})
      if (name.ends_with(end) && is_coordinate(name.substr(0, name.size() - end.size())))
        return std::string(name.substr(0, name.size() - end.size())) + "'";
    for (const std::string_view begin : {"d", "v_", "v"})
      if (name.starts_with(begin) && is_coordinate(name.substr(begin.size())))
        return std::string(name.substr(begin.size())) + "'";
    return "";
  }
  bool is_coordinate(std::string_view name) const {
    const auto found = scope_.entries_.find(std::string(name));
    return found != scope_.entries_.end() && found->second->is_coordinate();
  }

  const Scope& scope_;
  Graph& graph_;
  std::vector<std::pair<std::string_view, int>> indices_;  // of the sums around the node
  std::size_t visits_ = 0;
};

Formula::Formula(std::string_view text) : text_(text), root_(parse_formula(text)) {}
Expr Formula::build(const Scope& scope) const { return Builder(scope).build(*root_); }

ForHeader::ForHeader(std::string_view text) try : ranges_(parse_ranges(text)) {
  for (const Syntax::Part& range : ranges_->parts) indices_.emplace_back(range.node->name);
} catch (const FormulaError& error) {
  const std::string reason = error.what();
  if (reason.find("such as i in 1..n") != std::string::npos) throw;
  throw FormulaError(fmt::format("{}; expected a range such as i in 1..n", reason.substr(0, reason.find(';'))),
                     error.column);
}

std::vector<std::vector<int>> ForHeader::expand(const Scope& scope) const {
  std::vector<std::vector<int>> values;
  Builder builder(scope);
  builder.loop(*ranges_, ranges_->parts.size(), [&] {
    if (values.size() == max_instances)
      throw FormulaError(fmt::format("more than {} combinations of index values", max_instances), ranges_->column);
    values.push_back(builder.index_values());
  });
  return values;
}

Declaration parse_declaration(std::string_view text, const Scope& scope) {
  const SyntaxPtr s = parse_declaration_syntax(text);
  Declaration d{.name = std::string(s->name)};
  if (s->kind == Syntax::Kind::name) return d;
  Builder builder(scope);
  d.is_array = true;
  d.first = builder.integer(*s->parts[0].node);
  d.last = builder.integer(*s->parts[1].node);
  if (d.last < d.first)
    throw FormulaError(fmt::format("the array {}[{}..{}] has no element", d.name, d.first, d.last), s->column);
  if (static_cast<std::size_t>(d.last) - d.first >= max_instances)
    throw FormulaError(fmt::format("an array has at most {} elements", max_instances), s->column);
  return d;
}

int build_integer(const Formula& formula, const Scope& scope) { return Builder(scope).integer(*formula.root_); }

}  // namespace ricochet::formula
