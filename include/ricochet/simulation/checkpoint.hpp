#pragma once
// All that a run needs to go on with the same bits: checkpoint.cbor, replaced as a whole after each flush of the
// results. Lists of doubles are stored as their bytes, so that every bit pattern survives.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/run.hpp"

namespace ricochet {

struct Checkpoint {
  RunDescription about;
  RunSettings settings;
  std::int64_t step = 0, impacts = 0, lines = 0, recorded_step = -1;  // the last step in the archive
  std::vector<double> stepper, statistics;                            // what their save() gave
  ArchiveSizes archive;
  std::int64_t ledger_bytes = 0;
  double wall_seconds = 0;
};

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
Checkpoint read_checkpoint(const std::filesystem::path& path);  // throws InputError

}  // namespace ricochet
