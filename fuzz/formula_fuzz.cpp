// Every text ends in a value or in a FormulaError or KinkError; what parses is built, differentiated, compiled,
// evaluated for several scalars that must agree, printed, and split at its kinks.

#include <algorithm>
#include <bit>
#include <cmath>

#include "driver.hpp"
#include "ricochet/formula/differentiate.hpp"
#include "ricochet/formula/dual.hpp"
#include "ricochet/formula/interval.hpp"
#include "ricochet/formula/kinks.hpp"
#include "ricochet/formula/lanes.hpp"
#include "ricochet/formula/parser.hpp"
#include "ricochet/formula/program.hpp"

namespace {

using namespace ricochet::formula;

void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

struct Names {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Scope scope{graph};
  std::vector<Expr> symbols;

  Names() {
    const auto coordinate = [&](const std::string& name) {
      symbols.push_back(graph->coordinate(static_cast<std::uint32_t>(symbols.size()), name));
      return symbols.back();
    };
    scope.add_coordinate("x", coordinate("x"));
    scope.add_coordinate("theta", coordinate("theta"));
    scope.add_coordinate_array("z", 1, {coordinate("z[1]"), coordinate("z[2]"), coordinate("z[3]")});
    for (std::size_t k = 0, n = symbols.size(); k < n; ++k) symbols.push_back(dot(symbols[k]));
    symbols.push_back(graph->time());
    scope.add_name("n", graph->constant(3));
    scope.add_name("m", graph->constant(0.7));
    scope.add_list("w", {graph->constant(1.5), graph->constant(-2)});
    scope.visit_limit = 20'000;  // a smaller bound than that of scenarios, for more inputs in the time
  }
};

void evaluate(const std::vector<Expr>& outputs, const std::vector<Expr>& symbols, bool kinks) {
  const Program program(outputs, symbols);
  Evaluator<double> plain(program);
  Evaluator<Lanes<4>> lanes(program);
  Evaluator<Dual<>> dual(program);
  Evaluator<Interval> interval(program);
  for (std::size_t k = 0; k < symbols.size(); ++k) {
    const double x = 0.4 + 0.13 * static_cast<double>(k);
    plain.inputs()[k] = x, lanes.inputs()[k] = x, dual.inputs()[k] = Dual<>(x, 1.0), interval.inputs()[k] = Interval(x);
  }
  plain.run(), lanes.run(), dual.run(), interval.run();
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const double y = plain.output(k);
    const auto same = [&](double z) { return z == y || (std::isnan(z) && std::isnan(y)); };
    require(same(lanes.output(k)[3]), "lanes differ from double");
    require(same(dual.output(k).value), "dual differs from double");
    require(interval.output(k).lo <= interval.output(k).hi, "empty interval");
    // min and max may drop an operand without a value, whose interval is not dropped
    require(kinks || std::isnan(y) || interval.output(k).contains(y), "value outside its interval");
  }
}

void target(const std::string& text) {
  Names names;
  const auto attempt = [&](auto action) {
    try {
      action();
    } catch (const FormulaError& e) {
      require(e.column >= 1 && e.column <= text.size() + 1, "column outside the text");
      require(*e.what() != 0, "empty message");
    } catch (const KinkError&) {
    }
  };
  attempt([&] { ForHeader(text).expand(names.scope); });
  attempt([&] { parse_declaration(text, names.scope); });
  attempt([&] {
    const Expr f = Formula(text).build(names.scope);
    require(!f.is_constant() || std::isfinite(f.value()), "a constant that is not finite");
    to_string(f);
    std::vector<Expr> outputs = gradient(f, names.symbols);
    outputs.push_back(f);
    evaluate(outputs, names.symbols, has_kinks(f));
    if (dependencies(outputs).size() < 300) {
      const ScalarFunction function(f, names.symbols);
      require(function.order(2).output_count() >= 1, "no output");
    }
    split_kinks(f);
  });
}

// A random sentence of the language.
std::string sentence(std::mt19937_64& random, int depth) {
  const auto pick = [&](const std::vector<std::string>& list) { return list[random() % list.size()]; };
  const auto part = [&] { return sentence(random, depth - 1); };
  if (depth == 0 || random() % 8 == 0)
    return pick({"x", "theta", "x'", "theta'", "z[1]", "z[n]'", "w[2]", "m", "n", "t", "pi", "2", "0.5", "1e-3", "0"});
  switch (random() % 8) {
    case 0:
    case 1:
    case 2: return part() + pick({"+", "-", "*", "/", " + ", " * "}) + part();
    case 3: return "(" + part() + ")^" + pick({"2", "3", "-1", "0.5", "2.5", "20", "x", "(1+t)"});
    case 4: return "-" + part();
    case 5: return "sum(k in 1..n, " + part() + "*z[k])";
    case 6: return pick({"min(", "max(", "atan2("}) + part() + ", " + part() + ")";
    default:
      return pick({"sin(", "cos(", "tan(", "asin(", "acos(", "atan(", "sinh(", "cosh(", "tanh(", "exp(", "log(",
                   "sqrt(", "abs(", "("}) +
             part() + ")";
  }
}

const std::vector<std::string> corpus{
    "m/2*(x'^2 + z[1]'^2) + w[1]/2*theta'^2 - m*9.81*z[1]",
    "z[1] - m/2*(abs(sin(theta)) + abs(cos(theta)))",
    "sum(i in 1..n-1, (z[i+1]-z[i]-1.5)^2/2)",
    "sum(i in 1..n, j in i+1..n, 1/sqrt((z[i]-z[j])^2+0.1))",
    "-x^2^0.5 + 2^-x - 1e-3*t",
    "atan2(x, theta)*min(x, theta, 3) + max(z[1], z[2])",
    "exp(-x^2)*tanh(theta)/cosh(x) + log(1+x^2) + asin(x/9)*acos(theta/9)",
    "w[2]*x'*theta' + pi*t^3",
    "tan(x)^sin(theta)",
    "i in 1..n-1, j in i+1..n",
    "y[1..n]",
    "((((x))))",
    "x*abs(z[1]) + sqrt(abs(x))",
};
const std::vector<std::string> dictionary{
    "x",    "theta", "z[1]", "z[i]", "z",     "w",     "n",     "m",      "t",     "pi",    "sum(",   "sum(i in 1..3, ",
    "in",   "sin(",  "cos(", "tan(", "asin(", "acos(", "atan(", "atan2(", "sinh(", "cosh(", "tanh(",  "exp(",
    "log(", "sqrt(", "abs(", "min(", "max(",  "+",     "-",     "*",      "/",     "^",     "(",      ")",
    "[",    "]",     ",",    "'",    "..",    "0",     "1",     "2",      "1e9",   "1e308", "1e-320", "0.5",
    "17",   "-1",    "i",    " "};

}  // namespace

int main(int argc, char** argv) {
  return ricochet::fuzz::run(argc, argv, corpus, dictionary, target,
                             [](std::mt19937_64& random) { return sentence(random, 5); });
}
