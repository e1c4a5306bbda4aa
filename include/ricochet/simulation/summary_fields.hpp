#pragma once
// The fields of summary.json, listed once and in order: writing, reading and [expect] visit them. A new field is one
// line here, and its meaning in docs/files.md.
//
// visit(path, value) gets a const or a changeable value; a dot in the path is a table. visit(path, number, null): the
// number that stands for "no meaning" and is written as null, as everything is that is not finite.

#include <concepts>
#include <limits>
#include <type_traits>

#include "ricochet/simulation/run.hpp"

namespace ricochet {

template <class T, class Of>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Of>;

template <MaybeConst<MomentumSummary> M, class Visit>
void each_field(M& m, Visit&& visit) {
  visit("initial", m.initial);
  visit("max_deviation", m.max_deviation);
}

template <MaybeConst<ScalarSummary> X, class Visit>
void each_field(X& x, Visit&& visit) {
  visit("initial", x.initial);
  visit("final", x.final);
  visit("min", x.min);
  visit("max", x.max);
}

template <MaybeConst<Summary> S, class Visit>
void each_field(S& s, Visit&& visit) {
  visit("title", s.description.title);
  visit("method", s.description.method);
  visit("discretization", s.description.discretization);
  visit("step", s.step);
  visit("steps", s.steps);
  visit("impacts", s.impacts);
  visit("ledger_lines", s.ledger_lines);
  visit("impacts_stored", s.impacts_stored);
  visit("status", s.status);
  visit("message", s.message);
  visit("time.start", s.time_start);
  visit("time.end", s.time_end);
  visit("wall_seconds", s.wall_seconds);
  visit("state_hash", s.state_hash);
  visit("final.position", s.position);
  visit("final.velocity", s.velocity);
  visit("final.momentum", s.momentum);
  visit("energy.initial", s.energy.initial);
  visit("energy.final", s.energy.final);
  visit("energy.min", s.energy.min);
  visit("energy.max", s.energy.max);
  visit("energy.relative_range", s.energy.relative_range);
  visit("energy.drift_per_time", s.energy.drift_per_time);
  visit("energy.drift_uncertainty", s.energy.drift_uncertainty);
  visit("energy.spread_exponent", s.energy.spread_exponent);
  visit("momentum", s.momenta);  // of each name its fields
  visit("scalars", s.scalars);
  visit("gap_min", s.extremes.gap_min, std::numeric_limits<double>::infinity());
  visit("holonomic_max", s.extremes.holonomic_max, -1.0);
  visit("nonholonomic_max", s.extremes.nonholonomic_max, -1.0);
  visit("counters", s.counters);  // their names; the counts are fields of their own
  visit("warnings", s.warnings);
  visit("exit_code", s.exit_code);
  visit("scenario", s.description.scenario_name);
  visit("overrides", s.description.overrides);
}

}  // namespace ricochet
