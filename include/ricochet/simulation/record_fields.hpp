#pragma once
// What a run records of a state, described once. The datasets of trajectory.h5, the columns of `export --csv`, the
// check for infinities and the state hash follow this table in its order: a new field is one line of it, and its
// meaning in docs/files.md. (The step number and the fields of continua are beside it.)

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

struct RecordField {
  const char* dataset;  // of trajectory.h5
  const char* column;   // of the exported CSV, `column.NAME` if there are names; empty: the names alone
  std::variant<double Observables::*, std::vector<double> Observables::*> value;
  std::vector<std::string> Labels::*names = nullptr;  // of a list of numbers
  bool hashed = false;                                // part of the state hash
};

std::span<const RecordField> record_fields();

}  // namespace ricochet
