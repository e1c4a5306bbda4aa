#include "ricochet/continuum/continuum_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bodies_stepper.hpp"
#include "ricochet/continuum/avi.hpp"
#include "ricochet/continuum/plane_stepper.hpp"
#include "ricochet/continuum/probe.hpp"
#include "ricochet/continuum/verlet.hpp"

namespace ricochet::continuum {

namespace {

class ContinuumStepper : public BodiesStepper<Bar> {
 public:
  explicit ContinuumStepper(const Model& model) : BodiesStepper(model), probes_(bodies_, model.probes) {
    if (model.scheme == Scheme::verlet)
      integrator_ = std::make_unique<Verlet>(bodies_);
    else
      integrator_ = std::make_unique<Avi>(bodies_);
    step_ = bodies_.step;
    if (model.scheme == Scheme::verlet) stable_ = bodies_.stable;
    labels_.momenta = momentum_names(model);
    labels_.scalars = scalar_names(model);
    std::vector<std::int64_t> nodes{0}, cells{0};
    for (const Part& part : bodies_.parts) {
      labels_.bodies.push_back(part.name);
      nodes.push_back(nodes.back() + static_cast<std::int64_t>(part.cells) + 1);
      cells.push_back(cells.back() + static_cast<std::int64_t>(part.cells));
    }
    labels_.fields = {{"x", nodes}, {"v", nodes}, {"stress", cells}};
    for (const Touch& touch : bodies_.touches) {
      labels_.contacts.push_back(touch.name);
      labels_.treatments.emplace_back(name(touch.treatment));
    }
  }

  void advance(double t0, double h) override {
    BodiesStepper::advance(t0, h);
    probes_.look(t_, *integrator_);
  }

  std::vector<ProbeReport> probes() const override { return probes_.report(); }

  void observe(Observables& out) override {
    integrator_->bring_to(t_, u_);
    const std::vector<double>& v = integrator_->velocities();
    out.fields.resize(3);
    for (auto& field : out.fields) field.clear();
    for (const Part& part : bodies_.parts) {
      for (std::size_t i = part.first; i <= part.last(); ++i) {
        out.fields[0].push_back(bodies_.X[i] + u_[i]);
        out.fields[1].push_back(v[i]);
      }
      std::visit(
          [&](const auto& law) {
            for (std::size_t c = part.first; c < part.last(); ++c)
              out.fields[2].push_back(law.stress((u_[c + 1] - u_[c]) * bodies_.inverse_dx[c]));
          },
          part.law);
    }
    const Energies e = integrator_->energies();
    const Balance& b = integrator_->balance();
    double momentum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) momentum += bodies_.mass[i] * v[i];
    out.momenta.assign(1, momentum);
    observe_numbers(out, e.total(),
                    {e.kinetic, e.elastic, e.gravity, b.contact, b.moving, b.viscosity, b.support.x, b.gravity.x});
  }

  std::vector<double> save() const override {
    std::vector<double> out = BodiesStepper::save();
    probes_.save(out);
    return out;
  }

  void load(std::span<const double> saved) override {
    take_from(saved);
    probes_.load(saved);
  }

 private:
  Probes probes_;
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
