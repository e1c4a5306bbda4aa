#include "ricochet/contact/impact_energy.hpp"

namespace ricochet {

const std::vector<std::string>& impact_energy_names() {
  static const std::vector<std::string> names{"discrete", "continuous"};
  return names;
}

}  // namespace ricochet
