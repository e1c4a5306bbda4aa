// The rows of a constrained step for a set of contacts: which multipliers there are, and the patterns and places of
// their matrices.

#include <algorithm>
#include <array>
#include <cstdlib>

#include "constrained_rows.hpp"

namespace ricochet {

namespace {

constexpr std::size_t most_prepared = 64;  // sets of contacts whose matrices are kept

}  // namespace

// The matrices for a set of contacts. They are kept, so that a set that comes back costs nothing.
void ConstrainedStep::use(std::span<const int> pieces, std::span<const Rub> rubs, std::span<const char> leaving) {
  leaving_.assign(leaving.begin(), leaving.end());
  bool same = rows_of_ != nullptr && std::equal(pieces.begin(), pieces.end(), pieces_.begin(), pieces_.end());
  for (std::size_t k = 0; k < pieces.size() && same; ++k)
    same = rubs_[k].tangents == (rubs.empty() ? 0 : rubs[k].tangents);
  if (same) {
    std::copy(rubs.begin(), rubs.end(), rubs_.begin());
    for (int k = constraints_.count(); k < base_; ++k) slides_[k] = !rubs_[contact_of_[k]].sticks || redundant_[k] != 0;
    return;
  }
  c1_known_ = false;
  timeless_ = true;
  turns_frame_.clear();
  for (const int piece : pieces) {
    bool fixed = true;
    for (const std::uint32_t i : system_.pieces()[piece].gradient_pattern()) fixed &= static_cast<int>(i) < n_;
    for (const auto& [a, i] : system_.frames()[system_.contact_of(piece)].pattern) fixed &= i < n_;
    timeless_ &= fixed;
    turns_frame_.push_back(!fixed && frames_.components(piece) > 0 && system_.axis_of(piece) == 0);
  }
  pieces_.assign(pieces.begin(), pieces.end());
  rubs_.assign(pieces.size(), Rub{});
  std::copy(rubs.begin(), rubs.end(), rubs_.begin());
  const int count = constraints_.count();
  base_ = count;
  first_tangent_.assign(pieces.size(), count);
  contact_of_.assign(count, -1);
  tangent_of_.assign(count, 0);
  tangents_.assign(pieces.size(), 0);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    first_tangent_[k] = base_;
    tangents_[k] = rubs_[k].tangents;
    for (int a = 0; a < rubs_[k].tangents; ++a, ++base_) {
      contact_of_.push_back(static_cast<int>(k));
      tangent_of_.push_back(a);
    }
  }
  m_ = base_ + static_cast<int>(pieces_.size());
  for (auto* vector :
       {&value0_, &value1_, &value_half_, &rate0_, &rate1_, &rate_half_, &nu_, &rows_, &gram_, &start_slip_,
        &path_slip_, &end_slip_, &place_size_, &row_scale_, &row_floor_, &dnu_, &best_nu_, &held_sizes_})
    vector->assign(m_, 0.0);
  for (auto* vector : {&scales_, &scale0_, &scale1_}) vector->assign(pieces_.size(), 1.0);
  place0_.resize(pieces_.size());
  redundant_.assign(m_, 0);
  slides_.assign(m_, 0);
  for (int k = count; k < base_; ++k) slides_[k] = !rubs_[contact_of_[k]].sticks;
  turns_.assign(pieces_.size(), SlipTurn{});
  for (auto* vector : {&tau0_, &way_tau_}) vector->resize(base_);
  x_.assign(ns_ + m_, 0.0);
  solution_.resize(n_ + m_);
  open_.assign(pieces_.size(), 0);
  complementarity_.resize(ns_ + m_, static_cast<int>(pieces_.size()));
  instant_.assign(m_, 0);
  kinds_.assign(m_, RowKind::start);
  const auto known = std::find_if(prepared_.begin(), prepared_.end(), [&](const std::unique_ptr<Rows>& rows) {
    return rows->pieces == pieces_ && rows->tangents == tangents_;
  });
  if (known != prepared_.end()) {
    rows_of_ = known->get();
    take_columns();
    return;
  }
  std::vector<Column> columns;
  for (const Constraints::Entry& e : constraints_.entries()) columns.push_back({e.coordinate, e.constraint, 0.0});
  for (std::size_t k = 0; k < pieces_.size(); ++k)
    for (const std::uint32_t i : system_.pieces()[pieces_[k]].gradient_pattern())
      if (static_cast<int>(i) < n_) columns.push_back({static_cast<int>(i), base_ + static_cast<int>(k), 0.0});
  for (int k = count; k < base_; ++k) {
    const int piece = pieces_[contact_of_[k]], axis = std::abs(system_.axis_of(piece)) - 1;
    std::vector<int> coordinates;
    for (const auto& [a, i] : system_.frames()[system_.contact_of(piece)].pattern)
      if (i < n_ && a != axis && std::find(coordinates.begin(), coordinates.end(), i) == coordinates.end())
        coordinates.push_back(i);  // no tangent has a part along the normal
    for (const int i : coordinates) columns.push_back({i, k, 0.0});
  }

  const int s = ns_ / n_;
  const LinearSolver::Pattern& block = step_.pattern();
  LinearSolver::Pattern mass_block;
  for (const auto& [row, column] : system_.lagrangian().hessian_pattern()) {
    const int r = static_cast<int>(row), c = static_cast<int>(column);
    if (r < n_ || c < n_ || r >= 2 * n_ || c >= 2 * n_) continue;
    mass_block.emplace_back(r - n_, c - n_);
    mass_block.emplace_back(c - n_, r - n_);
  }
  const auto pattern = [&](LinearSolver::Pattern result, int size) {  // of [block, C; Cᵀ, 1]
    for (const Column& c : columns)
      for (int first = 0; first < size; first += n_) {
        result.emplace_back(first + c.coordinate, size + c.multiplier);
        result.emplace_back(size + c.multiplier, first + c.coordinate);
      }
    for (const Constraints::Entry& e : constraints_.rate_entries())
      for (int first = 0; first < size; first += n_) result.emplace_back(size + e.constraint, first + e.coordinate);
    for (int k = 0; k < m_; ++k) result.emplace_back(size + k, size + k);
    for (int k = count; k < base_; ++k) {
      result.emplace_back(size + k, size + base_ + contact_of_[k]);
      if (tangents_[contact_of_[k]] == 2) result.emplace_back(size + k, size + other_tangent(k));
    }
    return result;
  };
  auto rows = std::make_unique<Rows>(Rows{.pieces = pieces_,
                                          .tangents = tangents_,
                                          .columns = columns,
                                          .kkt = LinearSolver(ns_ + m_, pattern(block, ns_)),
                                          .mass = LinearSolver(n_ + m_, pattern(mass_block, n_)),
                                          .core_slots = {},
                                          .core_diagonal = {},
                                          .mass_slots = {},
                                          .bend = {},
                                          .up = {},
                                          .low = {},
                                          .diagonal = {},
                                          .mass_up = {},
                                          .mass_low = {},
                                          .mass_diagonal = {},
                                          .cone = {},
                                          .mass_cone = {},
                                          .mass_other = {},
                                          .slopes = {},
                                          .first_slopes = {},
                                          .places = {},
                                          .gram = {},
                                          .products = {},
                                          .gram_entries = {},
                                          .gram_diagonal = {},
                                          .gram_cone = {}});
  for (const auto& [r, c] : block) {
    rows->core_slots.emplace_back(step_.jacobian_.slot(r, c), rows->kkt.slot(r, c));
    if (r == c && r < n_) rows->core_diagonal.push_back(step_.jacobian_.slot(r, c));
  }
  const auto& entries = system_.lagrangian().hessian_pattern();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const int r = static_cast<int>(entries[e].first) - n_, c = static_cast<int>(entries[e].second) - n_;
    if (r < 0 || r >= n_ || c < 0) continue;
    rows->mass_slots.emplace_back(e, rows->mass.slot(r, c));
    if (r != c) rows->mass_slots.emplace_back(e, rows->mass.slot(c, r));
  }
  for (const Column& c : columns) {
    for (int j = 0; j < s; ++j) {
      rows->up.push_back(rows->kkt.slot(j * n_ + c.coordinate, ns_ + c.multiplier));
      rows->low.push_back(rows->kkt.slot(ns_ + c.multiplier, j * n_ + c.coordinate));
    }
    rows->mass_up.push_back(rows->mass.slot(c.coordinate, n_ + c.multiplier));
    rows->mass_low.push_back(rows->mass.slot(n_ + c.multiplier, c.coordinate));
  }
  for (int k = 0; k < m_; ++k) rows->diagonal.push_back(rows->kkt.slot(ns_ + k, ns_ + k));
  for (int k = count; k < base_; ++k) {
    rows->cone.push_back(rows->kkt.slot(ns_ + k, ns_ + base_ + contact_of_[k]));
    rows->mass_cone.push_back(rows->mass.slot(n_ + k, n_ + base_ + contact_of_[k]));
    rows->mass_other.push_back(tangents_[contact_of_[k]] == 2 ? rows->mass.slot(n_ + k, n_ + other_tangent(k)) : -1);
  }
  for (int k = count; k < m_; ++k) rows->mass_diagonal.push_back(rows->mass.slot(n_ + k, n_ + k));
  rows->places.resize(m_);
  for (int e = static_cast<int>(columns.size()); e-- > 0;) {
    auto& [first, end] = rows->places[columns[e].multiplier];
    first = e;
    end = std::max(end, e + 1);
  }
  rows->first_slopes.resize(m_);
  for (int k = count; k < base_; ++k) {
    const auto& pattern = system_.frames()[system_.contact_of(pieces_[contact_of_[k]])].pattern;
    rows->first_slopes[k][0] = static_cast<int>(rows->slopes.size());
    for (int e = rows->places[k][0]; e < rows->places[k][1]; ++e)
      for (std::size_t entry = 0; entry < pattern.size(); ++entry)
        if (pattern[entry].second == columns[e].coordinate)
          rows->slopes.push_back({e, static_cast<int>(entry), pattern[entry].first});
    rows->first_slopes[k][1] = static_cast<int>(rows->slopes.size());
  }
  prepare_gram(*rows);
  for (const Constraints::Entry& e : constraints_.rate_entries())
    for (int j = 0; j < s; ++j) rows->bend.push_back(rows->kkt.slot(ns_ + e.constraint, j * n_ + e.coordinate));
  if (prepared_.size() == most_prepared) prepared_.erase(prepared_.begin());
  prepared_.push_back(std::move(rows));
  rows_of_ = prepared_.back().get();
  take_columns();
}

void ConstrainedStep::take_columns() {
  c0_ = c1_ = half_ = rows_of_->columns;
  low_.resize(c0_.size());
}

}  // namespace ricochet
