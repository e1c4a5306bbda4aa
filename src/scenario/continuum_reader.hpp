#pragma once
// [continuum]: bodies on a line, or in the plane (plane_reader.hpp), with their meshes, materials, walls, contacts,
// bonds and probes.

#include "ricochet/continuum/model.hpp"
#include "toml_reader.hpp"

namespace ricochet::continuum {

Model read_continuum(TableReader table);

}  // namespace ricochet::continuum
