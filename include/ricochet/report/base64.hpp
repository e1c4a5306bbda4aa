#pragma once
// Numbers as text without loss: their bytes, lowest first, in base64. A third of the size of decimal digits, and read
// at once.

#include <string>
#include <vector>

namespace ricochet {

std::string base64(const std::vector<double>& values);
std::string base64(const std::vector<float>& values);

}  // namespace ricochet
