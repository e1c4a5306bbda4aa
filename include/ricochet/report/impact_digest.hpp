#pragma once
// The impacts of a run for the page: evenly chosen lines of the ledger, and counts over all of them. Lines of lasting
// contact are listed, but without an impulse they are no impacts: they are in no histogram and no sum. The archive is
// read in blocks.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/simulation/archive.hpp"

namespace ricochet {

struct Histogram {
  std::vector<double> edges;  // one more than counts
  std::vector<std::int64_t> counts;
  bool logarithmic = false;
};

struct ImpactDigest {
  std::int64_t lines = 0;                                            // of the ledger; `columns` hold at most max_lines
  std::vector<std::pair<std::string, std::vector<double>>> columns;  // number, impact (its number, or 0), step, …
  std::vector<std::string> contacts, laws;                           // of each line that is listed
  std::vector<double> times;                                         // of impacts, evenly chosen, at most max_lines
  Histogram alpha, interval;                                         // interval: time since the impact before
  std::int64_t impacts = 0;                                          // of all lines
  bool lossy = false;                                                // some impact was not elastic
  double energy_change = 0;                                          // Σ(energy_after − energy_before)
};

ImpactDigest digest_impacts(const ArchiveReader& archive, std::int64_t max_lines);

}  // namespace ricochet
