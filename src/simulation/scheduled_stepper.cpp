#include "ricochet/simulation/scheduled_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

namespace {

// Programs hold the values of parameters as constants, so other controls are another system, with the state carried
// over. Compiling is cheap beside what found the controls: their formulas and derivatives are in the graph already.
class ScheduledStepper : public Stepper {
 public:
  ScheduledStepper(Model model, IntegratorOptions options, InitialState initial, Schedule schedule,
                   std::vector<std::string>& warnings)
      : model_(std::move(model)),
        options_(std::move(options)),
        initial_(std::move(initial)),
        schedule_(std::move(schedule)) {
    set_controls(0);
    inner_ = make_stepper(model_, options_, initial_, warnings);
    labels_ = inner_->labels();
    for (const auto& [name, values] : schedule_.controls) labels_.scalars.push_back(name);
    for (const auto& [name, values] : schedule_.series) labels_.scalars.push_back(name);
  }

  const Labels& labels() const override { return labels_; }

  void advance(double t0, double h) override {
    const std::size_t k = nearest(t0);
    if (set_controls(k)) {
      const std::vector<double> state = inner_->save();
      inner_ = make_stepper(model_, options_, initial_);
      inner_->load(state);
      inner_->stop_on(stop_);
    }
    inner_->advance(t0, h);
  }

  void stop_on(const std::atomic<bool>* stop) override { inner_->stop_on(stop_ = stop); }
  std::span<const Impact> impacts() const override { return inner_->impacts(); }
  std::span<const Impact> changes() const override { return inner_->changes(); }
  Extremes extremes() override { return inner_->extremes(); }
  std::vector<Counter> counters() const override { return inner_->counters(); }
  std::vector<double> save() const override { return inner_->save(); }
  void load(std::span<const double> saved) override { inner_->load(saved); }

  void observe(Observables& out) override {
    inner_->observe(out);
    const std::size_t k = nearest(out.t), interval = std::min(k, schedule_.times.size() - 2);
    for (const auto& [name, values] : schedule_.controls) out.scalars.push_back(values[interval]);
    for (const auto& [name, values] : schedule_.series) out.scalars.push_back(values[k]);
  }

 private:
  std::size_t nearest(double t) const {
    const std::vector<double>& times = schedule_.times;
    const auto after = std::lower_bound(times.begin(), times.end(), t);
    if (after == times.begin()) return 0;
    if (after == times.end()) return times.size() - 1;
    return static_cast<std::size_t>(after - times.begin()) - (t - *(after - 1) < *after - t ? 1 : 0);
  }

  bool set_controls(std::size_t k) {
    bool changed = false;
    formula::Graph& graph = *model_.graph;
    for (const auto& [name, values] : schedule_.controls)
      for (std::size_t number = 0; number < graph.parameters().size(); ++number)
        if (graph.parameters()[number].name == name && graph.parameters()[number].value != values[k]) {
          graph.set_parameter(number, values[k]);
          changed = true;
        }
    return changed;
  }

  Model model_;
  IntegratorOptions options_;
  InitialState initial_;
  Schedule schedule_;
  std::unique_ptr<Stepper> inner_;
  const std::atomic<bool>* stop_ = nullptr;
  Labels labels_;
};

}  // namespace

std::unique_ptr<Stepper> make_scheduled_stepper(const Model& model, const IntegratorOptions& options,
                                                const InitialState& initial, const Schedule& schedule,
                                                std::vector<std::string>& warnings) {
  return std::make_unique<ScheduledStepper>(model, options, initial, schedule, warnings);
}

}  // namespace ricochet
