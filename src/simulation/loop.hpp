#pragma once
// The loop itself: steps, what happens at some of them (recording, checks, progress, flush), and how it ends.
// A step costs the loop a few nanoseconds: no clock, no allocation, and three calls of the stepper.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "finite.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/checkpoint.hpp"
#include "ricochet/simulation/ledger.hpp"
#include "ricochet/simulation/plan.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "ricochet/simulation/statistics.hpp"
#include "ricochet/simulation/summary.hpp"

namespace ricochet {

using Clock = std::chrono::steady_clock;

inline constexpr std::size_t few_impacts = 3;       // in one step
inline constexpr std::int64_t finite_check = 1024;  // steps between checks of a state that is not recorded

inline double seconds_between(Clock::time_point a, Clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

inline bool has_impulse(const Impact& i) {
  return std::any_of(i.contacts.begin(), i.contacts.end(), [](const ContactImpulse& c) { return c.lambda != 0; });
}

inline std::string describe(const SolverError& e) {
  std::string text = fmt::format("step {}, t = {}: {}", e.step, e.time, e.what());
  if (e.iterations >= 0) {
    text += std::isfinite(e.residual) ? fmt::format("; residual {:.3g}", e.residual) : "; residual not finite";
    text += fmt::format(" after {} iterations", e.iterations);
  }
  return e.advice.empty() ? text : text + "; " + e.advice;
}

struct Output {
  RunDirectory directory;
  Archive archive;
  std::optional<Ledger> ledger;
};

class Loop {
 public:
  // `output` is null when nothing is to be written.
  Loop(Stepper& stepper, const RunSettings& settings, const RunDescription& about, const RunControl& control,
       Output* output)
      : stepper_(stepper), settings_(settings), plan_(settings), about_(about), control_(control), output_(output) {
    stepper_.stop_on(control.stop);
  }
  ~Loop() { stepper_.stop_on(nullptr); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // False: the start has no finite state, and go() will say so.
  bool begin() {
    statistics_.step(stepper_.extremes());
    try {
      observe();
    } catch (const SolverError& e) {
      start_failure_ = e;
      return false;
    }
    record();
    remember();
    return true;
  }

  void restore(const Checkpoint& c) {
    stepper_.load(c.stepper);
    statistics_.load(c.statistics);
    k_ = first_ = c.step;
    impacts_ = c.impacts;
    lines_ = c.lines;
    recorded_step_ = c.recorded_step;
    wall_before_ = c.wall_seconds;
    remember();
  }

  // Results first, then the checkpoint that counts on them.
  void save() {
    if (!output_) return;
    if (!observe()) throw not_finite();
    output_->archive.flush();
    if (output_->ledger) output_->ledger->flush();
    Checkpoint c{about_,          settings_,          k_, impacts_, lines_, recorded_step_,
                 stepper_.save(), statistics_.save(), {}, 0,        wall()};
    c.archive = output_->archive.sizes();
    if (output_->ledger) c.ledger_bytes = output_->ledger->bytes();
    write_checkpoint(output_->directory.written(checkpoint_name), c);
  }

  Summary go() {
    if (start_failure_) return failure_of_start();
    plan_event();
    Summary out;
    try {
      if (!steps()) {
        out.status = "interrupted";
        out.exit_code = 130;
        save();  // before the last point is recorded, which an uninterrupted run might not record
      }
      if (!observe()) throw not_finite();
    } catch (SolverError& e) {
      return_to_last_finite();
      e.step = k_;
      e.time = plan_.time(k_);
      if (const std::string cause = stepper_.diagnosis(e.time, plan_.length(k_)); !cause.empty()) e.advice = cause;
      out.status = "failed";
      out.exit_code = 4;
      out.message = describe(e);
    }
    if (recorded_step_ != k_) record();
    add(stepper_.open_episodes());
    summarize(out);
    return out;
  }

 private:
  // True: the run is complete. False: it was asked to stop.
  bool steps() {
    const std::int64_t enough = settings_.impacts < 0 ? Plan::never : settings_.impacts;
    while (k_ < plan_.last() && impacts_ < enough) {
      if (control_.stop && control_.stop->load(std::memory_order_relaxed)) return stopped();
      try {
        stepper_.advance(plan_.time(k_), plan_.length(k_));
      } catch (const Interrupted&) {
        return stopped();
      }
      advanced_ = true;
      if (!stepper_.impacts().empty() || !stepper_.changes().empty()) add(stepper_.impacts(), stepper_.changes());
      if (const std::span<const Episode> episodes = stepper_.episodes(); !episodes.empty()) add(episodes);
      if (sections_) add(stepper_.section_points());
      const Extremes e = stepper_.extremes();
      check_finite(e);
      statistics_.step(e);
      ++k_;
      advanced_ = false;
      if (k_ >= next_event_) event();
    }
    return true;
  }

  bool stopped() const {
    if (control_.stopping) control_.stopping();
    return false;
  }

  // The changes of lasting contact between the impacts, as they happened.
  void add(std::span<const Impact> impacts, std::span<const Impact> changes) {
    for (const auto& lines : {impacts, changes})
      for (const Impact& line : lines) check_finite({k_, line, stepper_.labels()});
    crowded_ += impacts.size() > few_impacts;
    std::size_t written = 0;
    for (std::size_t k = 0; k <= impacts.size(); ++k) {
      for (; written < changes.size() && changes[written].after <= k; ++written) add(changes[written]);
      if (k == impacts.size()) break;
      impacts_ += has_impulse(impacts[k]);
      if (control_.impact && has_impulse(impacts[k])) control_.impact(impacts[k]);
      add(impacts[k]);
    }
  }

  void add(const Impact& line) {
    ++lines_;
    if (!output_ || output_->archive.sizes().impacts >= settings_.stored_impacts) return;
    output_->archive.add(k_, line);
    if (output_->ledger) output_->ledger->add(k_, line);
  }

  void add(std::span<const Episode> episodes) {
    for (const Episode& e : episodes) check_finite({e.step, e, stepper_.labels(), &e});
    for (const Episode& e : episodes) {
      ++impacts_;
      ++lines_;
      if (!output_ || output_->archive.sizes().impacts >= settings_.stored_impacts) continue;
      output_->archive.add(e);
      if (output_->ledger) output_->ledger->add(e);
    }
  }

  void add(std::span<const SectionPoint> points) {
    for (const SectionPoint& point : points) {
      check_finite(point, stepper_.labels());
      if (output_) output_->archive.add(k_, point);
    }
  }

  void plan_event() {
    const auto next_multiple = [&](std::int64_t n) { return n > 0 ? (k_ / n + 1) * n : Plan::never; };
    next_event_ = std::min({next_multiple(settings_.every), next_multiple(finite_check), next_clock_});
  }

  void event() {
    const bool recording = settings_.every > 0 && k_ % settings_.every == 0;
    const bool checking = k_ % finite_check == 0;
    if ((recording || checking) && !observe()) throw not_finite();
    if (recording) record();
    if (checking) remember();
    if (k_ >= next_clock_) look_at_clock();
    plan_event();
  }

  // The clock is read some fifty times a second, whatever a step costs.
  void look_at_clock() {
    const Clock::time_point now = Clock::now();
    const double elapsed = seconds_between(clock_time_, now);
    clock_time_ = now;
    if (elapsed < 0.01) stride_ = std::min<std::int64_t>(2 * stride_, 1 << 20);
    if (elapsed > 0.04) stride_ = std::max<std::int64_t>(stride_ / 2, 1);
    next_clock_ = k_ + stride_;
    if (control_.progress && seconds_between(progress_time_, now) >= 0.1) {
      progress_time_ = now;
      control_.progress(fraction(), k_, impacts_);
    }
    // Slow disks are asked less often, so that a run spends at most a tenth of its time waiting for them.
    const double period = std::max(control_.flush_seconds, std::min(10 * save_seconds_, 20 * control_.flush_seconds));
    if (seconds_between(flush_time_, now) >= period) {
      save();
      flush_time_ = Clock::now();
      save_seconds_ = seconds_between(now, flush_time_);
    }
  }

  double fraction() const {
    const auto ratio = [](std::int64_t a, std::int64_t b) { return static_cast<double>(a) / static_cast<double>(b); };
    const double steps = ratio(k_, plan_.last());
    return std::min(settings_.impacts > 0 ? std::max(steps, ratio(impacts_, settings_.impacts)) : steps, 1.0);
  }

  bool observe() {
    stepper_.observe(observed_);
    observed_.t = plan_.time(k_);
    return finite(observed_);
  }

  // A state without a velocity is no finite one.
  bool observe_finite() {
    try {
      return observe();
    } catch (const SolverError&) {
      return false;
    }
  }

  void record() {
    statistics_.record(observed_);
    if (output_) output_->archive.record(k_, observed_);
    recorded_step_ = k_;
  }

  void remember() {
    good_ = stepper_.save();
    good_step_ = k_;
  }

  // After a failure, the state to end with. A solver that gives up leaves the state before its step. One that is found
  // not to be finite may be so for some steps: they are repeated from the last state known to be good.
  void return_to_last_finite() {
    if (!advanced_ && observe_finite()) return;
    stepper_.stop_on(nullptr);
    const std::int64_t most = advanced_ ? k_ : k_ - 1;
    stepper_.load(good_);
    k_ = good_step_;
    observe();
    while (k_ < most) {
      stepper_.advance(plan_.time(k_), plan_.length(k_));
      ++k_;
      if (observe_finite()) {
        remember();
      } else {
        stepper_.load(good_);
        k_ = good_step_;
        observe();
        return;
      }
    }
  }

  // Position and momentum are all that is known.
  Summary failure_of_start() {
    SolverError& e = *start_failure_;
    e.step = 0;
    e.time = plan_.time(0);
    observed_.t = e.time;
    observed_.v.clear();
    Summary out;
    summarize(out);
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    out.energy = {unknown, unknown, unknown, unknown, unknown, unknown, unknown, unknown};
    out.momenta.clear();
    out.scalars.clear();
    out.status = "failed";
    out.exit_code = 4;
    out.message = describe(e);
    return out;
  }

  double wall() const { return wall_before_ + seconds_between(begin_, Clock::now()); }

  void summarize(Summary& out) {
    out.description = about_;
    out.step = settings_.step;
    out.steps = k_;
    out.impacts = impacts_;
    out.ledger_lines = lines_;
    if (output_) out.impacts_stored = output_->archive.sizes().impacts;
    out.time_start = settings_.start;
    out.time_end = observed_.t;
    out.state_hash = state_hash(k_, observed_);
    out.position = observed_.q;
    out.velocity = observed_.v;
    out.momentum = observed_.p;
    statistics_.summarize(stepper_.labels(), out);
    out.counters = stepper_.counters();
    out.warnings = stepper_.warnings();
    if (2 * crowded_ > k_ - first_) {
      out.warnings.push_back(fmt::format(
          "{} of {} steps have more than {} impacts each: the step is longer than what happens between impacts; a "
          "smaller integrator.step, or a law that loses energy",
          crowded_, k_ - first_, few_impacts));
    }
    out.probes = stepper_.probes();
    out.contacts = stepper_.contact_reports();
    out.stable_step = stepper_.stable_step();
    out.has_coordinates = stepper_.labels().fields.empty();
    out.wall_seconds = wall();
  }

  Stepper& stepper_;
  const RunSettings settings_;
  const Plan plan_;
  const RunDescription& about_;
  const RunControl& control_;
  Output* output_;

  std::int64_t k_ = 0, impacts_ = 0, lines_ = 0, recorded_step_ = -1;
  std::int64_t first_ = 0, crowded_ = 0;  // since step first_, steps with more than a few impacts
  const bool sections_ = !stepper_.labels().sections.empty();
  bool advanced_ = false;  // the stepper is one step ahead of k_
  std::optional<SolverError> start_failure_;
  std::int64_t next_event_ = 0, next_clock_ = 0, stride_ = 1;
  Statistics statistics_;
  Observables observed_;
  std::vector<double> good_;  // the stepper at good_step_, where it was finite
  std::int64_t good_step_ = 0;
  double save_seconds_ = 0;  // the last save() took
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point clock_time_ = begin_, flush_time_ = begin_, progress_time_ = begin_;
  double wall_before_ = 0;
};

}  // namespace ricochet
