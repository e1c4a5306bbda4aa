#pragma once
// What advances the nodes of bodies in time: verlet.hpp, avi.hpp on a line, plane_verlet.hpp, plane_avi.hpp in the
// plane. All come from one action, summed over space-time cells; they differ in when the cells of different elements
// end. Displacements and velocities have one number for each node on a line, two in the plane.

#include <cstdint>
#include <span>
#include <vector>

#include "ricochet/continuum/model.hpp"
#include "ricochet/descriptor.hpp"

namespace ricochet::continuum {

struct Energies {
  double kinetic = 0, elastic = 0, gravity = 0;
  double total() const { return kinetic + elastic + gravity; }
};

struct Impulse {
  double x = 0, y = 0, angular = 0;  // on a line x alone
};

// Works and impulses since the start, from forces and velocities. The energy changes by the sum of the works, the
// momenta by those of the impulses.
struct Balance {
  double contact = 0, moving = 0, viscosity = 0, friction = 0;
  Impulse support, gravity;  // fixed and moving ends and walls; weight
  double works() const { return contact + moving + viscosity + friction; }
};

struct ContactForce {
  double force = 0;     // in the last step
  double impulse = 0;   // of the last step: of all normals together
  double x = 0, y = 0;  // in the plane: impulse of the last step on the second body
  bool closed = false;  // it pressed in the last step
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual void advance(double t0, double h) = 0;                      // throws SolverError before anything has changed
  virtual void bring_to(double t, std::vector<double>& u) const = 0;  // displacements of all nodes at time t
  virtual const std::vector<double>& velocities() const = 0;
  virtual Energies energies() const = 0;  // as balanced by the scheme
  virtual const Balance& balance() const = 0;
  virtual std::span<const ContactForce> contacts() const = 0;  // one for each touch
  virtual double gap(std::size_t touch) const = 0;
  virtual std::int64_t updates() const = 0;  // of elements, since the start
  virtual void save(std::vector<double>& out) const = 0;
  virtual void load(std::span<const double>& in) = 0;  // takes its part from the front
};

inline constexpr const char* updates_counter = "element_updates";  // what updates() is called in summary.json

// What the integrators say of themselves, in the order of Scheme.
const std::vector<Descriptor>& integrator_descriptors();

// Numbers in a row, as save and load need them.
inline void put(std::vector<double>& out, const std::vector<double>& values) {
  out.insert(out.end(), values.begin(), values.end());
}
void take(std::span<const double>& in, std::span<double> values);  // throws InputError if there are too few
void put(std::vector<double>& out, std::span<const ContactForce> forces, const Balance& balance, std::int64_t updates);
void take(std::span<const double>& in, std::span<ContactForce> forces, Balance& balance, std::int64_t& updates);

}  // namespace ricochet::continuum
