#pragma once
// Numbers in the files of this room: null where there is none, or none that is finite.

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace ricochet {

inline nlohmann::ordered_json json_number(std::optional<double> x) {
  return x && std::isfinite(*x) ? nlohmann::ordered_json(*x) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json json_text(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

inline std::string json_page(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ricochet
