#pragma once
// [expect] of a document. Paths are checked against the names of summary.json, so that a misspelt one is an error
// before the run and not a failed expectation after it.

#include "ricochet/scenario/scenario.hpp"
#include "toml_reader.hpp"

namespace ricochet {

std::vector<Expectation> read_expect(const TableReader& expect, const Model& model, const std::string& method);

}  // namespace ricochet
