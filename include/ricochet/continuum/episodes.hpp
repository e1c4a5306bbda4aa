#pragma once
// From the forces of single steps to episodes of contact. One begins with the first step in which a contact presses and
// ends with the last before a pause of more than two cell transits; what happens in shorter pauses belongs to it.
//
// Energies and the velocities of the centres of mass are needed once when an episode begins and once when its force
// ends. What they were before the first step follows from the works and the contact impulses of that step.

#include <span>
#include <vector>

#include "ricochet/continuum/integrator.hpp"
#include "ricochet/simulation/episode.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet::continuum {

class Episodes {
 public:
  explicit Episodes(const Bar& bar);
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
  struct Open {
    bool open = false, pressing = false;
    double step = 0, begin = 0, end = 0, gap = 0, impulse = 0, largest = 0;
    double energy_before = 0, energy_after = 0, approach = 0, separation = 0;
  };
  struct Total {
    double episodes = 0, impulse = 0, largest = 0, begin = 0, end = 0, restitution = 0;
    void add(const Episode& e);
  };
  double relative_velocity(const Touch& touch, const std::vector<double>& v) const;  // of the centres of mass
  // Before a step, from the velocities and impulses after it; 0 where it is round-off.
  double approach(const Touch& touch, const std::vector<double>& v, std::span<const ContactForce> contacts) const;
  double change_by_contacts(const Touch& touch, std::span<const ContactForce> contacts) const;  // of it, in a step
  Episode episode(std::size_t touch, const Open& o) const;

  const Bar& bar_;
  struct Chain {  // bonded bodies: nodes first … last
    std::size_t first, last;
    double mass;
  };
  std::vector<Chain> chains_;
  std::vector<double> pause_;  // two cell transits
  std::vector<Open> open_;
  std::vector<Total> totals_;
  std::vector<Episode> ended_;
  double works_ = 0;
};

}  // namespace ricochet::continuum
