#pragma once
// impacts = ["floor", "wall"] of a design problem: contacts in the order of their impacts, both at once as floor+wall.

#include <string>
#include <vector>

#include "ricochet/mechanics/model.hpp"
#include "toml_reader.hpp"

namespace ricochet {

std::vector<std::string> read_sequence(TableReader& table, const toml::node& node, const Model& model);

}  // namespace ricochet
