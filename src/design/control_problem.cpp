#include "ricochet/design/control_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/error.hpp"
#include "ricochet/formula/differentiate.hpp"
#include "ricochet/formula/kinks.hpp"
#include "ricochet/formula/program.hpp"

namespace ricochet {

namespace {

bool has_maximum(const formula::KinkTree& tree) {
  return tree.kind == formula::KinkTree::Kind::maximum ||
         std::any_of(tree.children.begin(), tree.children.end(), has_maximum);
}

void check_law(const ControlProblem& problem, const Contact& contact) {
  const std::string key = "system.contact." + contact.name;
  if (contact.law == "coulomb")
    throw ModelError(key + ".law",
                     "an impact with friction is a sequence of stick and slip: its impulse has no derivative where one "
                     "turns into the other, so it cannot be a condition of an optimal control problem; write newton");
  const bool rubs = contact.friction && formula::fixed_value(contact.friction) != 0;
  if (contact.law == "plastic" && rubs && (!contact.point.empty() || !contact.tangent.empty()))
    throw ModelError(key + ".friction",
                     "a plastic contact of an optimal control problem has no friction; write "
                     "friction = 0");
  if (contact.law == "newton" && !is_fixed(contact.restitution) && !contact.point.empty())
    throw ModelError(
        key + ".restitution",
        "a restitution of the speed at a `point` is not available in optimal control: leave point out, with "
        "a gap that is a length, or give a number");
  if (formula::split_kinks(contact.gap).pieces.size() > 1)
    for (int c = 0; c < static_cast<int>(problem.model.contacts.size()); ++c)
      if (&problem.model.contacts[c] == &contact &&
          (problem.search || std::count(problem.impacts.begin(), problem.impacts.end(), c) > 0))
        throw ModelError(key + ".gap", fmt::format("the gap of {} has kinks: which of its pieces is struck is not "
                                                   "said; write each piece as a contact of its own",
                                                   contact.name));
}

}  // namespace

void check_controllable(const ControlProblem& problem) {
  const Model& model = problem.model;
  const std::string& method = problem.integrator.method;
  if (method != "variational-collision" && method != "variational")
    throw ModelError("integrator.method", fmt::format("optimal control has the equations of variational-collision and "
                                                      "variational as its conditions, not those of {}",
                                                      method));
  if (problem.integrator.backward) throw ModelError("run.direction", "optimal control runs forward in time");
  if (!model.nonholonomic.empty())
    throw ModelError("system.nonholonomic", "optimal control has no constraints on velocities");
  const auto energy = problem.integrator.parameters.find("impact_energy");
  const bool continuous =
      energy != problem.integrator.parameters.end() && std::get<std::string>(energy->second) == "continuous";
  for (const Contact& contact : model.contacts) {
    if (contact.law == "elastic" && !continuous)
      throw ModelError("integrator.impact_energy",
                       fmt::format("the contact {} is elastic, and optimal control reflects the momentum; write "
                                   "impact_energy = \"continuous\"",
                                   contact.name));
    if (has_maximum(formula::split_kinks(contact.gap).tree))
      throw ModelError("system.contact." + contact.name + ".gap",
                       "a gap with a maximum (a re-entrant corner) is no smooth condition");
    check_law(problem, contact);
  }
  const std::vector<Expr> momentum = formula::gradient(model.lagrangian, model.v());
  for (std::size_t j = 0; j < problem.controls.size(); ++j) {
    const Expr u = problem.controls[j];
    for (const Expr& p : momentum)
      if (depends_on(p, u))
        throw ModelError(
            "system.lagrangian",
            fmt::format("the momentum depends on the control {}, which jumps from interval to interval; use "
                        "controls in forces or in the potential",
                        problem.control_names[j]));
    for (const Contact& contact : model.contacts)
      if (depends_on(contact.gap, u) || (contact.restitution && depends_on(contact.restitution, u)))
        throw ModelError("system.contact." + contact.name + ".gap", "a contact cannot depend on a control");
    for (const Constraint& f : model.holonomic)
      if (depends_on(f.equation, u))
        throw ModelError("system.holonomic." + f.name, "a constraint depends on a control");
  }
  for (const Expr& p : momentum)
    for (const Expr& entry : formula::gradient(p, model.v()))
      for (const Expr& v : model.v())
        if (depends_on(entry, v))
          throw ModelError("system.lagrangian",
                           "optimal control needs a Lagrangian that is quadratic in the velocities");
}

}  // namespace ricochet
