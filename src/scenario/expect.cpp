#include "ricochet/scenario/expect.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace ricochet {

namespace {

using Json = nlohmann::json;

// The value at a path; null if there is none.
Json find(const Json& summary, const std::vector<std::string>& keys) {
  const Json* node = &summary;
  for (const std::string& key : keys) {
    if (node->is_object() && node->contains(key)) {
      node = &node->at(key);
    } else if (node->is_array() && std::stoul(key) < node->size()) {
      node = &node->at(std::stoul(key));
    } else {
      return nullptr;
    }
  }
  return *node;
}

std::string wanted_of(const Expectation& e) {
  if (e.text) return fmt::format("\"{}\"", *e.text);
  if (e.equal) return fmt::format("{}", *e.equal);
  if (e.value) return fmt::format("{} ± {}", *e.value, *e.tolerance);
  if (e.min && e.max) return fmt::format("{} to {}", *e.min, *e.max);
  return e.min ? fmt::format("at least {}", *e.min) : fmt::format("at most {}", *e.max);
}

bool is_met(const Expectation& e, const Json& got) {
  if (e.text) return got.is_string() && got.get<std::string>() == *e.text;
  if (!got.is_number()) return false;
  const double x = got.get<double>();
  if (e.equal) return x == *e.equal;
  if (e.value) return std::fabs(x - *e.value) <= *e.tolerance;
  return (!e.min || x >= *e.min) && (!e.max || x <= *e.max);
}

}  // namespace

std::vector<FailedExpectation> failed_expectations(const Scenario& scenario, const std::string& summary_json) {
  const Json summary = Json::parse(summary_json);
  std::vector<FailedExpectation> failed;
  for (const Expectation& e : scenario.expect) {
    const Json got = find(summary, e.keys);
    if (!is_met(e, got))
      failed.push_back(
          {e.path, wanted_of(e), got.is_number_float() ? fmt::format("{}", got.get<double>()) : got.dump(), e.where});
  }
  return failed;
}

}  // namespace ricochet
