#pragma once
// How many records of an archive, or lines of its ledger, are read at once.

#include <cstdint>

namespace ricochet {

inline constexpr std::int64_t block = 4096;

}  // namespace ricochet
