#pragma once
// Lasting contact over time, for the page: of each contact its stretches of one mode, from the lines of the ledger. The
// archive is read in blocks.

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/contact/impact.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet {

struct ContactBar {
  int contact;
  ImpactLaw mode;   // rest: closed without friction; stick, slide
  double from, to;  // `to` is the end of the run if it still lasts
};

struct ContactBars {
  std::vector<ContactBar> bars;  // the first max_bars, by their ends
  std::int64_t count = 0;        // of all
};

ContactBars contact_bars(const ArchiveReader& archive, std::size_t max_bars);

}  // namespace ricochet
