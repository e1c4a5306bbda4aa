#pragma once
// What a user says of bodies: on a line bars and columns of gas, walls, contacts, bonds, probes; in the plane solids of
// triangles and obstacles.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/continuum/material.hpp"
#include "ricochet/continuum/mesh.hpp"
#include "ricochet/continuum/plane_material.hpp"
#include "ricochet/continuum/plane_mesh.hpp"

namespace ricochet::continuum {

using Function = std::function<double(double)>;

// How two bodies, or a body and a wall, keep apart (contact.hpp, plane_contact.hpp).
enum class Treatment { multiplier, interval, redistributed, penalty, decomposed };
const char* name(Treatment treatment);

enum class Scheme { verlet, avi };
const char* name(Scheme scheme);

struct Body {
  std::string name;
  BarMesh mesh;
  Material material;
  double area = 1;
  Function displacement, velocity;              // of the reference position X; none: 0
  std::optional<Function> left_end, right_end;  // prescribed displacement as a function of time; fixed: 0
};

struct Wall {
  std::string name;
  double at = 0, normal = -1;  // ±1, into the free side
};

struct ContactPair {
  std::string a, b;
  Treatment treatment = Treatment::multiplier;
  double stiffness = 0;                        // penalty: traction for each unit of penetration
  double nodal_restitution = 0, friction = 0;  // decomposed
};

struct Bond {
  std::string a, b;
};

struct Probe {
  std::string name;
  bool interface = false;
  std::string body;  // of a front
  std::string a, b;  // of an interface
};

struct Viscosity {
  double linear = 0, quadratic = 0;
};

using PlaneFunction = std::function<std::array<double, 2>(double, double)>;  // of X and Y
using PlaneMotion = std::function<std::array<double, 2>(double)>;            // of t

struct EdgeCondition {
  std::string edge;
  enum Kind { fixed, moving, sliding } kind = fixed;
  PlaneMotion motion;  // of a moving edge: its displacement
};

struct PlaneBody {
  std::string name;
  PlaneMesh mesh;
  PlaneLaw law;
  double rho = 1;
  PlaneFunction displacement, velocity;  // none: 0
  std::vector<EdgeCondition> conditions;
};

struct PlaneWall {  // a half-plane, or a circle and what is in it
  std::string name;
  bool circle = false;
  std::array<double, 2> at{0, 0}, normal{0, 1};  // at: a point of the half-plane's edge, or the centre
  double radius = 0;
};

struct Plane {
  std::array<double, 2> gravity{0, 0};
  std::vector<PlaneBody> bodies;
  std::vector<PlaneWall> walls;
  unsigned threads = 0;  // 0: one for each core; results do not depend on it
};

struct Model {
  Scheme scheme = Scheme::verlet;
  std::optional<double> courant;  // of the stable step
  double start = 0;               // time
  double duration = 0;            // of the run, if it is known: Verlet then takes whole steps, a little shorter
  double gravity = 0;
  Viscosity viscosity;
  std::vector<Body> bodies;
  std::vector<Wall> walls;
  std::vector<ContactPair> contacts;
  std::vector<Bond> bonds;
  std::vector<Probe> probes;
  std::optional<Plane> plane;  // bodies in the plane; then there are none on the line
};

// Verlet 0.9, with an interval contact 1; AVI 0.25.
double courant_number(const Model& model);
double default_courant(Scheme scheme);

}  // namespace ricochet::continuum
