// Mutated Gmsh files of both formats: each gives a mesh without defect or a MeshError.

#include <cstdlib>

#include "../tests/support/gmsh_files.hpp"
#include "driver.hpp"
#include "ricochet/continuum/gmsh.hpp"

namespace {

void target(const std::string& input) {
  try {
    const ricochet::continuum::PlaneMesh mesh = ricochet::continuum::read_gmsh_text(input, "fuzz.msh");
    if (!ricochet::continuum::defect(mesh).empty()) std::abort();
  } catch (const ricochet::continuum::MeshError&) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> corpus{ricochet::test::gmsh_22, ricochet::test::gmsh_41},
      dictionary{"$Nodes",      "$EndNodes",
                 "$Elements",   "$EndElements",
                 "$Entities",   "$PhysicalNames",
                 "$MeshFormat", "4.1",
                 "2.2",         "0",
                 "1",           "-1",
                 "15",          "3",
                 "1e308",       "nan",
                 "\"",          "\n",
                 "999999999",   " "};
  return ricochet::fuzz::run(argc, argv, corpus, dictionary, target, {});
}
