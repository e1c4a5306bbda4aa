#include "ricochet/contact/first_event.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/numerics/find_root.hpp"

namespace ricochet {

using formula::Interval;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double round_off = 2 * std::numeric_limits<double>::epsilon();
constexpr int max_depth = 50;     // halvings: shorter than round-off of the time
constexpr int max_visits = 4000;  // of intervals of one gap: then the ends of each decide

}  // namespace

FirstEvent::FirstEvent(Gaps& gaps, int n)
    : gaps_(&gaps),
      n_(n),
      q_(n),
      reach_(n),
      values_(gaps.pieces()),
      at_end_(n),
      attains_(gaps.pieces()),
      reachable_(gaps.pieces()),
      rho_(gaps.pieces()),
      enclosures_(gaps.pieces()),
      box_(n),
      speed_(n),
      normal_(n) {
  coordinates_.resize(gaps.count());
  for (int gap = 0; gap < gaps.count(); ++gap) {
    for (int piece = gaps.begin(gap); piece < gaps.end(gap); ++piece) gaps.add_coordinates(piece, coordinates_[gap]);
    near_.push_back(gap), touching_.push_back(gap);  // room for all
  }
  near_.clear();
  touching_.clear();
}

std::optional<Event> FirstEvent::find(const PathModel& model, Path& path, std::span<const char> closed) {
  model_ = path_model_ = &model;
  path_ = &path;
  closed_ = closed;
  evaluations_ = 0;
  near_.clear();
  touching_.clear();
  std::optional<Event> earliest;
  for (int gap = 0; gap < gaps_->count(); ++gap) {
    place_boxes(gap, 0, model.length);
    bool watched = false, held = false;
    for (int piece = gaps_->begin(gap); piece < gaps_->end(gap); ++piece) (closed_[piece] == 0 ? watched : held) = true;
    gaps_->enclosures_of(gap, box_.data(), time_, enclosures_.data() + gaps_->begin(gap));
    const Interval G = fold(gap);
    if (!held && G.lo > 0) continue;
    near_.push_back(gap);
    for (int piece = gaps_->begin(gap); piece < gaps_->end(gap); ++piece)
      reachable_[piece] = !(enclosures_[piece].lo > 0), rho_[piece] = -1;
    if (!watched) continue;
    visits_ = 0;
    refinements_ = 0;
    if (const auto s = earliest ? search(gap, 0, earliest->s, 0) : decide(gap, 0, model.length, 0, G))
      if (!earliest || *s < earliest->s) earliest = Event{*s, gap, 0};
    if (!proved_) touching_.push_back(gap);
  }
  if (earliest) earliest->evaluations = evaluations_;
  return earliest;
}

bool FirstEvent::is_clear(double t, double length, const double* q, const double* w, const double* bend,
                          std::span<const char> closed) {
  closed_ = closed;
  near_.clear();
  touching_.clear();
  lowest_ = infinity;
  time_ = {t, t + length};
  for (int i = 0; i < n_; ++i) {
    const double end = q[i] + length * w[i], low = std::min(q[i], end), high = std::max(q[i], end);
    const double bulge = length * (std::abs(w[i]) + bend[i]),
                 slack = bulge + round_off * (bulge + std::max(std::abs(low), std::abs(high)));
    box_[i] = {low - slack, high + slack};
    speed_[i] = {w[i] - 2 * bend[i], w[i] + 2 * bend[i]};
  }
  for (int gap = 0; gap < gaps_->count(); ++gap) {
    bool watched = false;
    for (int piece = gaps_->begin(gap); piece < gaps_->end(gap); ++piece) watched |= closed_[piece] == 0;
    if (!watched) continue;
    gaps_->enclosures_of(gap, box_.data(), time_, enclosures_.data() + gaps_->begin(gap));
    const Interval G = fold(gap);
    if (G.lo > 0) {
      lowest_ = std::fmin(lowest_, G.lo);
      continue;
    }
    if (!is_rising(gap, G)) return false;
    near_.push_back(gap);
  }
  return true;
}

// Over the boxes, whatever piece is its value there.
bool FirstEvent::is_rising(int gap, const Interval& G) {
  for (int piece = gaps_->begin(gap); piece < gaps_->end(gap); ++piece) {
    const Interval value = enclosures_[piece];
    if (closed_[piece] != 0 || value.lo > G.hi || value.hi < G.lo) continue;
    if (!(gaps_->slope(piece, speed_.data()).lo > 0)) return false;
  }
  return true;
}

void FirstEvent::place_boxes(int gap, double from, double to) {
  const PathModel& m = *model_;
  coarse_ = is_inexact(gap);
  time_ = {m.t0 + from, m.t0 + to};
  resolved_ = time_.lo < time_.hi;
  from -= m.start;
  to -= m.start;
  for (const int i : coordinates_[gap]) {
    const double x0 = m.q0[i] + from * (m.w0[i] + from * m.a[i]), x1 = m.q0[i] + to * (m.w0[i] + to * m.a[i]);
    double low = std::min(x0, x1), high = std::max(x0, x1);
    const double turn = m.a[i] != 0 ? -m.w0[i] / (2 * m.a[i]) : -1;  // vertex of the parabola
    if (turn > from && turn < to) {
      const double x = m.q0[i] + turn * (m.w0[i] + turn * m.a[i]);
      low = std::min(low, x), high = std::max(high, x);
    }
    const double slack = m.error[i] + round_off * std::max(std::abs(low), std::abs(high));
    box_[i] = {low - slack, high + slack};
    resolved_ |= high - low > slack;
    coarse_ &= !(high - low > m.error[i]);
    const double v0 = m.w0[i] + 2 * from * m.a[i], v1 = m.w0[i] + 2 * to * m.a[i];
    const double speed_slack = m.length > 0 ? 2 * m.error[i] / m.length : 0;
    speed_[i] = {std::min(v0, v1) - speed_slack, std::max(v0, v1) + speed_slack};
  }
}

Interval FirstEvent::fold(int gap) const {
  return gaps_->fold(gap, [&](int k) { return closed_[k] == 0 ? enclosures_[k] : Interval(infinity); });
}

std::optional<double> FirstEvent::search(int gap, double from, double to, int depth) {
  place_boxes(gap, from, to);
  gaps_->enclosures_of(gap, box_.data(), time_, enclosures_.data() + gaps_->begin(gap));
  return decide(gap, from, to, depth, fold(gap));
}

// With the boxes and enclosures of the part, and G of them.
std::optional<double> FirstEvent::decide(int gap, double from, double to, int depth, const Interval& G) {
  const bool may_split = depth < max_depth && ++visits_ < max_visits;
  proved_ = G.lo > 0;
  if (proved_) return {};
  bool falling = true, rising = true, decidable = false;
  int attaining = 0;
  for (int piece = gaps_->begin(gap); piece < gaps_->end(gap); ++piece) {
    if (closed_[piece] != 0) continue;
    const Interval value = enclosures_[piece];
    values_[piece] = value.lo;
    attains_[piece] = !(value.lo > G.hi || value.hi < G.lo);
    if (attains_[piece] == 0) continue;
    only_ = ++attaining == 1 ? piece : -1;
    const Interval slope = gaps_->slope(piece, speed_.data());
    falling &= slope.hi < 0;
    rising &= slope.lo > 0;
    values_[piece] = (to - from) / 2 * std::fmax(std::abs(slope.lo), std::abs(slope.hi));  // the way of the piece
  }
  // Round-off is no event: a body on a rail along a wall, or one that was just left. What falls deeper is found there.
  proved_ = rising;
  const auto is_round_off = [&] {
    return G.lo >= 0 || is_above_round_off(gap, 0, [&](int piece) { return enclosures_[piece].lo; });
  };
  if (rising) {
    // A face that the path is behind by round-off alone need not be the one it is deep inside of by now.
    if (from == 0 || G.lo >= 0) return {};
    path_->position(from, q_.data());
    const auto at_start = [&](int piece) { return gaps_->value_of(piece, q_.data(), model_->t0 + from); };
    if (is_above_round_off(gap, 0, at_start)) return {};
    proved_ = false;
    return root(gap, std::fmax(0, 2 * from - to), from, true, false);
  }
  if (!falling && is_round_off()) return {};
  if (falling || !may_split) {
    const std::optional<double> s = root(gap, from, to, falling);
    return s && falling && is_round_off() ? std::nullopt : s;
  }
  const double middle = (from + to) / 2;
  const auto halves = [&]() -> std::optional<double> {
    if (const auto s = search(gap, from, middle, depth + 1)) return s;
    return search(gap, middle, to, depth + 1);
  };
  if (resolved_ && !coarse_) {
    // G(s) >= G(middle) − way: sharper than the enclosure for bodies that move side by side.
    place_boxes(gap, middle, middle);
    for (int piece = gaps_->begin(gap); piece < gaps_->end(gap); ++piece) {
      if (closed_[piece] != 0) continue;
      if (attains_[piece] == 0) continue;  // values_ is its lower bound
      const Interval at_middle = gaps_->enclosure_of(piece, box_.data(), time_);
      decidable |= !(values_[piece] < at_middle.hi - at_middle.lo);
      values_[piece] = std::fmax(enclosures_[piece].lo, at_middle.lo - values_[piece]);
    }
    proved_ = gaps_->fold(gap, [&](int k) { return closed_[k] == 0 ? values_[k] : infinity; }) > 0;
    if (proved_) return {};
    if (decidable) return halves();
  }
  if (is_inexact(gap)) {
    if (refine(gap, from, to)) {
      const PathModel* const whole = model_;
      model_ = &refined_[refinements_++];
      const std::optional<double> s = search(gap, from, to, depth + 1);
      --refinements_;
      model_ = whole;
      return s;
    }
    if (to - from > model_->length / 4) return halves();  // the error falls with the third power of the length
  }
  return root(gap, from, to, false);
}

// Is the error of the model more than round-off?
bool FirstEvent::is_inexact(int gap) const {
  bool inexact = false;
  for (const int i : coordinates_[gap]) inexact |= model_->error[i] > round_off * std::abs(model_->q0[i]);
  return inexact;
}

// The parabola through the ends and the middle of the part, with its error measured at the quarters: for a part of
// third degree, k u(u − ½)(u − 1), 3k/64 there, and at most k/2 in the slope; with a margin of a half, error = 8 of it.
bool FirstEvent::refine(int gap, double from, double to) {
  if (refinements_ == static_cast<int>(refined_.size())) {
    PathModel& fresh = refined_.emplace_back();
    for (auto* x : {&fresh.q0, &fresh.w0, &fresh.a, &fresh.error}) x->assign(n_, 0.0);
  }
  PathModel& part = refined_[refinements_];
  const double r = to - from;
  part.t0 = model_->t0;
  part.start = from;
  part.length = r;
  path_->position(to, at_end_.data());
  path_->position(from, part.q0.data());
  path_->position(from + r / 2, q_.data());
  for (int i = 0; i < n_; ++i) {
    const double whole = at_end_[i] - part.q0[i], half = q_[i] - part.q0[i];
    part.a[i] = 2 * (whole - 2 * half) / (r * r);
    part.w0[i] = (4 * half - whole) / r;
    part.error[i] = 0;
  }
  for (const double u : {0.25, 0.75}) {
    path_->position(from + u * r, q_.data());
    for (int i = 0; i < n_; ++i)
      part.error[i] =
          std::fmax(part.error[i], 8 * std::abs(q_[i] - (part.q0[i] + u * r * (part.w0[i] + u * r * part.a[i]))));
  }
  evaluations_ += 5;
  // Is the gap known better by it? Not each coordinate: some are at their round-off already, where no model is better.
  double before = 0, now = 0;
  for (int piece = gaps_->begin(gap); piece < gaps_->end(gap); ++piece) {
    if (closed_[piece] != 0 || attains_[piece] == 0) continue;
    double g_t = 0, of_model = 0, of_part = 0;
    gaps_->gradient(piece, part.q0.data(), part.t0 + from, normal_.data(), g_t);
    for (const int i : coordinates_[gap]) {
      of_model += std::abs(normal_[i]) * model_->error[i];
      of_part += std::abs(normal_[i]) * part.error[i];
    }
    before = std::fmax(before, of_model), now = std::fmax(now, of_part);
  }
  return now <= before / 2;
}

double FirstEvent::gap_at(int gap, const double* q, double s) {
  gaps_->values_of(gap, q, model_->t0 + s, values_.data() + gaps_->begin(gap));
  return gaps_->fold(gap, [&](int k) { return closed_[k] == 0 ? values_[k] : infinity; });
}

// In the part of the last enclosures: what never attains G may have any value of its enclosure.
double FirstEvent::gap_in_part(int gap, const double* q, double s) {
  if (only_ >= 0) return gaps_->value_of(only_, q, model_->t0 + s);
  return gaps_->fold(gap, [&](int k) {
    return closed_[k] != 0 ? infinity : attains_[k] != 0 ? gaps_->value_of(k, q, model_->t0 + s) : enclosures_[k].lo;
  });
}

// ρ_g of a piece on this path, found when it is first asked for.
double FirstEvent::round_off_of(int gap, int piece) {
  const PathModel& m = *path_model_;
  if (rho_[piece] < 0) {
    for (const int i : coordinates_[gap])
      reach_[i] = std::abs(m.q0[i]) + m.length * (std::abs(m.w0[i]) + m.length * std::abs(m.a[i]));
    rho_[piece] = gaps_->round_off(piece, m.q0.data(), m.t0, reach_.data());
  }
  return rho_[piece];
}

// Is the gap with these values of its pieces no deeper than round-off? Each piece has its own: they need not have one
// unit, and the round-off of one face may be more than the other is deep.
template <class F>
bool FirstEvent::is_above_round_off(int gap, double level, const F& value) {
  return gaps_->fold(gap, [&](int k) {
    if (closed_[k] != 0) return infinity;
    return attains_[k] == 0 ? value(k) : value(k) + round_off_of(gap, k);
  }) >= level;
}

std::optional<double> FirstEvent::root(int gap, double from, double to, bool falling, bool enclosed) {
  const double part_from = from, part_to = to;
  enclosed = enclosed && !is_inexact(gap);
  const auto value = [&](double s, const double* q) {
    return enclosed && s >= part_from && s <= part_to ? gap_in_part(gap, q, s) : gap_at(gap, q, s);
  };
  // A start inside by round-off is the boundary of this path.
  const double start = value(0, path_model_->q0.data()), level = std::fmin(0, start);
  const auto height = [&](double s) {
    if (s == 0) return start - level;
    ++evaluations_;
    path_->position(s, q_.data());
    return value(s, q_.data()) - level;
  };
  double at_to = height(to);
  const auto at_end = [&](int piece) { return gaps_->value_of(piece, q_.data(), model_->t0 + to); };
  if (at_to >= 0 || (!falling && is_above_round_off(gap, level, at_end))) return {};
  double at_from = height(from);
  for (double way = to - from; at_from < 0 && from > 0; way *= 2) {  // the true path is a little earlier than its model
    from = std::fmax(0, from - way);
    at_from = height(from);
  }
  if (at_from <= 0 && !falling) {  // on the boundary: does the path leave it first?
    double outside = to;
    for (int k = 0; k < max_depth && at_from <= 0; ++k) {
      const double s = from + (outside - from) / 2, at = height(s);
      if (at > 0)
        from = s, at_from = at;
      else
        outside = s, to = s, at_to = at;
    }
  }
  if (at_from <= 0 || at_to >= 0) return from;  // the path enters from a point on the boundary
  double last = from;
  find_root(
      [&](double s) {
        const double g = height(s);
        if (g >= 0) last = std::fmax(last, s);
        return g;
      },
      from, to, at_from, at_to);
  return last;
}

}  // namespace ricochet
