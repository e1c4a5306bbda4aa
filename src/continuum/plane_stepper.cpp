#include "ricochet/continuum/plane_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "bodies_stepper.hpp"
#include "ricochet/continuum/plane_avi.hpp"
#include "ricochet/continuum/plane_verlet.hpp"

namespace ricochet::continuum {

namespace {

// Bodies, contacts and the step, which depends on both.
struct Assembly {
  Solid solid;
  PlaneContacts contacts;
  explicit Assembly(const Model& model) : solid(model), contacts(solid, model) {
    contacts.refuse_overlap(solid.u.data());
    solid.stable = stable_step(solid, contacts.spring_frequency());
    solid.step = choose_step(solid, model, solid.stable);
  }
};

Encounters encounters(const Assembly& all) {
  const Solid& solid = all.solid;
  Encounters who;
  who.dimension = 2;
  who.mass = solid.mass;
  who.start = solid.v;
  std::vector<double> transit;
  for (const SolidPart& part : solid.parts) {
    who.chains.push_back({part.first_node, part.last_node - 1});
    double longest = 0;
    const double c = std::sqrt((lambda_of(part.law) + 2 * mu_of(part.law)) / part.rho);
    for (std::size_t e = part.first_cell; e < part.last_cell; ++e)
      longest = std::fmax(longest, std::sqrt(2 * solid.shapes[e].area) / c);
    transit.push_back(longest);
  }
  for (const PlanePair& pair : all.contacts.pairs()) {
    const double a = pair.a.body < 0 ? 0 : transit[pair.a.body], b = pair.b.body < 0 ? 0 : transit[pair.b.body];
    who.meetings.push_back({pair.name, pair.a.body, pair.b.body, 2 * std::fmax(a, b)});
  }
  return who;
}

class PlaneStepper : public BodiesStepper<Assembly> {
 public:
  explicit PlaneStepper(const Model& model) : BodiesStepper(model) {
    Assembly& all = bodies_;
    if (model.scheme == Scheme::verlet)
      integrator_ = std::make_unique<PlaneVerlet>(all.solid, all.contacts, model.plane->threads);
    else
      integrator_ = std::make_unique<PlaneAvi>(all.solid, all.contacts, model.plane->threads);
    step_ = all.solid.step;
    if (model.scheme == Scheme::verlet) stable_ = all.solid.stable;
    labels_.momenta = plane_momenta;
    labels_.scalars = plane_scalar_names();
    std::vector<std::int64_t> nodes{0}, cells{0};
    for (const SolidPart& part : all.solid.parts) {
      labels_.bodies.push_back(part.name);
      nodes.push_back(static_cast<std::int64_t>(part.last_node));
      cells.push_back(static_cast<std::int64_t>(part.last_cell));
    }
    labels_.fields = {{"x", nodes, 2}, {"v", nodes, 2}, {"stress", cells, 3}};
    for (const Triangle& t : all.solid.triangles) labels_.triangles.insert(labels_.triangles.end(), t.begin(), t.end());
    for (const PlanePair& pair : all.contacts.pairs()) {
      labels_.contacts.push_back(pair.name);
      labels_.scalars.push_back("force." + pair.name);
      labels_.treatments.emplace_back(name(pair.treatment));
    }
  }

  void observe(Observables& out) override {
    const Solid& s = bodies_.solid;
    integrator_->bring_to(t_, u_);
    const std::vector<double>& v = integrator_->velocities();
    out.fields.resize(3);
    out.fields[0].resize(u_.size());
    for (std::size_t i = 0; i < u_.size(); ++i) out.fields[0][i] = s.X[i] + u_[i];
    out.fields[1] = v;
    out.fields[2].clear();
    for (const SolidPart& part : s.parts)
      for (std::size_t e = part.first_cell; e < part.last_cell; ++e) {
        const Eigen::Vector3d stress = true_stress(part.law, s.gradient(e, u_.data()));
        out.fields[2].insert(out.fields[2].end(), stress.begin(), stress.end());
      }
    const Energies e = integrator_->energies();
    const Balance& b = integrator_->balance();
    out.momenta.assign(3, 0.0);
    for (std::size_t i = 0; i < s.nodes(); ++i) {
      const double px = s.mass[i] * v[2 * i], py = s.mass[i] * v[2 * i + 1];
      out.momenta[0] += px;
      out.momenta[1] += py;
      out.momenta[2] += out.fields[0][2 * i] * py - out.fields[0][2 * i + 1] * px;
    }
    observe_numbers(out, e.total(),
                    {e.kinetic, e.elastic, e.gravity, b.contact, b.friction, b.moving, b.support.x, b.support.y,
                     b.support.angular, b.gravity.x, b.gravity.y, b.gravity.angular});
  }
};

}  // namespace

std::vector<std::string> plane_scalar_names() {
  return {"energy.kinetic",     "energy.elastic",     "energy.gravity",
          "work.contact",       "loss.friction",      "work.moving",
          "impulse.supports.x", "impulse.supports.y", "impulse.supports.angular",
          "impulse.gravity.x",  "impulse.gravity.y",  "impulse.gravity.angular"};
}

std::unique_ptr<Stepper> make_plane_stepper(const Model& model) { return std::make_unique<PlaneStepper>(model); }

double plane_step_of(const Model& model) { return Assembly(model).solid.step; }

}  // namespace ricochet::continuum
