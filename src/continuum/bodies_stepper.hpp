#pragma once
// What bodies on a line and in the plane have in common as a Stepper: an integrator that advances them, the episodes of
// their contacts, what is saved. Their fields and scalars are said by those who derive from it.

#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <vector>

#include "ricochet/continuum/episodes.hpp"
#include "ricochet/continuum/integrator.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet::continuum {

// Bodies: what can be made of a model and has encounters().
template <class Bodies>
class BodiesStepper : public Stepper {
 public:
  explicit BodiesStepper(const Model& model)
      : bodies_(model), episodes_(encounters(bodies_)), t_(model.start), start_(model.start) {}

  const Labels& labels() const override { return labels_; }

  void advance(double t0, double h) override {
    episodes_.before_step(*integrator_);
    integrator_->advance(t0, h);
    t_ = t0 + h;
    episodes_.after_step(*integrator_, std::llround((t0 - start_) / step_), t0, h);
  }

  std::span<const Impact> impacts() const override { return {}; }
  std::span<const Episode> episodes() const override { return episodes_.ended(); }
  std::vector<Episode> open_episodes() override { return episodes_.still_open(*integrator_); }
  std::vector<ProbeReport> contact_reports() const override { return episodes_.report(*integrator_); }
  std::vector<Counter> counters() const override { return {{updates_counter, integrator_->updates()}}; }

  double stable_step() const override { return stable_; }

  Extremes extremes() override {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < labels_.contacts.size(); ++k) smallest = std::fmin(smallest, integrator_->gap(k));
    return {smallest, -1, -1};
  }

  std::vector<double> save() const override {
    std::vector<double> out{t_};
    integrator_->save(out);
    episodes_.save(out);
    return out;
  }

  void load(std::span<const double> saved) override { take_from(saved); }

 protected:
  // All but fields and momenta; `scalars` come before the forces of the contacts.
  void observe_numbers(Observables& out, double energy, std::initializer_list<double> scalars) const {
    out.t = t_;
    out.energy = energy;
    out.gaps.resize(labels_.contacts.size());
    for (std::size_t k = 0; k < out.gaps.size(); ++k) out.gaps[k] = integrator_->gap(k);
    out.scalars.assign(scalars);
    for (const ContactForce& f : integrator_->contacts()) out.scalars.push_back(f.force);
  }

  void take_from(std::span<const double>& saved) {
    double t[1];
    take(saved, t);
    integrator_->load(saved);
    episodes_.load(saved);
    t_ = t[0];
  }

  Bodies bodies_;
  std::unique_ptr<Integrator> integrator_;
  Episodes episodes_;
  double t_, start_, step_ = 0, stable_ = 0;  // the nominal step, and that up to which Verlet is stable
  Labels labels_;
  std::vector<double> u_;
};

}  // namespace ricochet::continuum
