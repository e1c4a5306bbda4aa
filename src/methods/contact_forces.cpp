#include "ricochet/methods/contact_forces.hpp"

namespace ricochet {

ContactForces::ContactForces(const System& system) {
  const std::vector<Contact>& contacts = system.model().contacts;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    first.push_back(static_cast<int>(names.size()));
    names.push_back(contacts[c].name);
    const bool rubs = contacts[c].law == "coulomb" || contacts[c].law == "plastic";
    for (int a = 1; rubs && a <= system.frames()[c].tangents; ++a)
      names.push_back(contacts[c].name + ".t" + std::to_string(a));
  }
}

}  // namespace ricochet
