#pragma once
// No output ever holds NaN or infinity: these stand between the stepper and the files.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "ricochet/error.hpp"
#include "ricochet/simulation/ledger_fields.hpp"
#include "ricochet/simulation/record_fields.hpp"

namespace ricochet {

inline SolverError not_finite(const std::string& what = "the state") {
  return SolverError(what + " became infinite or not a number", -1, -1, "try a smaller step");
}

inline bool all_finite(double x) { return std::isfinite(x); }
inline bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

inline bool finite(const Observables& o) {
  const auto is_finite = [&](const RecordField& f) {
    return std::visit([&](auto member) { return all_finite(o.*member); }, f.value);
  };
  const std::span<const RecordField> fields = record_fields();
  return std::all_of(fields.begin(), fields.end(), is_finite) &&
         std::all_of(o.fields.begin(), o.fields.end(), [](const auto& field) { return all_finite(field); });
}

struct FiniteField {
  const LedgerLine& line;
  bool operator()(const LedgerField::Number& of) const { return all_finite(of(line.impact)); }
  bool operator()(LedgerField::EpisodeNumber of) const { return !line.episode || all_finite(line.episode->*of); }
  bool operator()(LedgerField::State of) const { return all_finite(line.impact.*of); }
  bool operator()(const LedgerField::OfContacts& field) const {
    const std::vector<ContactImpulse>& all = line.impact.contacts;
    return std::all_of(all.begin(), all.end(), [&](const ContactImpulse& c) { return all_finite(field.of(c)); });
  }
  bool operator()(const auto&) const { return true; }  // texts and integers
};

inline void check_finite(const LedgerLine& line) {
  for (const LedgerField& field : ledger_fields())
    if (!std::visit(FiniteField{line}, field.value))
      throw not_finite(fmt::format("{} of an {}", field.dataset, line.episode ? "episode of contact" : "impact"));
}

inline void check_finite(const SectionPoint& point, const Labels& labels) {
  if (!all_finite(point.values))
    throw not_finite(
        fmt::format("a quantity of section '{}'", labels.sections[static_cast<std::size_t>(point.section)].name));
}

inline void check_finite(const Extremes& e) {
  if (std::isnan(e.gap_min) || std::isnan(e.holonomic_max) || std::isnan(e.nonholonomic_max)) throw not_finite();
}

}  // namespace ricochet
