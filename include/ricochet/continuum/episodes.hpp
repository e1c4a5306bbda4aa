#pragma once
// From the forces of single steps to episodes of contact. One begins with the first step in which a contact presses and
// ends with the last before a pause of more than two cell transits; what happens in shorter pauses belongs to it.
//
// Energies and the velocities of the centres of mass are needed once when an episode begins and once when its force
// ends. What they were before the first step follows from the works and the contact impulses of that step. The
// restitution is taken along the total impulse.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "ricochet/continuum/bar.hpp"
#include "ricochet/continuum/integrator.hpp"
#include "ricochet/simulation/episode.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet::continuum {

// A rigid frame for what is told of contacts: chains of bonded bodies with their nodes, and who meets whom.
struct Chain {
  std::size_t first, last;  // nodes
  double mass = 0;
};
struct Meeting {
  std::string name;
  int a = -1, b = -1;  // chains; −1: a wall
  double pause = 0;    // two cell transits
};
struct Encounters {
  int dimension = 1;
  std::vector<Chain> chains;
  std::vector<Meeting> meetings;
  std::vector<double> mass, start;  // of the nodes; velocities at the start
};
Encounters encounters(const Bar& bar);

class Episodes {
 public:
  explicit Episodes(Encounters encounters);
  void before_step(const Integrator& now);
  void after_step(const Integrator& now, std::int64_t step, double t0, double h);
  std::span<const Episode> ended() const { return ended_; }      // in the last step
  std::vector<Episode> still_open(const Integrator& now) const;  // as if they ended now
  // What all episodes of each contact so far come to: their number, impulse, largest force, and of the last its begin,
  // duration and restitution.
  std::vector<ProbeReport> report(const Integrator& now) const;
  static std::vector<std::string> value_names();
  void save(std::vector<double>& out) const;
  void load(std::span<const double>& in);

 private:
  using Vector = std::array<double, 2>;
  struct Open {
    bool open = false, pressing = false;
    double step = 0, begin = 0, end = 0, gap = 0, impulse = 0, largest = 0;
    double energy_before = 0, energy_after = 0;
    Vector total{}, approach{}, separation{};
  };
  struct Total {
    double episodes = 0, impulse = 0, largest = 0, begin = 0, end = 0, restitution = 0;
    void add(const Episode& e);
  };
  Vector relative_velocity(const Meeting& m, const std::vector<double>& v) const;  // of the centres of mass
  // Before a step, from the velocities and impulses after it; 0 where it is round-off.
  Vector approach(const Meeting& m, const std::vector<double>& v, std::span<const ContactForce> contacts) const;
  Vector change_by_contacts(const Meeting& m, std::span<const ContactForce> contacts) const;  // of it, in a step
  Vector impulse(const ContactForce& f) const;                                                // on the second body
  Episode episode(std::size_t touch, const Open& o) const;

  Encounters who_;
  std::vector<Open> open_;
  std::vector<Total> totals_;
  std::vector<Episode> ended_;
  double works_ = 0;
};

}  // namespace ricochet::continuum
