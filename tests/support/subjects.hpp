#pragma once
// Audited subjects shared by tests.

#include "ricochet/audit/subject.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::subjects {

inline Subject make(const Model& model, const IntegratorOptions& options, std::vector<double> q, std::vector<double> v,
                    double duration, std::int64_t impacts = -1) {
  RunSettings run;
  run.step = options.step;
  run.duration = duration;
  run.impacts = impacts;
  return make_subject(model, options, {.t = 0, .position = std::move(q), .velocity = std::move(v)}, run);
}

inline IntegratorOptions smooth(double h, const char* rule = "trapezoidal") {
  return {.method = "variational", .discretization = rule, .step = h, .parameters = {}};
}

inline Subject particle(const IntegratorOptions& options, double duration = 10) {
  return make(models::particle(9.81), options, {0, 1}, {-2, 0}, duration);
}

// Bounces under nonlinear gravity, where no flight is exact.
inline Subject star(const IntegratorOptions& options, double duration = 10) {
  return make(models::star(9.8, 0.25), options, {0, 1.3, 0.3}, {-2, 0, 5}, duration);
}

inline IntegratorOptions reference(double h) {
  return {.method = "reference", .discretization = "", .step = h, .parameters = {}};
}

}  // namespace ricochet::subjects
