#include "run_reader.hpp"

#include <fmt/format.h>

#include <limits>

namespace ricochet {

RunSettings read_run(TableReader run, IntegratorOptions& integrator, bool has_contacts) {
  const double step = integrator.step;
  constexpr double max_steps = 9e15;  // below 2^53: step numbers are exact as doubles too
  RunSettings settings;
  settings.step = step;
  settings.start = run.number("start").value_or(0.0);
  const auto duration = run.number("duration");
  const auto impacts = run.integer("impacts");
  integrator.backward = run.choice("direction", {"forward", "backward"}) == "backward";
  run.finish();
  if (!duration && !impacts) run.fail("duration", "missing; expected duration, impacts, or both");
  if (duration && !(*duration > 0)) run.fail("duration", fmt::format("expected a duration above 0, got {}", *duration));
  if (impacts && *impacts < 1) run.fail("impacts", fmt::format("expected at least 1, got {}", *impacts));
  if (!duration && !has_contacts)
    run.fail("impacts", "the system has no contact, so the run would never end; expected a duration");
  if (duration && *duration / step > max_steps)
    run.fail("duration", fmt::format("more than {} steps of {}", max_steps, step));
  if (duration && settings.start + *duration == settings.start)
    run.fail("duration", fmt::format("too short to be seen beside start = {}", settings.start));
  settings.duration = duration.value_or(-1.0);
  settings.impacts = impacts.value_or(-1);
  return settings;
}

void read_output(TableReader output, RunSettings& settings) {
  settings.every = output.integer("every").value_or(1);
  if (settings.every < 0)
    output.fail("every", fmt::format("expected 0 (first and last only) or more, got {}", settings.every));
  settings.ledger = output.boolean("ledger").value_or(true);
  for (const char* name : {"quantities", "section"}) output.find(name);  // read with the formulas
  if (const toml::node* impacts = output.find("impacts")) {
    constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
    settings.stored_impacts =
        impacts->is_boolean() ? (impacts->as_boolean()->get() ? all : 0) : output.integer("impacts").value_or(0);
    if (settings.stored_impacts < 0)
      output.fail("impacts",
                  fmt::format("expected true, false or how many are stored, got {}", settings.stored_impacts));
  }
  output.finish();
}

ContactRest read_contact(TableReader contact) {
  ContactRest rest;
  if (auto table = contact.table("rest")) {
    rest.policy = table->choice("policy", {"auto", "off"}).value_or(rest.policy);
    rest.max_impacts_per_step = table->integer("max_impacts_per_step").value_or(rest.max_impacts_per_step);
    if (rest.max_impacts_per_step < 1) table->fail("max_impacts_per_step", "expected at least 1");
    table->finish();
  }
  contact.finish();
  return rest;
}

}  // namespace ricochet
