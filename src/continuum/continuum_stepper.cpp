#include "ricochet/continuum/continuum_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/continuum/avi.hpp"
#include "ricochet/continuum/episodes.hpp"
#include "ricochet/continuum/plane_stepper.hpp"
#include "ricochet/continuum/probe.hpp"
#include "ricochet/continuum/verlet.hpp"

namespace ricochet::continuum {

namespace {

class ContinuumStepper : public Stepper {
 public:
  explicit ContinuumStepper(const Model& model)
      : bar_(model), episodes_(encounters(bar_)), probes_(bar_, model.probes), t_(model.start) {
    if (model.scheme == Scheme::verlet)
      integrator_ = std::make_unique<Verlet>(bar_);
    else
      integrator_ = std::make_unique<Avi>(bar_);
    labels_.momenta = momentum_names(model);
    labels_.scalars = scalar_names(model);
    std::vector<std::int64_t> nodes{0}, cells{0};
    for (const Part& part : bar_.parts) {
      labels_.bodies.push_back(part.name);
      nodes.push_back(nodes.back() + static_cast<std::int64_t>(part.cells) + 1);
      cells.push_back(cells.back() + static_cast<std::int64_t>(part.cells));
    }
    labels_.fields = {{"x", nodes}, {"v", nodes}, {"stress", cells}};
    for (const Touch& touch : bar_.touches) {
      labels_.contacts.push_back(touch.name);
      labels_.treatments.emplace_back(name(touch.treatment));
    }
  }

  const Labels& labels() const override { return labels_; }

  void advance(double t0, double h) override {
    episodes_.before_step(*integrator_);
    integrator_->advance(t0, h);
    t_ = t0 + h;
    episodes_.after_step(*integrator_, std::llround((t0 - bar_.start) / bar_.step), t0, h);
    probes_.look(t_, *integrator_);
  }

  std::span<const Impact> impacts() const override { return {}; }
  std::span<const Episode> episodes() const override { return episodes_.ended(); }
  std::vector<Episode> open_episodes() override { return episodes_.still_open(*integrator_); }
  std::vector<ProbeReport> probes() const override { return probes_.report(); }
  std::vector<ProbeReport> contact_reports() const override { return episodes_.report(*integrator_); }

  Extremes extremes() override {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < bar_.touches.size(); ++k) smallest = std::fmin(smallest, integrator_->gap(k));
    return {smallest, -1, -1};
  }

  void observe(Observables& out) override {
    integrator_->bring_to(t_, u_);
    const std::vector<double>& v = integrator_->velocities();
    out.t = t_;
    out.fields.resize(3);
    for (auto& field : out.fields) field.clear();
    for (const Part& part : bar_.parts) {
      for (std::size_t i = part.first; i <= part.last(); ++i) {
        out.fields[0].push_back(bar_.X[i] + u_[i]);
        out.fields[1].push_back(v[i]);
      }
      std::visit(
          [&](const auto& law) {
            for (std::size_t c = part.first; c < part.last(); ++c)
              out.fields[2].push_back(law.stress((u_[c + 1] - u_[c]) * bar_.inverse_dx[c]));
          },
          part.law);
    }
    const Energies e = integrator_->energies();
    const Balance& b = integrator_->balance();
    out.energy = e.total();
    double momentum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) momentum += bar_.mass[i] * v[i];
    out.momenta.assign(1, momentum);
    out.gaps.resize(bar_.touches.size());
    for (std::size_t k = 0; k < bar_.touches.size(); ++k) out.gaps[k] = integrator_->gap(k);
    out.scalars.assign({e.kinetic, e.elastic, e.gravity, b.contact, b.moving, b.viscosity, b.support.x, b.gravity.x});
    for (const ContactForce& f : integrator_->contacts()) out.scalars.push_back(f.force);
  }

  std::vector<Counter> counters() const override { return {{updates_counter, integrator_->updates()}}; }

  std::vector<double> save() const override {
    std::vector<double> out{t_};
    out.reserve(4 * bar_.nodes() + 64);
    integrator_->save(out);
    episodes_.save(out);
    probes_.save(out);
    return out;
  }

  void load(std::span<const double> saved) override {
    double t[1];
    take(saved, t);
    integrator_->load(saved);
    episodes_.load(saved);
    probes_.load(saved);
    t_ = t[0];
  }

 private:
  const Bar bar_;
  std::unique_ptr<Integrator> integrator_;
  Episodes episodes_;
  Probes probes_;
  double t_;
  Labels labels_;
  std::vector<double> u_;
};

}  // namespace

std::vector<std::string> momentum_names(const Model& model) {
  return model.plane ? plane_momenta : std::vector<std::string>{plane_momenta.front()};
}

std::vector<std::string> scalar_names(const Model& model) {
  std::vector<std::string> names =
      model.plane ? plane_scalar_names()
                  : std::vector<std::string>{"energy.kinetic", "energy.elastic", "energy.gravity",   "work.contact",
                                             "work.moving",    "loss.viscosity", "impulse.supports", "impulse.gravity"};
  for (const ContactPair& c : model.contacts) names.push_back("force." + c.a + "-" + c.b);
  return names;
}

std::unique_ptr<Stepper> make_stepper(const Model& model, std::vector<std::string>& warnings) {
  const double courant = courant_number(model);
  if (model.scheme == Scheme::avi && courant > 0.3)
    warnings.push_back(fmt::format(
        "continuum.courant = {}: above .3 the clocks of an asynchronous integrator may resonate and energy grow",
        courant));
  const auto has = [&](Treatment treatment) {
    return std::any_of(model.contacts.begin(), model.contacts.end(),
                       [=](const ContactPair& c) { return c.treatment == treatment; });
  };
  if (model.scheme == Scheme::verlet && has(Treatment::redistributed) && courant > 0.9)
    warnings.push_back(
        fmt::format("continuum.courant = {}: above .9 contact with ends without mass gains energy", courant));
  if (model.scheme == Scheme::verlet && has(Treatment::penalty) && courant > 0.5)
    warnings.push_back(
        fmt::format("continuum.courant = {}: above .5 a stiff penalty contact gains energy as it rattles", courant));
  if (model.plane) return make_plane_stepper(model);
  return std::make_unique<ContinuumStepper>(model);
}

double step_of(const Model& model) { return model.plane ? plane_step_of(model) : Bar(model).step; }

}  // namespace ricochet::continuum
