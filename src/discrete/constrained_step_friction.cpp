// Friction of the contacts held: rows of tangents that stick and slide, their slips, and what they lose. The equations
// are in constrained_step.hpp.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "constrained_rows.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet {

namespace {

constexpr double in_the_span = 1e-20;  // of the square of a row: ten of its digits

}  // namespace

// What sticks in several points may be held by some of them: by Gram–Schmidt over constraints, normals, tangents.
void ConstrainedStep::find_redundant() {
  std::fill(redundant_.begin(), redundant_.end(), 0);
  for (int k = constraints_.count(); k < base_; ++k) slides_[k] = !rubs_[contact_of_[k]].sticks;
  int sticking = 0;
  for (const Rub& rub : rubs_) sticking += rub.tangents > 0 && rub.sticks;
  if (sticking < 2) return;
  basis_.assign(static_cast<std::size_t>(m_) * n_, 0.0);
  const int count = constraints_.count();
  for (const Column& c : c0_)
    if (const double inertia = inertias_[c.coordinate]; inertia > 0)
      basis_[static_cast<std::size_t>(c.multiplier) * n_ + c.coordinate] = c.value / std::sqrt(inertia);
  scaled_ = basis_;
  sizes_.assign(m_, 0.0);
  const auto place = [&](int i) {
    return i < count ? i : i < m_ - (base_ - count) ? base_ + i - count : i - (m_ - base_);
  };
  for (int i = 0; i < m_; ++i) {
    const int k = place(i);
    double* const v = basis_.data() + static_cast<std::size_t>(k) * n_;
    const auto dot = [&](const double* x, const double* y) {
      double sum = 0;
      for (int l = 0; l < n_; ++l) sum += x[l] * y[l];
      return sum;
    };
    const bool used = !is_tangent(k) || rubs_[contact_of_[k]].sticks;
    const double whole = dot(v, v);
    for (int pass = 0; pass < 2; ++pass) {
      for (int j = 0; j < i; ++j) {
        const int of_u = place(j);
        if (!(sizes_[of_u] > 0)) continue;
        const double* const u = basis_.data() + static_cast<std::size_t>(of_u) * n_;
        const double part = dot(u, v) / sizes_[of_u];
        for (int l = 0; l < n_; ++l) v[l] -= part * u[l];
      }
      sizes_[k] = dot(v, v);
      if (2 * sizes_[k] > whole) break;  // little was lost
    }
    if (used && sizes_[k] > in_the_span * whole) continue;
    sizes_[k] = 0;
    redundant_[k] = used && is_tangent(k);
    slides_[k] |= redundant_[k];
    std::fill(v, v + n_, 0.0);
  }
}

bool ConstrainedStep::has_no_place(int k) const {
  return is_tangent(k) && frames_.components(pieces_[contact_of_[k]]) == 0;
}

// τ_a = −(this) λ of what slides.
double ConstrainedStep::slope_of_cone(int k, const std::vector<double>& scale) const {
  const Rub& rub = rubs_[contact_of_[k]];
  return rub.friction * scale[contact_of_[k]] * rub.slip[tangent_of_[k]];
}

double ConstrainedStep::slip_round_off(int k, int a) const { return 16 * epsilon * row_floor_[first_tangent_[k] + a]; }

bool ConstrainedStep::strays(int k, double* slip) const {
  slip[0] = slip[1] = 0;
  bool any = false;
  for (int a = 0; a < tangents_[k] && rubs_[k].sticks; ++a) {
    const int row = first_tangent_[k] + a;
    if (redundant_[row] == 0) continue;
    double rate = rate1_[row];
    for (const Column& c : c1_)
      if (c.multiplier == row) rate += c.value * velocity_[c.coordinate];
    slip[a] = rate;
    any |= std::abs(rate) > std::sqrt(in_the_span) * row_floor_[row];
  }
  return any;
}

bool ConstrainedStep::jams(int piece, const Rub& rub, double t, const double* q, const double* p) {
  if (rub.tangents == 0 || rub.sticks) return false;
  double rates[3];
  frames_.evaluate(piece, q, t, frame_.data(), rates);
  for (int i = 0; i < n_; ++i) {
    normal_[i] = frame_[i];
    for (int a = 0; a < rub.tangents; ++a) normal_[i] -= rub.friction * rub.slip[a] * frame_[(1 + a) * n_ + i];
  }
  if (constraints_.count() > 0) {
    at_point(t, q);
    free_covector(normal_.data(), velocity_.data());
  } else {
    step_.lagrangian_.velocity(q, p, t, velocity_.data());
    step_.lagrangian_.apply_inverse_mass(normal_.data(), velocity_.data());
  }
  double sum = 0, size = 0;
  for (int i = 0; i < n_; ++i) sum += frame_[i] * velocity_[i], size += std::abs(frame_[i] * velocity_[i]);
  return sum <= epsilon * size;
}

void ConstrainedStep::tangent_gram(std::span<const int> tangents, double* gram) {
  const std::size_t m = tangents.size();
  const auto row = [&](std::size_t i) {
    return scaled_.data() + static_cast<std::size_t>(first_tangent_[tangents[i] / 2] + tangents[i] % 2) * n_;
  };
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) gram[i * m + j] = std::inner_product(row(i), row(i) + n_, row(j), 0.0);
}

double ConstrainedStep::friction_loss() const {
  double loss = 0;
  for (int k = constraints_.count(); k < base_; ++k)
    if (!rubs_[contact_of_[k]].sticks) loss += nu_[k] * start_slip_[k] + solution_[n_ + k] * end_slip_[k];
  return loss;
}

void ConstrainedStep::add_impulses(double* impulses) const {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const int normal = base_ + static_cast<int>(k);
    impulses[3 * k] += scale0_[k] * nu_[normal] + scale1_[k] * solution_[n_ + normal];
    for (int a = 0; a < tangents_[k]; ++a)
      impulses[3 * k + 1 + a] += nu_[first_tangent_[k] + a] + solution_[n_ + first_tangent_[k] + a];
  }
}

// Rows of the projection: σ·ζ + μξ = 0 in place of the tangent next to σ, so that its diagonal is not small, and
// α σ⊥·s + β σ⊥·ζ = 0 in place of the other.
void ConstrainedStep::fill_spatial_slide(int contact) {
  const int row = first_tangent_[contact], at = row - constraints_.count(), next = cone_row(contact) - row;
  const auto& [alpha, beta] = turns_[contact];
  const std::array<double, 2>& sigma = rubs_[contact].slip;
  double* values = rows_of_->mass.values();
  const int cone = at + next, turn = at + 1 - next;
  values[rows_of_->mass_diagonal[cone]] = gram_[row] * sigma[next];
  values[rows_of_->mass_other[cone]] = gram_[row] * sigma[1 - next];
  values[rows_of_->mass_cone[cone]] = gram_[row] * rubs_[contact].friction * scale1_[contact];
  values[rows_of_->mass_diagonal[turn]] = next == 0 ? beta * sigma[0] : -beta * sigma[1];
  values[rows_of_->mass_other[turn]] = next == 0 ? -beta * sigma[1] : beta * sigma[0];
  values[rows_of_->mass_cone[turn]] = 0;
  const auto [first, end] = rows_of_->places[row];  // both tangents have the same coordinates
  const int second = rows_of_->places[row + 1][0];
  for (int e = 0; e < end - first; ++e)
    values[rows_of_->mass_low[(next == 0 ? second : first) + e]] =
        alpha * (sigma[0] * c1_[second + e].value - sigma[1] * c1_[first + e].value);
}

// After a projection: σ turned by Newton's method, and α, β there. How far it turned.
double ConstrainedStep::turn_slip(int contact) {
  Rub& rub = rubs_[contact];
  const int row = first_tangent_[contact];
  const double* zeta = solution_.data() + n_ + row;
  const double g = (gram_[row] + gram_[row + 1]) / 2;
  // (r² + (gμξ)²) dσ = (r σ⊥·s − g²μξ σ⊥·ζ) σ⊥
  const double r = end_slip(contact), pull = -g * (rub.slip[0] * zeta[0] + rub.slip[1] * zeta[1]),
               off = g * (rub.slip[0] * zeta[1] - rub.slip[1] * zeta[0]), size = std::hypot(r, pull);
  if (size == 0) return 0;
  const double angle = (r / size) * (across(contact, end_slip_) / size) - (pull / size) * (off / size);
  turns_[contact] = {pull / size, g * (r / size)};
  rub.slide(rub.slip[0] - angle * rub.slip[1], rub.slip[1] + angle * rub.slip[0]);
  return std::abs(angle);
}

// The slip without the contact's own friction is s − gζ, but for what g stands for. There are two directions of s:
// along it, with r < 0 as the slip comes to an end, and against it, where friction would drive.
bool ConstrainedStep::is_driven(int contact) const {
  const int row = first_tangent_[contact];
  const double* zeta = solution_.data() + n_ + row;
  const double g = (gram_[row] + gram_[row + 1]) / 2;
  return end_slip(contact) < g * (rubs_[contact].slip[0] * zeta[0] + rubs_[contact].slip[1] * zeta[1]);
}

void ConstrainedStep::aim_slip(int contact) {
  const int row = first_tangent_[contact];
  const double* zeta = solution_.data() + n_ + row;
  const double g = (gram_[row] + gram_[row + 1]) / 2;
  const double s0 = end_slip_[row] - g * zeta[0], s1 = end_slip_[row + 1] - g * zeta[1];
  if (s0 != 0 || s1 != 0) rubs_[contact].slide(s0, s1);
  turns_[contact] = {0, gram_[row]};
}

// With the slip velocities of what slides at both ends and of the path; the direction of a spatial slip at the end is
// its own.
void ConstrainedStep::project_held(double t, const double* q, double* p) {
  if (std::none_of(rubs_.begin(), rubs_.end(), [](const Rub& rub) { return rub.tangents > 0 && !rub.sticks; })) {
    project_on_rows(t, q, p);
    return;
  }
  step_.lagrangian_.velocity(step_.q0_.data(), p_start_.data(), step_.t0_, velocity_.data());
  start_slip_ = rate0_;
  for (const Column& c : c0_) start_slip_[c.multiplier] += c.value * velocity_[c.coordinate];
  p_end_.assign(p, p + n_);
  bool in_space = false;
  for (int k = 0; k < static_cast<int>(pieces_.size()); ++k) {
    turns_[k] = {0, gram_[first_tangent_[k]]};
    in_space |= turns_in_space(k);
  }
  // Where Newton's method does not settle, or on what is driven, it begins again from directions that are aimed at.
  constexpr int most = 20;
  int aimed = 0;
  for (int pass = 0;; ++pass) {
    std::copy(p_end_.begin(), p_end_.end(), p);
    project_on_rows(t, q, p);
    end_slip_ = rate1_;
    for (const Column& c : c1_) end_slip_[c.multiplier] += c.value * velocity_[c.coordinate];
    if (!in_space) break;
    double change = 0;
    bool driven = false;
    const bool aims = aimed > 0 && pass <= aimed + most;
    for (int k = 0; k < static_cast<int>(pieces_.size()); ++k) {
      if (!turns_in_space(k)) continue;
      driven |= is_driven(k);
      aims ? aim_slip(k) : void(change = std::fmax(change, turn_slip(k)));
    }
    if (aims) continue;
    directions_found_ = !(change > 4 * epsilon) && !driven;
    if (directions_found_ || pass > aimed + 2 * most) break;
    if (aimed > 0 || (pass < most && change > 4 * epsilon)) continue;
    aimed = pass + 1;
    for (int k = 0; k < static_cast<int>(pieces_.size()); ++k)
      if (turns_in_space(k)) turns_[k] = {0, gram_[first_tangent_[k]]};
  }
  path_slip_.assign(m_, 0.0);
  for (int k = constraints_.count(); k < base_; ++k) path_slip_[k] = (rate0_[k] + rate1_[k]) / 2;
  for (std::size_t e = 0; e < c0_.size(); ++e)
    if (is_tangent(c0_[e].multiplier))
      path_slip_[c0_[e].multiplier] += (c0_[e].value + c1_[e].value) / 2 * step_.mean_[c0_[e].coordinate];
}

}  // namespace ricochet
