#pragma once
// The rows of a contact piece at (q,t): J = [n; t_1; t_2] and J_t, so that the contact velocity is c = J v + J_t.
//
//   nothing given   n = ∇g, J_t = g_t; no tangents.
//   `tangent`       the rows as given, functions of (q,t), gap and rows being lengths; they do not move by themselves.
//   `point` P(q,t)  a material point (2 or 3 components; for two bodies the difference of two points). The covector ν
//                   solves J_Pᵀν = ∇g. Everything is divided by |ν|, so friction and `speed` do not depend on how the
//                   gap is scaled: n = ∇g/|ν|, J_t = g_t/|ν|, t_a = J_Pᵀτ_a with J_t = τ_a·P_t (a belt), τ ⊥ ν
//                   orthonormal. Where g is but for a constant a component of P, ν is that axis:
//     in the plane  τ = (ν_2, −ν_1), smooth everywhere: to the right on a floor;
//     in space      the image of the axes 1 and 2 under the shortest turn of axis 3 into ν; where ν_3 ≤ −½ of axis −3
//                   into ν. Smooth but at ν_3 = −½. Laws are isotropic, so results do not depend on the choice.
//
// T is double or Dual<double>: the derivative of the gradient is that of its program. At the point where a piece was
// evaluated last nothing is computed again: the end of a step is the start of the next, an impact that of a flow.
// One for each thread; no allocation after the first evaluation of a piece.

#include <vector>

#include "ricochet/formula/dual.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/mechanics/system.hpp"

namespace ricochet {

template <class T>
class ContactFrames {
 public:
  explicit ContactFrames(const System& system);  // the system must outlive it

  int tangents(int piece) const { return system_->frames()[contact(piece)].tangents; }
  int contact(int piece) const { return system_->contact_of(piece); }
  bool is_length(int piece) const { return tangents(piece) > 0; }  // speeds are lengths in time

  // rows: (1 + tangents) × n, row-major, normal first; rates: J_t. Returns |ν| (1 without `point`): the row n is ∇g
  // divided by it, so λ of ∇g is Λ_n/|ν|. Throws SolverError if P does not move with the gap, or not at all.
  T evaluate(int piece, const T* q, const T& t, T* rows, T* rates);
  // The gap alone: its value, and its rate ∇g·v + g_t.
  T approach(int piece, const T* q, const T& t, const T* v, T& rate);
  T gradient(int piece, T* n, T& g_t);  // ∇g and g_t of the last evaluation; returns g
  const T* known_gap(int piece, const T* q,
                     const T& t);  // g, if that evaluation had the same values of what it depends on
  // ∇g entry by entry, in the order of its pattern.
  template <class F>
  T gradient(int piece, const T* q, const T& t, T& g_t, const F& entry) {
    formula::Evaluator<T>& program = gap_program(piece);
    run(program, q, t);
    g_t = T(0.0);
    const auto& places = system_->pieces()[piece].gradient_pattern();
    const std::size_t g = first_[piece];
    for (std::size_t k = 0; k < places.size(); ++k)
      if (static_cast<int>(places[k]) < n_)
        entry(program.output(g + 1 + k));
      else
        g_t = program.output(g + 1 + k);
    return program.output(g);
  }
  struct Frame {  // of a piece, where it was evaluated last; τ of one with `point`
    std::vector<T> point, rows;
    T rates[3]{}, scale{}, tau[2][3]{};
    struct Entry {  // of a tangent that is known beforehand: an output of the point's program, or its opposite
      std::size_t output;
      int tangent, coordinate;
      bool opposite;
    };
    std::vector<Entry> known;
  };
  const Frame& frame(int piece, const T* q, const T& t);                        // of a piece with tangents
  const T* direction(int piece, int a) const { return frames_[piece].tau[a]; }  // τ_a
  int components(int piece) const { return system_->frames()[contact(piece)].components; }
  // Derivatives by θ_k too from now on, −1: by none. For dual numbers.
  void vary_parameter(int k);
  void place(int piece, const T* q, const T& t, T* P);
  // Entry of J_P at the last place(), in the order of FrameProgram::pattern.
  const T& slope(int piece, int entry) const { return programs_[contact(piece)].output(entry); }

 private:
  // Of a piece and its gradient, outputs first_[piece] and after: that of the point, where the gap is one smooth piece.
  formula::Evaluator<T>& gap_program(int piece) {
    return first_[piece] > 0 ? programs_[contact(piece)] : gradients_[piece];
  }
  bool is_at(const T* point, const T* q, const T& t) const;
  void run(formula::Evaluator<T>& program, const T* q, const T& t);
  T copy_gradient(int piece, T* n, T& g_t);  // its entries that are not always zero
  void begin(int piece, Frame& frame);       // what is the same everywhere
  void complete(int piece, Frame& frame);    // rows, from the programs at its point
  void find_covector(int piece, Frame& frame, T* nu);
  [[noreturn]] void refuse_normal(int piece) const;
  const System* system_;
  int n_;
  std::vector<formula::Evaluator<T>> gradients_, programs_;  // of pieces; of contacts
  std::vector<std::size_t> first_;                           // output of gap_program that is the piece
  std::vector<Frame> frames_;
  std::vector<T> jacobian_;  // of P: components × (n + 1)
  std::vector<T> weights_;   // of its columns
};

// The frames at the start: throws ModelError with the key of a point that cannot belong to its gap.
void check_frames(const System& system, const double* q, double t);

extern template class ContactFrames<double>;
extern template class ContactFrames<formula::Dual<double>>;

}  // namespace ricochet
