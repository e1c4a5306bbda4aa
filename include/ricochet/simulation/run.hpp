#pragma once
// The run loop: t_k = start + k·step or as given, records, ledger, summary, checkpoint, interruption.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/simulation/design_summary.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

struct RunSettings {
  double start = 0;
  double step = 0;
  double duration = -1;       // < 0: until `impacts`
  std::int64_t impacts = -1;  // < 0: until `duration`
  std::int64_t every = 1;     // record each k-th step; 0: first and last only
  bool ledger = true;
  std::int64_t stored_impacts = 1000000;  // the first so many, in archive and ledger
  std::vector<double> times = {};         // the grid points, where a schedule gives them; empty: start + k·step
};

// What the files say about where the run came from; written into archive and summary as it is.
struct RunDescription {
  std::string title, method, discretization;
  std::string scenario_name;  // file name, for messages on resume
  std::string scenario_text;
  std::vector<std::string> overrides;  // "key=value" of --set
};

struct EnergySummary {
  double initial = 0, final = 0, min = 0, max = 0, relative_range = 0, drift_per_time = 0;
  double drift_uncertainty = 0, spread_exponent = 0;  // simulation/drift.hpp
};
struct MomentumSummary {
  std::string name;
  double initial = 0, max_deviation = 0;
};
struct ScalarSummary {
  std::string name;
  double initial = 0, final = 0, min = 0, max = 0;
};
struct Summary {
  RunDescription description;
  double step = 0, stable_step = 0;  // the latter only of a run, where it is known
  std::int64_t steps = 0, impacts = 0, ledger_lines = 0, impacts_stored = 0;
  std::string status = "completed", message;  // completed | interrupted | failed
  double time_start = 0, time_end = 0, wall_seconds = 0;
  std::string state_hash;
  std::vector<double> position, velocity, momentum;
  EnergySummary energy;
  std::vector<MomentumSummary> momenta;
  std::vector<ScalarSummary> scalars{};
  Extremes extremes{};
  std::vector<Counter> counters;
  std::vector<std::string> warnings{};  // what is probably not meant, of the start and of the run
  std::vector<ProbeReport> probes{}, contacts{};
  DesignSummary design{};
  bool has_coordinates = true;
  int exit_code = 0;  // 0 completed, 4 failed, 130 interrupted
};

struct RunControl {
  std::atomic<bool>* stop = nullptr;  // set by a signal handler; asked every step
  std::function<void()> stopping;     // the run has seen it and is about to end
  std::function<void(double fraction, std::int64_t steps, std::int64_t impacts)> progress;  // a few times a second
  std::function<void(const Impact&)> impact{};  // each with an impulse, as it comes
  double flush_seconds = 0.5;                   // archive flush and checkpoint period
};

// In memory only: nothing is written.
Summary run(Stepper& stepper, const RunSettings& settings, const RunDescription& about, const RunControl& control = {});

// With trajectory.h5, ledger.csv, checkpoint and summary.json in a directory (made if missing).
Summary run(Stepper& stepper, const RunSettings& settings, const RunDescription& about,
            const std::filesystem::path& directory, const RunControl& control = {});

// Continue a run that was interrupted, failed or killed. `make` builds the stepper and settings from the archived
// scenario.
using MakeStepper = std::function<std::pair<std::unique_ptr<Stepper>, RunSettings>(const RunDescription&)>;
Summary resume(const std::filesystem::path& directory, const MakeStepper& make, const RunControl& control = {});

}  // namespace ricochet
