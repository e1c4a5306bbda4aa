#include "outcome.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "interrupt.hpp"
#include "ricochet/report/report.hpp"
#include "ricochet/simulation/summary.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

using Clock = std::chrono::steady_clock;

std::string time_left(double seconds) {
  const auto s = static_cast<long long>(std::ceil(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

void show_bar(double fraction, std::int64_t steps, std::int64_t impacts, double elapsed) {
  constexpr int width = 30;
  const int done = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * width);
  std::string line =
      fmt::format("\r[{:<{}}] {:3.0f} %  {} steps", std::string(done, '#'), width, 100 * fraction, steps);
  if (impacts > 0) line += fmt::format("  {} impacts", impacts);
  if (fraction > 0 && elapsed > 1) line += fmt::format("  {} left", time_left(elapsed * (1 - fraction) / fraction));
  fmt::print(stderr, "{}\x1b[K", line);
  std::fflush(stderr);
}

// Where forces, moving obstacles, friction or lossy impacts change the energy, what counts is whether they account for
// the change.
std::string energy_line(const Summary& s, bool lossy) {
  const EnergySummary& e = s.energy;
  std::string text = fmt::format("{:.9g} to {:.9g}", e.min, e.max);
  double causes = 0;
  bool open = lossy && s.impacts > 0;
  for (const ScalarSummary& x : s.scalars) {
    if (!x.name.starts_with("work.") && !x.name.starts_with("loss.")) continue;
    causes += x.final - x.initial;
    open |= x.name != "loss.impact" && (x.min != 0 || x.max != 0);
  }
  if (open)
    return fmt::format("{}; changed by {:.6g}, works and losses account for all but {:.2g}", text, e.final - e.initial,
                       std::abs(e.final - e.initial - causes));
  if (std::isfinite(e.relative_range)) text += fmt::format(", relative range {:.3g}", e.relative_range);
  if (std::isfinite(e.drift_per_time))
    text += fmt::format(", drift {:.3g}{} per unit of time", e.drift_per_time,
                        std::isfinite(e.drift_uncertainty) ? fmt::format(" ± {:.1g}", e.drift_uncertainty) : "");
  return text;
}

std::string table(const Summary& s, const Scenario& scenario, const std::filesystem::path& directory) {
  std::vector<std::pair<std::string, std::string>> rows{
      {"method", s.description.discretization.empty()
                     ? s.description.method
                     : fmt::format("{}, {}", s.description.method, s.description.discretization)},
      {"steps", fmt::format("{} of {}{}", s.steps, s.step,
                            s.stable_step > 0 ? fmt::format("; {:.6g} is stable", s.stable_step) : "")},
      {"time", fmt::format("{} to {}", s.time_start, s.time_end)}};
  if (std::isfinite(s.extremes.gap_min)) {
    rows.emplace_back("impacts", fmt::format("{}", s.impacts));
    rows.emplace_back("smallest gap", fmt::format("{:.3g}", s.extremes.gap_min));
  }
  const std::vector<Contact>& contacts = scenario.model.contacts;
  const bool lossy = scenario.continuum ||
                     std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.law != "elastic"; });
  rows.emplace_back("energy", energy_line(s, lossy));
  if (s.momenta.empty() && s.has_coordinates)
    rows.emplace_back("momenta", "none declared; each [[system.symmetry]] is watched");
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
  if (!voice.quiet && isatty(STDERR_FILENO))
    control.progress = [start = Clock::now(), first = -1.0](double fraction, std::int64_t steps,
                                                            std::int64_t impacts) mutable {
      if (first < 0) first = fraction;  // a resumed run has some behind it
      const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
      show_bar(fraction, steps, impacts, first < fraction ? elapsed * fraction / (fraction - first) : elapsed);
    };
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
    say_text(table(summary, scenario, directory));
  }
  for (const std::string& warning : summary.warnings)
    if (!voice.said.contains(warning)) complain("ricochet: warning: {}\n", warning);
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
  if (!voice.json && !voice.quiet)
    say_text(fmt::format("  report: {}\n", link_to(STDOUT_FILENO, directory / report_name)));
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
