#pragma once
// Bodies and walls of [continuum] in the plane: meshes of triangles, materials in plane strain, starts and edges.

#include <set>
#include <string>

#include "ricochet/continuum/model.hpp"
#include "toml_reader.hpp"

namespace ricochet::continuum {

// By the mesh: every kind but a bar lies in the plane.
bool lies_in_plane(const TableReader& continuum);

PlaneBody read_plane_body(TableReader table, std::set<std::string>& names);
PlaneWall read_plane_wall(TableReader table, std::set<std::string>& names);
std::array<double, 2> read_pair(const TableReader& table, const toml::node& node, const std::string& name);

}  // namespace ricochet::continuum
