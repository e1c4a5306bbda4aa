// Discretizations by name.

#include <stdexcept>

#include "discretization.hpp"

namespace ricochet {

namespace {

const std::vector<Discretization>& all() {
#define RICOCHET_ENTRY(name) name(),
  static const std::vector<Discretization> list{RICOCHET_DISCRETIZATIONS(RICOCHET_ENTRY)};
#undef RICOCHET_ENTRY
  return list;
}

}  // namespace

const std::vector<Descriptor>& discretization_descriptors() {
  static const std::vector<Descriptor> list = [] {
    std::vector<Descriptor> descriptors;
    for (const Discretization& d : all()) descriptors.push_back(d.descriptor);
    return descriptors;
  }();
  return list;
}

std::vector<std::string> all_discretizations() {
  std::vector<std::string> names;
  for (const Discretization& d : all()) names.push_back(d.descriptor.name);
  return names;
}

Tableau make_tableau(const std::string& name, const Parameters& parameters) {
  for (const Discretization& d : all()) {
    if (d.descriptor.name != name) continue;
    Parameters complete;
    for (const ParameterDoc& p : d.descriptor.parameters) {
      const auto given = parameters.find(p.name);
      complete[p.name] = given == parameters.end() ? p.default_value : given->second;
    }
    return d.make(complete);
  }
  throw std::invalid_argument("no discretization named " + name);
}

Tableau linear_path(const std::string& name, std::vector<double> b, const std::vector<double>& c) {
  const int points = static_cast<int>(b.size());
  return {.name = name,
          .points = points,
          .unknowns = 1,
          .b = std::move(b),
          .c = c,
          .A = c,
          .B = std::vector<double>(points, 1.0),
          .beta = {1.0}};
}

// The path is read from its other end: q_i = q1 − h Σ_j (β_j − A_ij) V_j.
Tableau Tableau::adjoint() const {
  Tableau result = *this;
  for (int i = 0; i < points; ++i) {
    result.c[i] = 1 - c[i];
    for (int j = 0; j < unknowns; ++j) result.A[i * unknowns + j] = beta[j] - a(i, j);
  }
  return result;
}

bool Tableau::ends_only() const {
  if (unknowns != 1) return false;
  for (const double point : c)
    if (point != 0 && point != 1) return false;
  return true;
}

}  // namespace ricochet
