#pragma once
// What a line of the ledger says, described once. ledger.csv, the group impacts of trajectory.h5, the check for
// infinities and the page follow this table in its order: a new field is one line of it, and its meaning in
// docs/files.md.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>

#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

struct LedgerLine {
  std::int64_t step;
  const Impact& impact;
  const Labels& labels;
  const Episode* episode = nullptr;  // where contact comes in episodes
};

struct LedgerField {
  using Number = std::function<double(const Impact&)>;
  using EpisodeNumber = double Episode::*;  // there where contact comes in episodes
  using Integer = std::int64_t (*)(const LedgerLine&);
  using Text = std::string (*)(const LedgerLine&);
  using State = std::vector<double> Impact::*;  // one number for each coordinate; empty if the method does not tell
  struct OfContacts {                           // `each` numbers for each contact, the sum over its impulses
    std::size_t each;
    std::array<double, 2> (*of)(const ContactImpulse&);
  };
  using LawOfContacts = std::int64_t (*)(const Impact&, const ContactImpulse&);  // one for each contact; −1: no impulse

  const char* column;   // of ledger.csv (`column.NAME` of a state); null: not there
  const char* dataset;  // impacts/… of trajectory.h5; null: not there
  std::variant<Number, EpisodeNumber, Integer, Text, State, OfContacts, LawOfContacts> value;
  bool on_page = false;  // a column of the table in report.html

  bool exists(const Labels& labels) const {
    return !std::holds_alternative<EpisodeNumber>(value) || !labels.treatments.empty();
  }
};

std::span<const LedgerField> ledger_fields();

// The law of a line in words: that of its contacts, or how an episode's contact is treated.
std::string law_of(const LedgerLine& line);

}  // namespace ricochet
