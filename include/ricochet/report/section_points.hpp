#pragma once
// The points of the sections of a run for the page: of each section evenly chosen ones. The archive is read in blocks.

#include <cstdint>
#include <vector>

#include "ricochet/simulation/archive.hpp"

namespace ricochet {

struct SectionPoints {
  std::int64_t count = 0;  // of all
  std::vector<double> t;
  std::vector<std::vector<double>> values;  // of each quantity, one for each t
};

std::vector<SectionPoints> section_points(const ArchiveReader& archive, std::int64_t max_points);

}  // namespace ricochet
