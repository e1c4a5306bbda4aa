// The list of energy rules: one line each.

#include "ricochet/contact/impact_energy.hpp"

#include <stdexcept>
#include <utility>

namespace ricochet {

namespace {

struct Rule {
  const char* name;
  std::unique_ptr<ImpactEnergy> (*make)();
};
constexpr Rule rules[] = {{"discrete", discrete_energy}, {"continuous", continuous_energy}};

}  // namespace

std::unique_ptr<ImpactEnergy> make_impact_energy(const std::string& name) {
  for (const Rule& rule : rules)
    if (name == rule.name) return rule.make();
  throw std::invalid_argument("no impact energy named " + name);
}

const std::vector<std::string>& impact_energy_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Rule& rule : rules) list.emplace_back(rule.name);
    return list;
  }();
  return names;
}

}  // namespace ricochet
