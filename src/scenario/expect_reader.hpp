#pragma once
// [expect] of a document. Paths are checked against the names of summary.json, so that a misspelt one is an error
// before the run and not a failed expectation after it.

#include "ricochet/scenario/scenario.hpp"
#include "toml_reader.hpp"

namespace ricochet {

// The names of summary.json that differ from run to run.
struct SummaryFields {
  std::size_t coordinates = 0;
  std::vector<std::string> momenta, scalars, counters;
  // "probes" and "contacts": the names of each, and of what they report
  std::vector<std::pair<std::string, std::vector<std::string>>> probes{}, contacts{};
  std::vector<std::string> unknowns{}, conditions{}, quantities{};
  std::size_t floquet = 0;  // how many multipliers
  std::size_t times = 0;    // of an optimal control problem: impacts and end
};
SummaryFields summary_fields(const Scenario& scenario);
SummaryFields summary_fields(const continuum::Model& model);

std::vector<Expectation> read_expect(const TableReader& expect, const SummaryFields& fields);

}  // namespace ricochet
