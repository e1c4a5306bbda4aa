#include "ricochet/mechanics/contact_frame_derivative.hpp"

namespace ricochet {

ContactFrameDerivatives::ContactFrameDerivatives(const System& system)
    : frames_(system),
      n_(system.n()),
      parameters_(system.parameters()),
      q_(n_),
      rows_(static_cast<std::size_t>(3) * n_) {}

void ContactFrameDerivatives::evaluate(int piece, const double* q, double t, ContactFrameDerivative& out) {
  const int count = 1 + frames_.tangents(piece), components = frames_.components(piece), columns = n_ + 1 + parameters_;
  for (int a = 0; a < count; ++a) out.rows[a].resize(n_, columns);
  for (int a = 0; a + 1 < count; ++a) out.tau[a].resize(components, columns);
  out.rates.resize(count, columns);
  out.scale.resize(columns);
  out.place.resize(components, columns);
  Dual rates[3], place[3];
  for (int j = 0; j < columns; ++j) {
    frames_.vary_parameter(j - n_ - 1);  // negative: none
    for (int i = 0; i < n_; ++i) q_[i] = {q[i], i == j ? 1.0 : 0.0};
    const Dual time{t, j == n_ ? 1.0 : 0.0};
    out.scale[j] = frames_.evaluate(piece, q_.data(), time, rows_.data(), rates).derivative;
    for (int a = 0; a < count; ++a) {
      out.rates(a, j) = rates[a].derivative;
      for (int i = 0; i < n_; ++i) out.rows[a](i, j) = rows_[a * n_ + i].derivative;
    }
    for (int a = 0; a + 1 < count; ++a)
      for (int b = 0; b < components; ++b) out.tau[a](b, j) = frames_.direction(piece, a)[b].derivative;
    if (components == 0) continue;
    frames_.place(piece, q_.data(), time, place);
    for (int b = 0; b < components; ++b) out.place(b, j) = place[b].derivative;
  }
}

}  // namespace ricochet
