#include "ricochet/audit/audit.hpp"

#include <fmt/format.h>

#include "ricochet/error.hpp"

namespace ricochet {

Audit audit(const Subject& subject, const std::string& label, const std::function<void(const std::string&)>& progress,
            const AuditLengths& lengths) {
  Audit a;
  a.label = label;
  a.method = subject.options.method;
  a.discretization = subject.options.discretization;
  a.step = subject.options.step;
  a.warnings = subject.warnings;
  const auto measure = [&](const char* what, const auto& body) {
    if (progress) progress(what);
    try {
      body();
    } catch (const SolverError& error) {
      a.failures.push_back(fmt::format("{}: {}; {}", what, error.what(), error.advice));
    }
  };
  Truth truth;
  const std::int64_t steps = steps_of_run(subject, lengths.run);
  measure("horizon", [&] {
    const Outlook outlook = outlook_for(subject);
    truth = outlook.truth;
    a.horizon = outlook.horizon;
  });
  if (a.horizon) {
    a.truth = truth.source;
    a.truth_note = truth.note;
    measure("order", [&] { a.order = measure_order(subject, truth, *a.horizon); });
    measure("reversibility", [&] { a.reversibility = measure_reversibility(subject, *a.horizon); });
    measure("impact times", [&] { a.impact_times = measure_impact_times(subject, truth, *a.horizon); });
  }
  measure("energy", [&] { a.energy = measure_energy(subject, steps); });
  measure("momenta", [&] { a.momenta = measure_momenta(subject, steps); });
  measure("symplecticity",
          [&] { a.symplecticity = measure_symplecticity(subject, std::min(steps, lengths.derivatives)); });
  measure("penetration", [&] { a.penetration = measure_penetration(subject, std::min(steps, lengths.penetration)); });
  measure("cost", [&] { a.cost = measure_cost(subject, steps); });
  return a;
}

std::string spec_of(const IntegratorOptions& options) {
  std::string text = options.method;
  if (!options.discretization.empty()) text += ":" + options.discretization;
  for (const auto& [name, value] : options.parameters)
    text += fmt::format(",{}={}", name,
                        std::visit([](const auto& x) -> std::string { return fmt::format("{}", x); }, value));
  return text;
}

}  // namespace ricochet
