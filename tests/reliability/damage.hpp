#pragma once
// Damage as disks and transfers do it: a file cut short or grown, bytes zeroed, flipped or replaced.

#include <algorithm>
#include <random>
#include <string>

namespace ricochet::test {

inline std::string damaged(std::string bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed * 0x9E3779B97F4A7C15u + 1);
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); };
  const std::size_t at = below(bytes.size());
  // short and long, so that single numbers are hit as well as structures
  const std::size_t length = std::min(bytes.size() - at, 1 + below(std::size_t{1} << below(13)));
  switch (seed % 5) {
    case 0: bytes.resize(at); break;
    case 1: std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), length, '\0'); break;
    case 2:
      if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
      break;
    case 3:
      for (std::size_t k = at; k < at + length; ++k) bytes[k] = static_cast<char>(random());
      break;
    default: bytes.append(length, static_cast<char>(random()));
  }
  return bytes;
}

}  // namespace ricochet::test
