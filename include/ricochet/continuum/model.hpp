#pragma once
// What a user says of bodies on a line: bars and columns of gas, walls, contacts, bonds, probes.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/continuum/material.hpp"
#include "ricochet/continuum/mesh.hpp"

namespace ricochet::continuum {

using Function = std::function<double(double)>;

// How the ends of two bodies, or of a body and a wall, keep apart (contact.hpp).
enum class Treatment { multiplier, interval, redistributed, penalty };
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
  double stiffness = 0;  // penalty: traction for each unit of penetration
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
};

// Verlet 0.9, with an interval contact 1; AVI 0.25.
double courant_number(const Model& model);
double default_courant(Scheme scheme);

}  // namespace ricochet::continuum
