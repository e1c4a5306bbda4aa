#include "ricochet/contact/first_event.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/numerics/find_root.hpp"

namespace ricochet {

using formula::Interval;
using formula::KinkTree;

namespace {

constexpr int max_depth = 40;          // halvings: a touch shorter than 1e-12 of the step is no event
constexpr int max_visits = 4000;       // of intervals: then the ends of each decide
constexpr double on_boundary = 1e-12;  // a root of a piece counts if the whole gap vanishes there
constexpr double lasting_range = 1e3;  // a gap that keeps within this many `touch` of zero is a lasting contact
constexpr int lasting_samples = 16;

void collect(const KinkTree& tree, std::vector<int>& pieces) {
  if (tree.kind == KinkTree::Kind::piece) pieces.push_back(tree.piece);
  for (const KinkTree& child : tree.children) collect(child, pieces);
}

}  // namespace

FirstEvent::FirstEvent(Gaps& gaps, int n, double touch)
    : gaps_(&gaps), n_(n), touch_(touch), q_(n), lasting_(gaps.count()), passed_(gaps.count()), box_(n), speed_(n) {
  leaves_.resize(gaps.count());
  for (int gap = 0; gap < gaps.count(); ++gap) collect(gaps.tree(gap), leaves_[gap]);
}

std::optional<Event> FirstEvent::find(const PathModel& model, Path& path) {
  model_ = &model;
  path_ = &path;
  evaluations_ = visits_ = 0;
  find_lasting();
  if (auto event = at_start(model)) return event;
  const std::optional<Event> lasting = search_lasting();
  const std::optional<Event> event = search(0, lasting ? lasting->s : model.length, 0);
  return event ? event : lasting;
}

void FirstEvent::evaluate_model(double s) {
  const PathModel& m = *model_;
  for (int i = 0; i < n_; ++i) q_[i] = m.q0[i] + s * (m.w0[i] + s * m.a[i]);
  gaps_->evaluate(q_.data(), m.t0 + s);
}

// The gap is a distance times its slope: a flat gap may be small far from its root.
double FirstEvent::lasting_limit(int gap) {
  if (leaves_[gap].size() > 1 || std::abs(gaps_->value(gap)) > lasting_range * touch_) return 0;
  double g_t = 0, sum = 0;
  gaps_->gradient(leaves_[gap][0], model_->q0.data(), model_->t0, q_.data(), g_t);
  for (const double x : q_) sum += x * x;
  return lasting_range * touch_ * std::fmin(1, std::sqrt(sum));
}

void FirstEvent::find_lasting() {
  for (const double part : {0.0, 0.5, 1.0}) {
    evaluate_model(part * model_->length);
    any_lasting_ = false;
    for (int gap = 0; gap < gaps_->count(); ++gap) {
      if (part == 0) lasting_[gap] = lasting_limit(gap);
      if (!(std::abs(gaps_->value(gap)) < lasting_[gap])) lasting_[gap] = 0;
      any_lasting_ |= lasting_[gap] > 0;
    }
    if (!any_lasting_) return;
  }
}

std::optional<Event> FirstEvent::search_lasting() {
  std::optional<Event> earliest;
  if (!any_lasting_) return earliest;
  const double part = model_->length / lasting_samples;
  for (int k = 1; k <= lasting_samples && !earliest; ++k) {
    evaluate_model(k * part);
    const std::size_t first_candidate = candidates_.size();
    for (int gap = 0; gap < gaps_->count(); ++gap)
      if (lasting_[gap] > 0 && !passed_[gap] && gaps_->value(gap) < -touch_)
        candidates_.emplace_back(gap, leaves_[gap][0]);
    for (std::size_t c = first_candidate; c < candidates_.size(); ++c) {
      const auto [gap, piece] = candidates_[c];
      const double from = (k - 1) * part, to = k * part, at_to = true_gap(piece, to);
      if (at_to >= -touch_) continue;
      const double at_from = true_gap(piece, from), level = at_from > 0 ? 0 : -touch_;
      if (at_from <= level && at_to > at_from) continue;  // leaving
      const double s = at_from <= level ? from
                                        : find_root([&, piece = piece](double x) { return true_gap(piece, x) - level; },
                                                    from, to, at_from - level, at_to - level)
                                              .x;
      if (!earliest || s < earliest->s) earliest = Event{s, gap, piece, evaluations_};
    }
    candidates_.resize(first_candidate);
  }
  return earliest;
}

// A closed gap that is being approached at s = 0 is an event there.
std::optional<Event> FirstEvent::at_start(const PathModel& model) {
  gaps_->evaluate(model.q0.data(), model.t0);
  for (int gap = 0; gap < gaps_->count(); ++gap) {
    if (gaps_->value(gap) > 0 || unseen(gap)) continue;
    blocking_.clear();
    const auto rate = [&](int piece) {
      double g_t = 0;
      gaps_->gradient(piece, model.q0.data(), model.t0, q_.data(), g_t);
      for (int i = 0; i < n_; ++i) g_t += q_[i] * model.w0[i];
      return g_t;
    };
    if (blocking_pieces(gaps_->tree(gap), *gaps_, 0.0, rate, blocking_)) return Event{0, gap, blocking_.front(), 0};
  }
  return {};
}

bool FirstEvent::place_boxes(double from, double to) {
  const PathModel& m = *model_;
  bool resolved = false;
  for (int i = 0; i < n_; ++i) {
    const double x0 = m.q0[i] + from * (m.w0[i] + from * m.a[i]), x1 = m.q0[i] + to * (m.w0[i] + to * m.a[i]);
    double low = std::fmin(x0, x1), high = std::fmax(x0, x1);
    const double turn = m.a[i] != 0 ? -m.w0[i] / (2 * m.a[i]) : -1;  // vertex of the parabola
    if (turn > from && turn < to) {
      const double x = m.q0[i] + turn * (m.w0[i] + turn * m.a[i]);
      low = std::fmin(low, x), high = std::fmax(high, x);
    }
    const double slack = m.error[i] + 4e-16 * std::fmax(std::abs(low), std::abs(high));
    box_[i] = {low - slack, high + slack};
    resolved |= high - low > slack;
    const double v0 = m.w0[i] + 2 * from * m.a[i], v1 = m.w0[i] + 2 * to * m.a[i];
    const double speed_slack = m.length > 0 ? 2 * m.error[i] / m.length : 0;
    speed_[i] = {std::fmin(v0, v1) - speed_slack, std::fmax(v0, v1) + speed_slack};
  }
  time_ = {m.t0 + from, m.t0 + to};
  return resolved;
}

// g(s) lies in g(middle) + slope·(s − middle): sharper than the enclosure for bodies that move side by side. Where the
// error of the model at one instant is as wide as what the motion adds, halving decides nothing more.
FirstEvent::Closer FirstEvent::look_closer(int piece, Interval slope, double from, double to) {
  const double middle = (from + to) / 2;
  place_boxes(middle, middle);
  gaps_->enclose(box_.data(), time_);
  const Interval at_middle = gaps_->piece_enclosure(piece);
  place_boxes(from, to);
  gaps_->enclose(box_.data(), time_);
  const double way = (to - from) / 2 * std::fmax(std::abs(slope.lo), std::abs(slope.hi));
  return at_middle.lo > way ? Closer::open : way < at_middle.hi - at_middle.lo ? Closer::undecidable : Closer::halve;
}

std::optional<Event> FirstEvent::search(double from, double to, int depth) {
  const bool leaf = !place_boxes(from, to) || depth == max_depth || ++visits_ > max_visits;
  gaps_->enclose(box_.data(), time_);
  bool decided = true;
  const std::size_t first_candidate = candidates_.size();
  for (int gap = 0; gap < gaps_->count() && decided; ++gap) {
    if (unseen(gap) || gaps_->lower_bound(gap) > 0) continue;
    for (const int piece : leaves_[gap]) {
      const Interval value = gaps_->piece_enclosure(piece);
      if (value.lo > 0 || (value.hi < 0 && leaves_[gap].size() > 1)) continue;  // no root of this piece here
      const Interval slope = gaps_->slope(piece, box_.data(), time_, speed_.data());
      if (slope.lo > 0) continue;  // leaving
      const Closer closer = depth > 1 && !leaf ? look_closer(piece, slope, from, to) : Closer::halve;
      if (closer == Closer::open) continue;
      decided = slope.hi < 0 || leaf || closer == Closer::undecidable;
      if (!decided) break;
      candidates_.emplace_back(gap, piece);
    }
  }
  if (decided) {
    std::optional<Event> earliest;
    for (std::size_t k = first_candidate; k < candidates_.size(); ++k)
      if (const auto event = root(candidates_[k].first, candidates_[k].second, from, to))
        if (!earliest || event->s < earliest->s) earliest = event;
    candidates_.resize(first_candidate);
    return earliest;
  }
  candidates_.resize(first_candidate);
  const double middle = (from + to) / 2;
  if (auto event = search(from, middle, depth + 1)) return event;
  return search(middle, to, depth + 1);
}

double FirstEvent::true_gap(int piece, double s) {
  ++evaluations_;
  path_->position(s, q_.data());
  gaps_->evaluate(q_.data(), model_->t0 + s);
  return gaps_->piece(piece);
}

std::optional<Event> FirstEvent::root(int gap, int piece, double from, double to) {
  const double at_from = true_gap(piece, from);
  double at_to = true_gap(piece, to);
  if (at_from > 0 && at_to > 0 && to < model_->length && model_->error[0] > 0) {
    // the model saw a root that the true path has a little later
    to = std::fmin(model_->length, to + (to - from));
    at_to = true_gap(piece, to);
  }
  if (at_to > (at_from > 0 ? 0 : -on_boundary)) return {};
  const Root r = at_from <= 0 ? Root{from, at_from}
                              : find_root([&](double s) { return true_gap(piece, s); }, from, to, at_from, at_to);
  true_gap(piece, r.x);
  if (gaps_->value(gap) > on_boundary) return {};  // elsewhere in a union the way is open
  return Event{r.x, gap, piece, evaluations_};
}

}  // namespace ricochet
