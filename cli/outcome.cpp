#include "outcome.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "interrupt.hpp"
#include "ricochet/report/report.hpp"
#include "ricochet/simulation/summary.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

void show_bar(double fraction, std::int64_t steps, std::int64_t impacts) {
  constexpr int width = 30;
  const int done = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * width);
  std::string line =
      fmt::format("\r[{:<{}}] {:3.0f} %  {} steps", std::string(done, '#'), width, 100 * fraction, steps);
  if (impacts > 0) line += fmt::format("  {} impacts", impacts);
  fmt::print(stderr, "{}\x1b[K", line);
  std::fflush(stderr);
}

std::string energy_line(const EnergySummary& e) {
  std::string text = fmt::format("{:.9g} to {:.9g}", e.min, e.max);
  if (std::isfinite(e.relative_range)) text += fmt::format(", relative range {:.3g}", e.relative_range);
  if (std::isfinite(e.drift_per_time)) text += fmt::format(", drift {:.3g} per unit of time", e.drift_per_time);
  return text;
}

std::string table(const Summary& s, const std::filesystem::path& directory) {
  std::vector<std::pair<std::string, std::string>> rows{
      {"method", s.description.discretization.empty()
                     ? s.description.method
                     : fmt::format("{}, {}", s.description.method, s.description.discretization)},
      {"steps", fmt::format("{} of {}", s.steps, s.step)},
      {"time", fmt::format("{} to {}", s.time_start, s.time_end)}};
  if (std::isfinite(s.extremes.gap_min)) {
    rows.emplace_back("impacts", fmt::format("{}", s.impacts));
    rows.emplace_back("smallest gap", fmt::format("{:.3g}", s.extremes.gap_min));
  }
  rows.emplace_back("energy", energy_line(s.energy));
  for (const MomentumSummary& m : s.momenta)
    rows.emplace_back(m.name, fmt::format("{:.9g}, largest deviation {:.3g}", m.initial, m.max_deviation));
  if (s.extremes.holonomic_max >= 0)
    rows.emplace_back("constraints", fmt::format("violated by at most {:.3g}", s.extremes.holonomic_max));
  if (s.extremes.nonholonomic_max >= 0)
    rows.emplace_back("velocity constraints", fmt::format("violated by at most {:.3g}", s.extremes.nonholonomic_max));
  rows.emplace_back("wall time", fmt::format("{:.3g} s", s.wall_seconds));
  rows.emplace_back("files", directory.string());
  return printable(s.description.title) + "\n" + aligned(rows);
}

}  // namespace

void clear_bar() {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\x1b[K");
}

RunControl control_for(const Voice& voice) {
  RunControl control;
  control.stop = stop_on_signals();
  control.stopping = stopping_in_order;
  if (!voice.quiet && isatty(STDERR_FILENO)) control.progress = show_bar;
  return control;
}

std::string place_of_failure(const Summary& summary, const Scenario& scenario) {
  if (scenario.continuum) return scenario.place("continuum.courant");
  return scenario.place(summary.steps == 0 ? "initial" : "integrator.step");
}

int report_outcome(const Summary& summary, const Scenario& scenario, const std::filesystem::path& directory,
                   const Voice& voice) {
  if (!voice.quiet) clear_bar();
  if (voice.json) {
    say_text(summary_json(summary));
  } else if (!voice.quiet) {
    say_text(table(summary, directory));
  }
  if (summary.impacts_stored < summary.ledger_lines && !voice.quiet)
    complain("ricochet: the first {} of {} lines of the ledger are stored; output.impacts = true stores all\n",
             summary.impacts_stored, summary.ledger_lines);
  if (summary.status == "failed")
    complain("ricochet: {}: failed: {}\nresults so far are in {}\n", place_of_failure(summary, scenario),
             summary.message, directory.string());
  if (summary.status == "interrupted") {
    complain("ricochet: interrupted at t = {}; go on with: ricochet resume {}\n", summary.time_end, directory.string());
    stop_soon();
  }
  try {
    write_report(directory);
  } catch (const std::exception& error) {  // the results are there and good
    complain("ricochet: no {}: {}\n", report_name, error.what());
    return summary.exit_code == 0 ? exit_failed : summary.exit_code;
  }
  return summary.exit_code;
}

std::string aligned(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [key, value] : rows) width = std::max(width, printable(key).size());
  std::string text;
  for (const auto& [key, value] : rows)
    text += fmt::format("  {:<{}}  {}\n", printable(key), width, printable(shortened(value)));
  return text;
}

}  // namespace ricochet::cli
