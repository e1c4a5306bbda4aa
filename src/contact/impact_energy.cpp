#include "ricochet/contact/impact_energy.hpp"

namespace ricochet {

void place_on_line(ImpactLine& line, double lambda) {
  for (int i = 0; i < line.d.size(); ++i) line.p_plus[i] = line.p[i] + lambda * line.d[i];
}

const std::vector<std::string>& impact_energy_names() {
  static const std::vector<std::string> names{"discrete", "continuous"};
  return names;
}

}  // namespace ricochet
