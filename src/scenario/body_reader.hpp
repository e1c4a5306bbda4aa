#pragma once
// What bodies on a line and in the plane are read with alike: names, positive numbers, lists with one entry for each
// dimension, and such lists of formulas.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "toml_reader.hpp"

namespace ricochet::continuum {

// The key `name`, which no other thing in `names` has.
std::string read_own_name(TableReader& table, const std::string& thing, std::set<std::string>& names);

double read_number_above_zero(TableReader& table, const char* name, const std::string& what);

// A list with as many entries as there are dimensions, 1 or 2.
const toml::array& read_entries(const TableReader& table, const toml::node& node, const std::string& name,
                                std::size_t dimension);

// f(at, values): one formula for each dimension, of the given variables; {"t"}: of time.
using Formulas = std::function<void(const double* at, double* values)>;
Formulas read_formulas(const TableReader& table, const toml::node& node, const std::string& name,
                       const std::string& purpose, const std::vector<std::string>& variables, std::size_t dimension);

}  // namespace ricochet::continuum
