// Recursive descent, one function a rule:
//   sum      := product (('+' | '-') product)*
//   product  := unary (('*' | '/') unary)*
//   unary    := ('-' | '+') unary | power
//   power    := atom ('^' unary)?
//   atom     := number | '(' sum ')' | function '(' sum (',' sum)* ')' | 'sum' '(' (range ',')+ sum ')'
//             | name ('[' sum ']')? "'"?
//   range    := name 'in' sum '..' sum
// Every nesting passes through unary, which counts the depth.

#include "syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "composites.hpp"
#include "lexer.hpp"
#include "ricochet/formula/parser.hpp"

namespace ricochet::formula {

namespace {

constexpr std::pair<std::string_view, Op> functions[] = {
    {"sin", Op::sin},   {"cos", Op::cos},     {"tan", Op::tan},   {"asin", Op::asin}, {"acos", Op::acos},
    {"atan", Op::atan}, {"atan2", Op::atan2}, {"sinh", Op::sinh}, {"cosh", Op::cosh}, {"tanh", Op::tanh},
    {"exp", Op::exp},   {"log", Op::log},     {"sqrt", Op::sqrt}, {"abs", Op::abs},   {"min", Op::min},
    {"max", Op::max},   {"sign", Op::sign},
};

using Kind = Syntax::Kind;

class Parser {
 public:
  explicit Parser(std::string_view text) : tree_(std::make_shared<SyntaxTree>()) {
    tree_->text = text;
    tokens_ = tokens_of(tree_->text);
  }

  SyntaxPtr formula() { return finish(sum()); }

  SyntaxPtr ranges() {
    Syntax s{.kind = Kind::sum};
    do add_range(s);
    while (accept(","));
    return finish(make(std::move(s)));
  }

  SyntaxPtr declaration() {
    const Token name = expect_new_name("a coordinate name");
    Syntax s{.kind = Kind::name, .column = name.column, .name = name.text};
    if (accept("[")) {
      s.kind = Kind::range;
      bounds(s);
      expect("]");
    }
    return finish(make(std::move(s)));
  }

 private:
  // Names that other languages have, or the nearest spelling.
  static std::string meant_function(std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> others[] = {
        {"ln", "log"}, {"fabs", "abs"}, {"sgn", "sign"}, {"arctan2", "atan2"}, {"norm", "hypot"}, {"clip", "clamp"}};
    for (const auto& [other, ours] : others)
      if (name == other) return std::string(ours);
    return nearest(name, function_names());
  }
  const Token& now() const { return tokens_[at_]; }
  const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  Token take() { return tokens_[std::min(at_++, tokens_.size() - 1)]; }
  bool accept(std::string_view symbol) {
    if (!now().is(symbol)) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail_expected(std::string_view what) const {
    std::string hint;
    const bool after_number = at_ > 0 && tokens_[at_ - 1].kind == Token::Kind::number;
    if (now().is("[") && at_ > 0 && tokens_[at_ - 1].is("'")) hint = "; the velocity of an element is written x[i]'";
    if (now().is("'")) hint = "; there are positions x and velocities x', no accelerations";
    if (after_number && now().kind == Token::Kind::name)
      hint = now().text.starts_with("deg") ? "; angles are in radians: 60*pi/180" : "; numbers carry no unit";
    throw FormulaError(fmt::format("expected {}, found {}{}", what, now().found(), hint), now().column);
  }
  void expect(std::string_view symbol) {
    if (accept(symbol)) return;
    fail_expected(fmt::format("{}'{}'", after_operand(), symbol));
  }
  // Where an operator may stand and an operand does, a product was meant.
  std::string after_operand() const {
    const bool operand = now().kind == Token::Kind::name || now().kind == Token::Kind::number || now().is("(");
    return operand ? "an operator (a product is written with *) or " : "an operator or ";
  }
  SyntaxPtr finish(const Syntax* root) {
    if (now().kind != Token::Kind::end) fail_expected(after_operand() + "the end of the formula");
    return {tree_, root};
  }
  const Syntax* make(Syntax&& s) { return &tree_->nodes.emplace_back(std::move(s)); }

  template <class Rule>
  const Syntax* chain(Rule operand, std::string_view first, std::string_view second) {
    const std::size_t column = now().column;
    const Syntax* left = operand();
    if (!now().is(first) && !now().is(second)) return left;
    Syntax s{.kind = Kind::chain, .column = column};
    s.parts.push_back({left});
    while (now().is(first) || now().is(second)) {
      const Token op = take();
      if (op.text == "*" && now().is("*"))
        throw FormulaError("a power is written with ^, as in x^4, not with **", op.column);
      s.parts.push_back({operand(), op.text[0], op.column});
    }
    return make(std::move(s));
  }
  const Syntax* sum() {
    return chain([this] { return product(); }, "+", "-");
  }
  const Syntax* product() {
    return chain([this] { return unary(); }, "*", "/");
  }

  const Syntax* unary() {
    if (depth_ >= max_depth)
      throw FormulaError(fmt::format("nested more than {} levels deep", max_depth), now().column);
    ++depth_;
    const Syntax* result = nullptr;
    const std::size_t column = now().column;
    if (accept("-"))
      result = make({.kind = Kind::negate, .column = column, .parts = {{unary()}}});
    else if (accept("+"))
      result = unary();
    else
      result = power();
    --depth_;
    return result;
  }

  const Syntax* power() {
    const Syntax* base = atom();
    const std::size_t column = now().column;
    if (!accept("^")) return base;
    return make({.kind = Kind::power, .column = column, .parts = {{base}, {unary()}}});
  }

  const Syntax* atom() {
    if (now().kind == Token::Kind::number) {
      const Token t = take();
      return make({.kind = Kind::number, .column = t.column, .number = t.value});
    }
    if (accept("(")) {
      const Syntax* inside = sum();
      expect(")");
      return inside;
    }
    if (now().kind != Token::Kind::name || now().text == "in") fail_expected("a number, a name or '('");
    const Token name = take();
    if (name.text == "sum") return sum_over(name);
    if (const Op* op = find_function(name.text)) return call(name, *op);
    if (const Composite* composite = find_composite(name.text)) return call(name, *composite);
    if (now().is("("))
      throw FormulaError(fmt::format("{} is not a function (a product is written with *){}", name.found(),
                                     name.text == "pow"                          ? "; a power is written x^4"
                                     : name.text == "diff" || name.text == "dot" ? "; the velocity of x is written x'"
                                                                                 : ""),
                         name.column, meant_function(name.text));
    Syntax s{.kind = Kind::name, .column = name.column, .name = name.text};
    if (accept("[")) {
      s.kind = Kind::element;
      s.parts.push_back({sum()});
      expect("]");
    }
    s.dotted = accept("'");
    return make(std::move(s));
  }

  void open_arguments(const Token& name) {
    if (!accept("(")) fail_expected(fmt::format("'(' after {}", name.text));
  }

  void arguments(const Token& name, Syntax& s) {
    open_arguments(name);
    if (!now().is(")")) do
        s.parts.push_back({sum()});
      while (accept(","));
    expect(")");
  }

  const Syntax* call(const Token& name, Op op) {
    Syntax s{.kind = Kind::call, .op = op, .column = name.column, .name = name.text};
    arguments(name, s);
    const bool any_number = op == Op::min || op == Op::max;
    const auto wanted = static_cast<std::size_t>(arity(op)), given = s.parts.size();
    if (any_number ? given < wanted : given != wanted)
      throw FormulaError(fmt::format("{} takes {}{} argument{}, found {}", name.text, wanted,
                                     any_number ? " or more" : "", wanted == 1 ? "" : "s", given),
                         name.column);
    return make(std::move(s));
  }

  const Syntax* call(const Token& name, const Composite& composite) {
    Syntax s{.kind = Kind::call, .op = Op::constant, .column = name.column, .name = name.text};
    arguments(name, s);
    if (!composite.takes(s.parts.size()))
      throw FormulaError(fmt::format("expected {}, found {} arguments", composite.form, s.parts.size()), name.column);
    return make(std::move(s));
  }

  const Syntax* sum_over(const Token& name) {
    Syntax s{.kind = Kind::sum, .column = name.column};
    open_arguments(name);
    do add_range(s);
    while (accept(",") && next().text == "in");
    if (tokens_[at_ - 1].text != ",") fail_expected(after_operand() + "',' and what to sum");
    s.parts.push_back({sum()});
    expect(")");
    return make(std::move(s));
  }

  void add_range(Syntax& s) {
    const Token index = expect_new_name("a range such as i in 1..n");
    for (const Syntax::Part& other : s.parts)
      if (other.node->name == index.text)
        throw FormulaError(fmt::format("the index {} is used twice", index.found()), index.column);
    if (s.parts.size() == max_ranges) throw FormulaError(fmt::format("more than {} ranges", max_ranges), index.column);
    if (now().text != "in") fail_expected(fmt::format("'in' after the index {}", index.text));
    take();
    Syntax range{.kind = Kind::range, .column = index.column, .name = index.text};
    bounds(range);
    s.parts.push_back({make(std::move(range))});
  }

  void bounds(Syntax& range) {
    range.parts.push_back({sum()});
    if (!accept("..")) fail_expected("'..' and the last value of the range");
    range.parts.push_back({sum()});
  }

  Token expect_new_name(std::string_view what) {
    if (now().kind != Token::Kind::name) fail_expected(what);
    if (Scope::is_reserved(std::string(now().text)))
      throw FormulaError(fmt::format("{} is a reserved name", now().found()), now().column);
    return take();
  }

  std::shared_ptr<SyntaxTree> tree_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

const Op* find_function(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(functions), std::end(functions), [&](auto& f) { return f.first == name; });
  return found == std::end(functions) ? nullptr : &found->second;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names{"sum"};
  for (const auto& f : functions) names.emplace_back(f.first);
  for (const Composite& c : composites()) names.emplace_back(c.name);
  return names;
}

SyntaxPtr parse_formula(std::string_view text) { return Parser(text).formula(); }
SyntaxPtr parse_ranges(std::string_view text) { return Parser(text).ranges(); }
SyntaxPtr parse_declaration_syntax(std::string_view text) { return Parser(text).declaration(); }

}  // namespace ricochet::formula
