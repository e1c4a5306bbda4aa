#pragma once
// A square of two triangles with named edges, and a point and a line inside that no one needs, in both formats of Gmsh.

namespace ricochet::test {

inline constexpr const char* gmsh_22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
1 7 "clamp"
1 8 "free side"
2 9 "body"
$EndPhysicalNames
$Comments
anything $Nodes here
$EndComments
$Nodes
5
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
9 0.5 5e0 0
$EndNodes
$Elements
7
1 15 2 0 1 9
2 1 2 7 1 1 4
3 1 2 8 2 2 3
4 1 2 0 3 1 2
5 1 2 8 4 1 3
6 2 2 9 1 1 2 3
7 2 2 9 1 1 3 4
$EndElements
)";

inline constexpr const char* gmsh_41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
1 7 "clamp"
1 8 "free side"
$EndPhysicalNames
$Entities
1 2 1 0
1 0.5 5 0 0
1 0 0 0 0 1 0 1 7 0
2 1 0 0 1 1 0 1 8 2 1 -1
1 0 0 0 1 1 0 0 2 1 2
$EndEntities
$Nodes
2 5 1 9
0 1 0 1
9
0.5 5 0
2 1 1 4
1
2
3
4
0 0 0 0.1 0.2
1 0 0 0.1 0.2
1 1 0 0.1 0.2
0 1 0 0.1 0.2
$EndNodes
$Elements
4 5 1 7
0 1 15 1
1 9
1 1 1 1
2 1 4
1 2 1 1
3 2 3
2 1 2 2
6 1 2 3
7 1 3 4
$EndElements
)";

}  // namespace ricochet::test
