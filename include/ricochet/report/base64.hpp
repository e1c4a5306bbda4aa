#pragma once
// Numbers as text without loss: their bytes, lowest first, in base64. A third of the size of decimal digits, and read
// at once.

#include <cstdint>
#include <string>
#include <vector>

namespace ricochet {

std::string base64(const std::vector<double>& values);
std::string base64(const std::vector<float>& values);
std::string base64(const std::vector<std::int32_t>& values);
std::string base64(const std::vector<std::uint16_t>& values);
std::string base64(const std::vector<std::int8_t>& values);

}  // namespace ricochet
