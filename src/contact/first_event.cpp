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

void collect(const KinkTree& tree, std::vector<int>& pieces) {
  if (tree.kind == KinkTree::Kind::piece) pieces.push_back(tree.piece);
  for (const KinkTree& child : tree.children) collect(child, pieces);
}

}  // namespace

FirstEvent::FirstEvent(Gaps& gaps, int n) : gaps_(&gaps), n_(n), q_(n), box_(n), speed_(n) {
  leaves_.resize(gaps.count());
  for (int gap = 0; gap < gaps.count(); ++gap) collect(gaps.tree(gap), leaves_[gap]);
}

std::optional<Event> FirstEvent::find(const PathModel& model, Path& path) {
  model_ = &model;
  path_ = &path;
  evaluations_ = visits_ = 0;
  if (auto event = at_start(model)) return event;
  return search(0, model.length, 0);
}

// A closed gap that is being approached at s = 0 is an event there.
std::optional<Event> FirstEvent::at_start(const PathModel& model) {
  gaps_->evaluate(model.q0.data(), model.t0);
  for (int gap = 0; gap < gaps_->count(); ++gap) {
    if (gaps_->value(gap) > 0) continue;
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

std::optional<Event> FirstEvent::search(double from, double to, int depth) {
  const bool leaf = !place_boxes(from, to) || depth == max_depth || ++visits_ > max_visits;
  gaps_->enclose(box_.data(), time_);
  bool decided = true;
  const std::size_t first_candidate = candidates_.size();
  for (int gap = 0; gap < gaps_->count() && decided; ++gap) {
    if (gaps_->lower_bound(gap) > 0) continue;
    for (const int piece : leaves_[gap]) {
      const Interval value = gaps_->piece_enclosure(piece);
      if (value.lo > 0 || value.hi < 0) continue;  // no root of this piece here
      const Interval slope = gaps_->slope(piece, box_.data(), time_, speed_.data());
      if (slope.lo > 0) continue;  // leaving
      decided = slope.hi < 0 || leaf;
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
  if (at_to > 0) return {};
  const Root r = at_from <= 0 ? Root{from, at_from}
                              : find_root([&](double s) { return true_gap(piece, s); }, from, to, at_from, at_to);
  true_gap(piece, r.x);
  if (gaps_->value(gap) > on_boundary) return {};  // elsewhere in a union the way is open
  return Event{r.x, gap, piece, evaluations_};
}

}  // namespace ricochet
