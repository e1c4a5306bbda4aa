#pragma once
// A Model compiled: programs for the Lagrangian, forces, gaps and symmetries with their exact derivatives, and what
// their form tells (constant mass, no coupling of q and v …). Immutable and shared; evaluation goes through a
// Lagrangian, one for each thread.

#include <memory>
#include <string>
#include <vector>

#include "ricochet/formula/kinks.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/mechanics/model.hpp"

namespace ricochet {

// A gap g(q,t) as a tree of minima and maxima over smooth pieces, numbered through the system.
struct Gap {
  std::string name;
  formula::KinkTree tree;    // a leaf's piece is a number in System::pieces()
  int first = 0, count = 0;  // of its pieces, which follow one another
  formula::Program pieces;   // all of them, of (q, t): what they share is computed once; then the gradient of each
};

// What a contact's `point` or `tangent` compiles to: functions of (q, t), of which only the entries that are not zero.
struct FrameProgram {
  int tangents = 0;          // 0: neither is given
  int components = 0;        // of the point; 0: rows are given
  formula::Program program;  // ∂P_a/∂x_i, x = (q,t), P_a, of a gap of one piece g and ∇g; or entry i of row a
  std::vector<std::pair<int, int>> pattern;  // (a, i) of each of the first outputs
};

struct MassEntry {
  int row, column;
  double value;
};

class System {
 public:
  explicit System(const Model& model);  // throws ModelError

  int n() const { return n_; }
  int parameters() const { return parameters_; }  // θ: those that kept their names (formula/expr.hpp)
  const Model& model() const { return model_; }

  const formula::ScalarFunction& lagrangian() const { return lagrangian_; }  // of (q, v, t): 2n + 1 inputs
  const std::vector<Gap>& gaps() const { return gaps_; }
  const std::vector<formula::ScalarFunction>& pieces() const { return pieces_; }  // of (q, t): n + 1 inputs
  const formula::Program& piece_values() const { return piece_values_; }          // all of them at once
  // Constraints as functions of (q, v, t). Holonomic f(q) = 0 first, then nonholonomic W(q)v + b(q) = 0.
  const std::vector<formula::ScalarFunction>& constraints() const { return constraints_; }
  int holonomic() const { return holonomic_; }
  int nonholonomic() const { return static_cast<int>(constraints_.size()) - holonomic_; }
  bool affine() const { return affine_; }  // some b is not zero
  int contact_of(int piece) const { return contact_of_[piece]; }
  const std::vector<FrameProgram>& frames() const { return frames_; }  // one for each contact
  // ±(1 + a) where the gradient of a piece is ± that of component a of its point, as formulas; else 0.
  int axis_of(int piece) const { return axes_[piece]; }
  const formula::Program& restitution(int contact) const { return restitutions_[contact]; }  // of `speed`; may be empty
  double friction_derivative(int contact, int parameter) const;
  const formula::Program& generators() const { return generators_; }  // of q: symmetry s, component i at s·n + i

  bool quadratic() const { return quadratic_; }    // in the velocities
  bool autonomous() const { return autonomous_; }  // Lagrangian and forces have no t
  // The mass matrix is singular everywhere: a coordinate has no kinetic term, or M is constant and singular.
  bool degenerate() const { return degenerate_; }
  // L = ½ vᵀMv − V(q,t) with constant regular M:
  bool separable() const { return separable_; }
  const std::vector<MassEntry>& mass() const { return mass_; }  // the nonzero entries of M
  bool diagonal_mass() const { return diagonal_mass_; }
  // −∇V(q,t) + F(q,t), of (q, t): n + 1 inputs; where no force depends on velocities.
  const formula::Program& force() const { return force_; }
  bool uniform_force() const { return uniform_force_; }             // it depends on neither q nor t: bodies that fall
  const formula::Program& potential() const { return potential_; }  // where separable

  // The forces of the model, as functions of (q, v, t): their sum F, n components, and the power F_k·v of each.
  bool forced() const { return !model_.forces.empty(); }
  bool velocity_forces() const { return velocity_forces_; }  // some force depends on velocities
  const formula::VectorFunction& forces() const { return forces_; }
  const formula::Program& powers() const { return powers_; }

 private:
  std::vector<Expr> compile_forces(const std::vector<Expr>& q, const std::vector<Expr>& v,
                                   const std::vector<Expr>& qvt);
  Model model_;
  int n_, parameters_;
  formula::ScalarFunction lagrangian_;
  std::vector<Gap> gaps_;
  std::vector<formula::ScalarFunction> pieces_, constraints_;
  void compile_laws(const std::vector<Expr>& qt);
  std::vector<int> contact_of_;
  std::vector<FrameProgram> frames_;
  std::vector<int> axes_;
  std::vector<formula::Program> restitutions_;
  int holonomic_ = 0;
  bool affine_ = false;
  formula::Program piece_values_, generators_, force_, potential_, powers_;
  formula::VectorFunction forces_;
  bool velocity_forces_ = false;
  bool quadratic_ = false, autonomous_ = false, degenerate_ = false, separable_ = false, diagonal_mass_ = false,
       uniform_force_ = false;
  std::vector<MassEntry> mass_;
};

}  // namespace ricochet
