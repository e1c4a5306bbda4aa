#include "ricochet/report/base64.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace ricochet {

namespace {

std::string encode(const void* data, std::size_t size) {
  static_assert(std::endian::native == std::endian::little, "the page reads the lowest byte first");
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::uint32_t group =
        bytes[i] << 16u | (i + 1 < size ? bytes[i + 1] << 8u : 0u) | (i + 2 < size ? bytes[i + 2] : 0u);
    text += digits[group >> 18 & 63];
    text += digits[group >> 12 & 63];
    text += i + 1 < size ? digits[group >> 6 & 63] : '=';
    text += i + 2 < size ? digits[group & 63] : '=';
  }
  return text;
}

}  // namespace

std::string base64(const std::vector<double>& values) { return encode(values.data(), values.size() * sizeof(double)); }
std::string base64(const std::vector<float>& values) { return encode(values.data(), values.size() * sizeof(float)); }
std::string base64(const std::vector<std::int32_t>& values) { return encode(values.data(), values.size() * 4); }
std::string base64(const std::vector<std::uint16_t>& values) { return encode(values.data(), values.size() * 2); }
std::string base64(const std::vector<std::int8_t>& values) { return encode(values.data(), values.size()); }

}  // namespace ricochet
