#pragma once
// Checksums against damage (not against intent): of texts, and of the rows of an archive.

#include <cstdint>
#include <string_view>

namespace ricochet {

// One more number into a hash; a bijection in each argument.
inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t bits) {
  hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 32);
}

inline constexpr std::uint64_t checksum_start = 0x243F6A8885A308D3u;  // not 0: rows of zeros have a checksum too

// FNV-1a, 64 bits.
inline std::uint64_t checksum(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// A row of several datasets with the hashes h_1 … h_n: 32 bits of Σ h_j and 32 bits of Σ j h_j. If one dataset is
// damaged the difference of the second is j times that of the first, which tells which one it is.
class RowChecksum {
 public:
  void add(std::uint64_t hash) {
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;  // each bit into all (MurmurHash3)
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
    const auto h = static_cast<std::uint32_t>(hash ^ (hash >> 33));
    sum_ += h;
    weighted_ += ++count_ * h;
  }
  std::int64_t value() const { return static_cast<std::int64_t>(static_cast<std::uint64_t>(weighted_) << 32 | sum_); }
  // The number from 0 of the one dataset that is damaged if `stored` is the right value; −1 if it is not one alone.
  int damaged(std::int64_t stored) const {
    const auto bits = static_cast<std::uint64_t>(stored);
    const std::uint32_t difference = sum_ - static_cast<std::uint32_t>(bits),
                        weighted = weighted_ - static_cast<std::uint32_t>(bits >> 32);
    for (std::uint32_t j = 1; j <= count_; ++j)
      if (difference != 0 && j * difference == weighted) return static_cast<int>(j) - 1;
    return -1;
  }

 private:
  std::uint32_t sum_ = 0, weighted_ = 0, count_ = 0;
};

}  // namespace ricochet
