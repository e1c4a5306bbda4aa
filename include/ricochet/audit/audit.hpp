#pragma once
// All measurements of one method on one scenario. Each is a file of its own; here they are put together, and a failure
// of one is a sentence and does not stop the others.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/audit/cost.hpp"
#include "ricochet/audit/energy.hpp"
#include "ricochet/audit/impact_times.hpp"
#include "ricochet/audit/momentum.hpp"
#include "ricochet/audit/order.hpp"
#include "ricochet/audit/penetration.hpp"
#include "ricochet/audit/reversibility.hpp"
#include "ricochet/audit/symplecticity.hpp"

namespace ricochet {

struct Audit {
  std::string label;    // the method as it was asked for
  std::string refused;  // why this method cannot do the scenario; the rest is then empty
  std::string method, discretization;
  double step = 0;
  std::string truth, truth_note;
  std::optional<Horizon> horizon;
  OrderMeasurement order;
  std::optional<EnergyMeasurement> energy;
  std::vector<MomentumMeasurement> momenta;
  SymplecticityMeasurement symplecticity;
  PenetrationMeasurement penetration;
  ReversibilityMeasurement reversibility;
  ImpactTimesMeasurement impact_times;
  std::optional<CostMeasurement> cost;
  std::vector<std::string> warnings, failures;
};

// Steps of the long measurements: energy and momenta; symplecticity; penetration.
struct AuditLengths {
  std::int64_t run = 10000, derivatives = 2000, penetration = 1000;
};

// progress: the name of the measurement that begins.
Audit audit(const Subject& subject, const std::string& label,
            const std::function<void(const std::string&)>& progress = {}, const AuditLengths& lengths = {});

// The method as a scenario's options would be typed: "variational-collision:galerkin,degree=3".
std::string spec_of(const IntegratorOptions& options);

}  // namespace ricochet
