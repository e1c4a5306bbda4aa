#include "ricochet/simulation/run.hpp"

#include <fmt/format.h>

#include "loop.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

namespace fs = std::filesystem;

namespace {

// Before anything is written.
void check_start(Stepper& stepper, const RunSettings& settings) {
  const Plan plan(settings);
  Observables start;
  stepper.observe(start);
  if (!finite(start)) throw InputError("the initial state is infinite or not a number");
}

Summary finish(Loop& loop, Output& output) {
  const Summary summary = loop.go();
  output.archive.close(summary.state_hash);
  if (output.ledger) output.ledger->flush();
  write_summary(output.directory.written(summary_name), summary);
  output.directory.publish(summary.status != "completed");
  return summary;
}

// The ledger of the run to be resumed, where the resumed run writes it.
Ledger reopen_ledger(const RunDirectory& directory, const Labels& labels, std::int64_t bytes) {
  const fs::path from = directory.existing(ledger_name), to = directory.written(ledger_name);
  if (!fs::exists(from) || fs::file_size(from) < static_cast<std::uintmax_t>(bytes))
    throw InputError(fmt::format("{}: shorter than the checkpoint says; the run cannot be resumed", from.string()));
  if (from != to) fs::copy_file(from, to);
  return Ledger(to, labels, bytes);
}

void check_same(const fs::path& where, const RunSettings& a, const RunSettings& b) {
  if (a.start != b.start || a.step != b.step || a.every != b.every || a.ledger != b.ledger)
    throw InputError(
        fmt::format("{}: the run was made with another start, step or output; it cannot be resumed", where.string()));
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
  loop.begin();
  output.archive.appear();
  loop.save();
  return finish(loop, output);
}

Summary resume(const fs::path& path, const MakeStepper& make, const RunControl& control) {
  RunDirectory directory(path, RunDirectory::Purpose::resume);
  const fs::path where = directory.existing(checkpoint_name);
  if (!fs::exists(where)) {
    if (!fs::exists(path / summary_name))
      throw InputError(fmt::format("{}: there is no run to resume here: no {}", path.string(), checkpoint_name));
    Summary done = read_summary(path / summary_name);
    if (fs::exists(path / archive_name)) done.description = ArchiveReader(path / archive_name).header().about;
    return done;
  }
  const Checkpoint checkpoint = read_checkpoint(where);
  const auto [stepper, settings] = make(checkpoint.about);
  check_same(where, checkpoint.settings, settings);
  const Plan plan(settings);
  Archive archive(directory.written(archive_name), checkpoint.about, stepper->labels());
  archive.copy(ArchiveReader(directory.existing(archive_name)), checkpoint.archive);
  archive.appear();
  Output output{std::move(directory), std::move(archive), {}};
  if (settings.ledger) output.ledger = reopen_ledger(output.directory, stepper->labels(), checkpoint.ledger_bytes);
  Loop loop(*stepper, settings, checkpoint.about, control, &output);
  loop.restore(checkpoint);
  return finish(loop, output);
}

}  // namespace ricochet
