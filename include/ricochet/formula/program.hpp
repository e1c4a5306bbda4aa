#pragma once
// A straight-line program: the nodes of some expressions in the order of their numbers, which is the order
// written. One program evaluates for any scalar: double, lanes, dual numbers, intervals. No allocation, no
// branch but the dispatch on the operation.
//
// Parameters of the graph are constants whose registers are known, so that dual numbers can vary them: programs without
// one have no cost from that.

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ricochet/formula/expr.hpp"
#include "ricochet/formula/scalar.hpp"

namespace ricochet::formula {

// Operations of programs beyond those of the graph: both functions of an angle at once, and pairs where the first
// result x = a∘b has no other use. Each rounds twice, as the pair would: the bits are the same.
enum Fused : std::uint8_t {
  sin_cos = op_count,  // two results
  mul_add,             // a*b + c
  mul_sub,             // a*b - c
  mul_from,            // c - a*b
  mul_mul,             // (a*b)*c
  add_add,             // (a+b) + c
  add_sub,             // (a+b) - c
  add_mul,             // (a+b)*c
  sub_add,             // (a-b) + c
  sub_sub,             // (a-b) - c
  sub_mul,             // (a-b)*c
};
constexpr std::uint8_t number(Op op) { return static_cast<std::uint8_t>(op); }

// The k-th result goes to the k-th register after inputs and constants.
struct Instruction {
  std::uint32_t a, b, c;
  std::uint8_t op;  // an Op or a Fused
};

class Program {
 public:
  Program() = default;
  // Outputs as functions of inputs (symbols). A symbol that is neither among the inputs nor a parameter is an error of
  // the caller.
  // The outputs are part 0; the others go on from there and compute nothing again that it has.
  Program(const std::vector<Expr>& outputs, const std::vector<Expr>& inputs,
          const std::vector<std::vector<Expr>>& others = {});

  std::size_t input_count() const { return input_count_; }
  std::size_t output_count() const { return output_count_; }
  std::size_t instruction_count(std::size_t part = 0) const { return parts_[part].code.size(); }
  const std::vector<Instruction>& code() const { return parts_[0].code; }

 private:
  template <class T>
  friend class Evaluator;
  // registers: inputs, then constants, then the results of the instructions
  std::size_t input_count_ = 0, output_count_ = 0, result_count_ = 0;
  std::vector<double> constants_;
  struct Part {
    std::size_t first_result, first_output;  // its registers, its place in outputs_
    std::vector<Instruction> code;
  };
  std::vector<Part> parts_{1};
  std::vector<std::uint32_t> outputs_;                               // register of each output, part after part
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parameters_;  // number and register of those that occur
};

// A program with its registers for scalar T: write inputs, run, read outputs.
template <class T>
class Evaluator {
 public:
  Evaluator() = default;
  explicit Evaluator(const Program& program);  // keeps a pointer: the program must outlive it

  T* inputs() { return registers_.data(); }
  void run(std::size_t part = 0) { execute(program_->parts_[part]); }  // others: after part 0, at the same inputs
  const T& output(std::size_t k) const { return registers_[program_->outputs_[k]]; }
  const T& output(std::size_t part, std::size_t k) const { return output(program_->parts_[part].first_output + k); }
  std::size_t output_count() const { return program_->output_count_; }
  std::size_t input_count() const { return program_ == nullptr ? 0 : program_->input_count_; }
  // Another value of parameter k; one that does not occur has no effect.
  void set_parameter(std::size_t k, const T& value) {
    for (const auto& [number, place] : program_->parameters_)
      if (number == k) registers_[place] = value;
  }
  // The derivative of the outputs by parameter k from now on, −1: by none. Of dual numbers: others have none. False: it
  // does not occur.
  bool vary_parameter(int k) {
    bool occurs = false;
    if constexpr (requires(T x) { x.derivative; }) {
      if (program_ == nullptr) return occurs;
      for (const auto& [number, place] : program_->parameters_) {
        registers_[place].derivative = static_cast<int>(number) == k ? 1.0 : 0.0;
        occurs |= static_cast<int>(number) == k;
      }
    }
    return occurs;
  }

 private:
  void execute(const Program::Part& part);
  const Program* program_ = nullptr;
  std::vector<T> registers_;
};

// The value of an expression without symbols but parameters, at their present values.
double fixed_value(Expr f);

// One scalar function f(x) with its exact gradient and Hessian, as programs of order 0, 1 and 2. Each evaluates the
// lower orders too. Outputs: f; then ∂f/∂x_i for i in gradient_pattern; then ∂²f/∂x_i∂x_j for (i,j), i >= j, in
// hessian_pattern.
class ScalarFunction {
 public:
  ScalarFunction() = default;
  ScalarFunction(Expr f, const std::vector<Expr>& x);

  const Program& order(int k) const { return programs_[k]; }
  const std::vector<std::uint32_t>& gradient_pattern() const { return gradient_; }
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& hessian_pattern() const { return hessian_; }
  std::size_t gradient_output(std::size_t k) const { return 1 + k; }
  std::size_t hessian_output(std::size_t k) const { return 1 + gradient_.size() + k; }

 private:
  Program programs_[3];
  std::vector<std::uint32_t> gradient_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> hessian_;
};

// Several functions f_r(x) with their exact Jacobian, as programs of order 0 and 1. Outputs: all f_r; then ∂f_r/∂x_j
// for (r,j) in jacobian_pattern.
class VectorFunction {
 public:
  VectorFunction() = default;
  VectorFunction(const std::vector<Expr>& f, const std::vector<Expr>& x);

  const Program& order(int k) const { return programs_[k]; }
  std::size_t size() const { return size_; }
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& jacobian_pattern() const { return jacobian_; }
  std::size_t jacobian_output(std::size_t k) const { return size_ + k; }

 private:
  Program programs_[2];
  std::size_t size_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jacobian_;
};

// ---- implementation of the evaluation loop ----------------------------------------------------------------------

template <class T>
Evaluator<T>::Evaluator(const Program& program)
    : program_(&program), registers_(program.input_count_ + program.constants_.size() + program.result_count_, T(0.0)) {
  for (std::size_t k = 0; k < program.constants_.size(); ++k)
    registers_[program.input_count_ + k] = T(program.constants_[k]);
}

// A square is more than a product for a scalar that does not know that both factors are the same.
template <class T>
inline T product(const Instruction& i, const T& a, const T& b) {
  if constexpr (requires {
                  { square(a) } -> std::same_as<T>;
                })
    return i.a == i.b ? square(a) : a * b;
  return a * b;
}

template <class T>
void Evaluator<T>::execute(const Program::Part& part) {
  // double's functions by name, those of other scalars by their argument
  using scalar::abs, scalar::acos, scalar::asin, scalar::atan, scalar::atan2, scalar::cos, scalar::cosh, scalar::exp,
      scalar::log, scalar::max, scalar::min, scalar::pow, scalar::select, scalar::sign, scalar::sin, scalar::sinh,
      scalar::sqrt, scalar::tan, scalar::tanh;
  T* const r = registers_.data();
  T* to = r + part.first_result;
  for (const Instruction& i : part.code) {
    const T& a = r[i.a];
    const T& b = r[i.b];
    switch (i.op) {
      case number(Op::add): *to++ = a + b; break;
      case number(Op::sub): *to++ = a - b; break;
      case number(Op::mul): *to++ = product(i, a, b); break;
      case number(Op::div): *to++ = a / b; break;
      case number(Op::neg): *to++ = -a; break;
      case number(Op::sin): *to++ = sin(a); break;
      case number(Op::cos): *to++ = cos(a); break;
      case number(Op::tan): *to++ = tan(a); break;
      case number(Op::asin): *to++ = asin(a); break;
      case number(Op::acos): *to++ = acos(a); break;
      case number(Op::atan): *to++ = atan(a); break;
      case number(Op::sinh): *to++ = sinh(a); break;
      case number(Op::cosh): *to++ = cosh(a); break;
      case number(Op::tanh): *to++ = tanh(a); break;
      case number(Op::exp): *to++ = exp(a); break;
      case number(Op::log): *to++ = log(a); break;
      case number(Op::sqrt): *to++ = sqrt(a); break;
      case number(Op::abs): *to++ = abs(a); break;
      case number(Op::sign): *to++ = sign(a); break;
      case number(Op::pow): *to++ = pow(a, b); break;
      case number(Op::atan2): *to++ = atan2(a, b); break;
      case number(Op::min): *to++ = min(a, b); break;
      case number(Op::max): *to++ = max(a, b); break;
      case number(Op::select): *to++ = select(a, b, r[i.c]); break;
      case sin_cos: {
        const T angle = a;  // a copy, which no store can change: compilers make one call of both functions
        to[0] = sin(angle), to[1] = cos(angle);
        to += 2;
        break;
      }
      case mul_add: *to++ = product(i, a, b) + r[i.c]; break;
      case mul_sub: *to++ = product(i, a, b) - r[i.c]; break;
      case mul_from: *to++ = r[i.c] - product(i, a, b); break;
      case mul_mul: *to++ = product(i, a, b) * r[i.c]; break;
      case add_add: *to++ = a + b + r[i.c]; break;
      case add_sub: *to++ = a + b - r[i.c]; break;
      case add_mul: *to++ = (a + b) * r[i.c]; break;
      case sub_add: *to++ = a - b + r[i.c]; break;
      case sub_sub: *to++ = a - b - r[i.c]; break;
      case sub_mul: *to++ = (a - b) * r[i.c]; break;
      default: __builtin_unreachable();  // constants and symbols live in registers, never in code
    }
  }
}

extern template class Evaluator<double>;

}  // namespace ricochet::formula
