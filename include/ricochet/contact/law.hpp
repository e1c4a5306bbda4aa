#pragma once
// Contact laws by name, and what a law needs of its contact. A law says which impulse Λ a contact gets as a function of
// (Δ, c): Δ = J M⁻¹ Jᵀ, c = J v⁻ + J_t with the rows normal, tangents (mechanics/contact_frame.hpp); docs/laws.md.

#include <string>
#include <vector>

#include "ricochet/contact/impact.hpp"
#include "ricochet/formula/dual.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/mechanics/system.hpp"

namespace ricochet {

struct LawKey {
  std::string name, doc;
  bool required = false;
};

// What a law says of itself: feeds the scenario reader, `ricochet laws` and docs/laws.md.
struct LawDescriptor {
  std::string name, doc;                 // one line
  std::string equation;                  // of one contact
  std::string preserves, not_preserved;  // exactly kept; not kept
  std::vector<LawKey> keys{};            // of [[system.contact]]
  bool needs_frame = false;              // point or tangent must be given
};

const std::vector<LawDescriptor>& law_descriptors();
const LawDescriptor& law_descriptor(ImpactLaw law);  // not of `rest`
ImpactLaw law_named(const std::string& name);        // std::invalid_argument for others than the four

// e of a contact: 1 for elastic, 0 for plastic, otherwise its number or formula of `speed` = −c_n. One for each thread.
class Restitution {
 public:
  explicit Restitution(double e, std::string contact = "") : contact_(std::move(contact)), e_(e) {}
  Restitution(const System& system, int contact);  // the system must outlive it

  // Throws SolverError with contact, speed and value where e is not in [0,1].
  template <class T>
  T at(const T& speed);
  void vary_parameter(int k) { dual_.vary_parameter(k); }  // derivatives by θ_k too from now on, −1: by none

 private:
  std::string contact_;
  double e_ = 1;
  bool formula_ = false;
  formula::Evaluator<double> number_;
  formula::Evaluator<formula::Dual<double>> dual_;
};

// How several elastic contacts are reflected at one instant.
enum class Simultaneous { moreau, generalized, sequential };
Simultaneous simultaneous_named(const std::string& name);

// A contact in an impact. Its rows in Δ and c: the normal, then its tangents.
template <class T>
struct LawContact {
  ImpactLaw law = ImpactLaw::elastic;
  int row = 0;
  int tangents = 0;  // 0, 1 or 2
  T friction{0.0};
  Restitution* restitution = nullptr;  // of newton and coulomb
  bool captured = false;               // e = 0, whatever the law: closes by resolution, or was struck too often
  bool pressed = false;                // Painlevé: gets its impulse though c_n = 0
  // c is a length in time, as with `point` or `tangent`. Only such speeds can be compared with each other; others are
  // compared by c²/Δ_nn.
  bool length = false;
};

}  // namespace ricochet
