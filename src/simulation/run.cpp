#include "ricochet/simulation/run.hpp"

#include <fmt/format.h>

#include "loop.hpp"
#include "ricochet/error.hpp"
#include "ricochet/simulation/ledger_reader.hpp"

namespace ricochet {

namespace fs = std::filesystem;

namespace {

// Before anything is written.
void check_start(Stepper& stepper, const RunSettings& settings) {
  const Plan plan(settings);
  Observables start;
  try {
    stepper.observe(start);
  } catch (const SolverError&) {
    return;  // a failure of the run, not of its settings
  }
  if (!finite(start)) throw InputError("the initial state is infinite or not a number");
}

Summary finish(Loop& loop, Output& output) {
  const Summary summary = loop.go();
  output.archive.close(summary.state_hash);
  if (output.ledger) output.ledger->flush();
  write_summary(output.directory.written(summary_name), summary);
  output.directory.publish(summary.status != "completed" && output.archive.sizes().rows > 0);
  return summary;
}

void check_same(const fs::path& where, const RunSettings& a, const RunSettings& b) {
  if (a.start != b.start || a.step != b.step || a.every != b.every || a.ledger != b.ledger ||
      a.stored_impacts != b.stored_impacts)
    throw InputError(
        fmt::format("{}: the run was made with another start, step or output; it cannot be resumed", where.string()));
}

// What a run without a checkpoint said, after a look at all that it wrote.
Summary completed(const fs::path& path) {
  if (!fs::exists(path / summary_name))
    throw InputError(fmt::format("{}: there is no run to resume here: no {}", path.string(), checkpoint_name));
  Summary done = read_summary(path / summary_name);
  if (done.status != "completed")
    throw InputError(fmt::format("{}: the run was {} and its {} is missing: it cannot go on; run it again",
                                 path.string(), done.status, checkpoint_name));
  if (fs::exists(path / archive_name)) {
    const ArchiveReader archive(path / archive_name);
    archive.verify();
    std::int64_t lines = -1;  // without the header
    if (fs::exists(path / ledger_name)) {
      read_ledger(path / ledger_name, archive.header().labels, -1, [&](const std::string&) { ++lines; });
      if (lines != archive.sizes().impacts)
        throw InputError(fmt::format("{}: {} impacts, but {} in {}; lines are missing", (path / ledger_name).string(),
                                     lines, archive.sizes().impacts, archive_name));
    }
    done.description = archive.header().about;
  }
  return done;
}

}  // namespace

Summary run(Stepper& stepper, const RunSettings& settings, const RunDescription& about, const RunControl& control) {
  check_start(stepper, settings);
  Loop loop(stepper, settings, about, control, nullptr);
  loop.begin();
  return loop.go();
}

Summary run(Stepper& stepper, const RunSettings& settings, const RunDescription& about, const fs::path& path,
            const RunControl& control) {
  check_start(stepper, settings);
  RunDirectory directory(path, RunDirectory::Purpose::fresh);
  Archive archive(directory.written(archive_name), about, stepper.labels());
  Output output{std::move(directory), std::move(archive), {}};
  if (settings.ledger) output.ledger.emplace(output.directory.written(ledger_name), stepper.labels());
  Loop loop(stepper, settings, about, control, &output);
  const bool begun = loop.begin();
  output.archive.appear();
  if (begun) loop.save();
  return finish(loop, output);
}

Summary resume(const fs::path& path, const MakeStepper& make, const RunControl& control) {
  RunDirectory directory(path, RunDirectory::Purpose::resume);
  const fs::path where = directory.existing(checkpoint_name);
  if (!fs::exists(where)) return completed(path);
  const Checkpoint checkpoint = read_checkpoint(where);
  const auto [stepper, settings] = make(checkpoint.about);
  check_same(where, checkpoint.settings, settings);
  const Plan plan(settings);
  Archive archive(directory.written(archive_name), checkpoint.about, stepper->labels());
  archive.copy(ArchiveReader(directory.existing(archive_name)), checkpoint.archive);
  archive.appear();
  Output output{std::move(directory), std::move(archive), {}};
  if (settings.ledger)
    output.ledger.emplace(output.directory.written(ledger_name), stepper->labels(),
                          output.directory.existing(ledger_name), checkpoint.ledger_bytes);
  Loop loop(*stepper, settings, checkpoint.about, control, &output);
  loop.restore(checkpoint);
  return finish(loop, output);
}

}  // namespace ricochet
