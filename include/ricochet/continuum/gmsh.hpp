#pragma once
// Triangle meshes from Gmsh files, formats 2.2 and 4.1, ASCII. The kept library that reads them, Gmsh's own, is GPL; of
// its format five sections matter: $MeshFormat, $PhysicalNames, $Entities (4.1), $Nodes, $Elements. Others are skipped.
//
// Three-node triangles become the body; two-node lines with a physical group name edges (a group without a name is
// called by its number). Points, and nodes of no triangle, are left out; other elements are refused. Numbers of nodes
// and elements in messages are those of the file.

#include <filesystem>
#include <stdexcept>
#include <string>

#include "ricochet/continuum/plane_mesh.hpp"

namespace ricochet::continuum {

struct MeshError : std::runtime_error {  // "file:line: what"
  using std::runtime_error::runtime_error;
};

PlaneMesh read_gmsh(const std::filesystem::path& file);  // throws MeshError
PlaneMesh read_gmsh_text(const std::string& text, const std::string& name);

}  // namespace ricochet::continuum
