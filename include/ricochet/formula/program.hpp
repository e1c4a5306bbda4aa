#pragma once
// A straight-line program: the nodes of some expressions in the order of their numbers, which is the order
// written. One program evaluates for any scalar: double, lanes, dual numbers, intervals. No allocation, no
// branch but the dispatch on the operation.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ricochet/formula/expr.hpp"
#include "ricochet/formula/scalar.hpp"

namespace ricochet::formula {

struct Instruction {
  Op op;
  std::uint32_t to, a, b, c;
};

class Program {
 public:
  Program() = default;
  // Outputs as functions of inputs (symbols). A symbol that is not among the inputs is an error of the caller.
  Program(const std::vector<Expr>& outputs, const std::vector<Expr>& inputs);

  std::size_t input_count() const { return input_count_; }
  std::size_t output_count() const { return outputs_.size(); }
  std::size_t instruction_count() const { return code_.size(); }
  const std::vector<Instruction>& code() const { return code_; }

 private:
  template <class T>
  friend class Evaluator;
  // registers: inputs, then constants, then one for each instruction
  std::size_t input_count_ = 0;
  std::vector<double> constants_;
  std::vector<Instruction> code_;
  std::vector<std::uint32_t> outputs_;  // register of each output
};

// A program with its registers for scalar T: write inputs, run, read outputs.
template <class T>
class Evaluator {
 public:
  Evaluator() = default;
  explicit Evaluator(const Program& program);  // keeps a pointer: the program must outlive it

  T* inputs() { return registers_.data(); }
  void run();
  const T& output(std::size_t k) const { return registers_[program_->outputs_[k]]; }
  std::size_t output_count() const { return program_->outputs_.size(); }

 private:
  const Program* program_ = nullptr;
  std::vector<T> registers_;
};

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

// ---- implementation of the evaluation loop ----------------------------------------------------------------------

template <class T>
Evaluator<T>::Evaluator(const Program& program)
    : program_(&program), registers_(program.input_count_ + program.constants_.size() + program.code_.size(), T(0.0)) {
  for (std::size_t k = 0; k < program.constants_.size(); ++k)
    registers_[program.input_count_ + k] = T(program.constants_[k]);
}

template <class T>
void Evaluator<T>::run() {
  // double's functions by name, those of other scalars by their argument
  using scalar::abs, scalar::acos, scalar::asin, scalar::atan, scalar::atan2, scalar::cos, scalar::cosh, scalar::exp,
      scalar::log, scalar::max, scalar::min, scalar::pow, scalar::select, scalar::sign, scalar::sin, scalar::sinh,
      scalar::sqrt, scalar::tan, scalar::tanh;
  T* const r = registers_.data();
  for (const Instruction& i : program_->code_) {
    switch (i.op) {
      case Op::add: r[i.to] = r[i.a] + r[i.b]; break;
      case Op::sub: r[i.to] = r[i.a] - r[i.b]; break;
      case Op::mul: r[i.to] = r[i.a] * r[i.b]; break;
      case Op::div: r[i.to] = r[i.a] / r[i.b]; break;
      case Op::neg: r[i.to] = -r[i.a]; break;
      case Op::pow: r[i.to] = pow(r[i.a], r[i.b]); break;
      case Op::sin: r[i.to] = sin(r[i.a]); break;
      case Op::cos: r[i.to] = cos(r[i.a]); break;
      case Op::tan: r[i.to] = tan(r[i.a]); break;
      case Op::asin: r[i.to] = asin(r[i.a]); break;
      case Op::acos: r[i.to] = acos(r[i.a]); break;
      case Op::atan: r[i.to] = atan(r[i.a]); break;
      case Op::atan2: r[i.to] = atan2(r[i.a], r[i.b]); break;
      case Op::sinh: r[i.to] = sinh(r[i.a]); break;
      case Op::cosh: r[i.to] = cosh(r[i.a]); break;
      case Op::tanh: r[i.to] = tanh(r[i.a]); break;
      case Op::exp: r[i.to] = exp(r[i.a]); break;
      case Op::log: r[i.to] = log(r[i.a]); break;
      case Op::sqrt: r[i.to] = sqrt(r[i.a]); break;
      case Op::abs: r[i.to] = abs(r[i.a]); break;
      case Op::min: r[i.to] = min(r[i.a], r[i.b]); break;
      case Op::max: r[i.to] = max(r[i.a], r[i.b]); break;
      case Op::sign: r[i.to] = sign(r[i.a]); break;
      case Op::select: r[i.to] = select(r[i.a], r[i.b], r[i.c]); break;
      case Op::constant:
      case Op::symbol: break;  // live in registers, never in code
    }
  }
}

extern template class Evaluator<double>;

}  // namespace ricochet::formula
