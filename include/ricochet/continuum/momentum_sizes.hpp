#pragma once
// How large the terms are whose sums the momenta of bodies are: what deviations are compared with, so that a momentum
// that begins at zero has a measure, in any units. Over the elements e and their corners i, with parts m_ei of the
// mass,
//   linear    Σ m_ei |v_i| + Σ √(2 m_e |W_e|)
//   angular   the same with the arms |x_i|, |y_i| and |x_e| about the origin
// The second term is the momentum that an element would have with its stored energy: bodies that press while nothing
// moves have that size of momentum to and fro in each transit of a wave.

#include <memory>
#include <span>
#include <vector>

#include "ricochet/continuum/model.hpp"

namespace ricochet::continuum {

struct Bar;
struct Solid;

class MomentumSizes {
 public:
  explicit MomentumSizes(const Model& model);  // throws ModelError
  ~MomentumSizes();
  // Of a record of the fields x and v, in the order of momentum_names().
  std::vector<double> of(std::span<const double> x, std::span<const double> v) const;

 private:
  std::unique_ptr<Bar> bar_;
  std::unique_ptr<Solid> solid_;
};

}  // namespace ricochet::continuum
