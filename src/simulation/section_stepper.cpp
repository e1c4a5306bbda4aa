#include "ricochet/simulation/section_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/formula/program.hpp"
#include "ricochet/numerics/find_root.hpp"

namespace ricochet {

namespace {

// Formulas of a state.
class Values {
 public:
  Values(const Model& model, const std::vector<Expr>& formulas)
      : program_(std::make_unique<formula::Program>(formulas, arguments(model))), run_(*program_) {}

  void evaluate(const std::vector<double>& q, const std::vector<double>& v, double t) {
    std::copy(q.begin(), q.end(), run_.inputs());
    std::copy(v.begin(), v.end(), run_.inputs() + q.size());
    run_.inputs()[q.size() + v.size()] = t;
    run_.run();
  }
  double operator[](std::size_t k) const { return run_.output(k); }

 private:
  static std::vector<Expr> arguments(const Model& model) {
    std::vector<Expr> qvt = model.q();
    for (const Expr& v : model.v()) qvt.push_back(v);
    qvt.push_back(model.graph->time());
    return qvt;
  }
  std::unique_ptr<formula::Program> program_;
  formula::Evaluator<double> run_;
};

class SectionStepper : public Stepper {
 public:
  SectionStepper(std::unique_ptr<Stepper> inner, const Model& model, std::vector<Section> sections)
      : inner_(std::move(inner)), labels_(inner_->labels()) {
    for (Section& s : sections) {
      labels_.sections.push_back({s.name, !s.crosses, s.quantity_names});
      Values quantities(model, s.quantities), surface(model, {s.crosses ? s.crosses : model.graph->constant(0)});
      watched_.push_back({std::move(s), std::move(quantities), std::move(surface), 0});
    }
  }

  const Labels& labels() const override { return labels_; }

  void advance(double t0, double h) override {
    points_.clear();
    if (!known_) {
      observe_at(t0);
      for (Watched& w : watched_) w.start = height(w);
      known_ = true;
    }
    start_ = inner_->save();
    known_ = false;  // if what follows throws
    inner_->advance(t0, h);
    at_impacts();
    for (std::size_t k = 0; k < watched_.size(); ++k)
      if (watched_[k].section.crosses) passages(k, t0, h);
    std::stable_sort(points_.begin(), points_.end(),
                     [](const SectionPoint& a, const SectionPoint& b) { return a.t < b.t; });
    known_ = true;
  }

  std::span<const SectionPoint> section_points() const override { return points_; }
  void load(std::span<const double> saved) override {
    known_ = false;
    inner_->load(saved);
  }

  void stop_on(const std::atomic<bool>* stop) override { inner_->stop_on(stop); }
  std::span<const Impact> impacts() const override { return inner_->impacts(); }
  std::span<const Impact> changes() const override { return inner_->changes(); }
  Extremes extremes() override { return inner_->extremes(); }
  void observe(Observables& out) override { inner_->observe(out); }
  std::vector<Counter> counters() const override { return inner_->counters(); }
  std::vector<std::string> warnings() const override { return inner_->warnings(); }
  std::string diagnosis(double t0, double h) override { return inner_->diagnosis(t0, h); }
  std::vector<double> save() const override { return inner_->save(); }

 private:
  struct Watched {
    Section section;
    Values quantities, surface;
    double start;  // the formula at the start of the step
  };
  struct Piece {
    double from, to, at_from, at_to;  // times since the start of the step, and the formula there
  };

  void observe_at(double t) {
    inner_->observe(now_);
    now_.t = t;
  }

  double height(Watched& w) const {
    w.surface.evaluate(now_.q, now_.v, now_.t);
    return w.surface[0];
  }

  void record(std::size_t k, const std::vector<double>& q, const std::vector<double>& v, double t) {
    Watched& w = watched_[k];
    w.quantities.evaluate(q, v, t);
    SectionPoint& point = points_.emplace_back(SectionPoint{static_cast<std::int64_t>(k), t, {}});
    for (std::size_t j = 0; j < w.section.quantities.size(); ++j) point.values.push_back(w.quantities[j]);
  }

  void at_impacts() {
    for (const Impact& impact : inner_->impacts())
      for (std::size_t k = 0; k < watched_.size(); ++k) {
        const Section& s = watched_[k].section;
        const auto counts = [&](const ContactImpulse& c) {
          return c.lambda != 0 && (s.contacts.empty() || std::count(s.contacts.begin(), s.contacts.end(), c.contact));
        };
        if (!s.crosses && std::any_of(impact.contacts.begin(), impact.contacts.end(), counts))
          record(k, impact.q, s.after ? impact.v_after : impact.v_before, impact.time);
      }
  }

  // The state is that at the end of the step, before and after.
  void passages(std::size_t k, double t0, double h) {
    Watched& w = watched_[k];
    std::vector<Piece> crossed;
    Piece piece{0, 0, w.start, 0};
    const auto end_piece = [&](double t, const std::vector<double>& q, const std::vector<double>& v) {
      w.surface.evaluate(q, v, t);
      piece.to = t - t0, piece.at_to = w.surface[0];
      const bool up = piece.at_from < 0 && piece.at_to >= 0, down = piece.at_from > 0 && piece.at_to <= 0;
      if ((up && w.section.direction != Section::Direction::down) ||
          (down && w.section.direction != Section::Direction::up))
        crossed.push_back(piece);
    };
    for (const Impact& impact : inner_->impacts()) {
      end_piece(impact.time, impact.q, impact.v_before);
      w.surface.evaluate(impact.q, impact.v_after, impact.time);
      piece.from = piece.to, piece.at_from = w.surface[0];
    }
    observe_at(t0 + h);
    end_piece(now_.t, now_.q, now_.v);
    w.start = piece.at_to;
    for (const Piece& p : crossed) find(k, t0, p);
    if (crossed.empty()) return;
    inner_->load(start_);
    inner_->advance(t0, h);
  }

  void find(std::size_t k, double t0, const Piece& p) {
    double reached = -1;
    const auto go_to = [&](double length) {
      inner_->load(start_);
      if (length > 0) inner_->advance(t0, length);
      observe_at(t0 + length);
      reached = length;
      return height(watched_[k]);
    };
    const Root root = find_root(go_to, p.from, p.to, p.at_from, p.at_to);
    if (reached != root.x) go_to(root.x);
    record(k, now_.q, now_.v, now_.t);
  }

  std::unique_ptr<Stepper> inner_;
  Labels labels_;
  std::vector<Watched> watched_;
  std::vector<SectionPoint> points_;
  std::vector<double> start_;  // the state before the step
  bool known_ = false;         // whether `start` of each section belongs to the present state
  Observables now_;
};

}  // namespace

std::unique_ptr<Stepper> with_sections(std::unique_ptr<Stepper> inner, const Model& model,
                                       std::vector<Section> sections) {
  if (sections.empty()) return inner;
  return std::make_unique<SectionStepper>(std::move(inner), model, std::move(sections));
}

}  // namespace ricochet
