#pragma once
// Asynchronous variational integration in the plane, as avi.hpp on a line: every element has a step Δt_e of its own,
// rounded down to one of Δt_max 2^{−k/2}; at t = (j + ½)Δt_e its nodes are brought to t and kicked,
//   u_a += (t − t_a) v_a,   v_a −= Δt_e ∂V_e/∂u_a / m_a.
// All elements with one step are one entry of the queue, on all cores. Weight is part of the elements' potentials.
//
// Contact has a clock too, the shortest of the elements at the boundaries that meet: there all nodes of these
// boundaries are brought to its time, and get the impulses of contact_response.hpp (multiplier, decomposed) or of the
// springs (penalty). Between its events nodes may penetrate by what kicks of a step make them fly. To restitution, the
// velocity before an event is that in the mean since the last one, and works are taken over ways between events: kicks
// of elements that the contact takes back at once are no approach.
//
// Kept: momentum and angular momentum (drifts keep x × v, kicks of an element and of a contact have no moment), the
// multisymplectic form. Not kept: energy; clocks can resonate (avi.hpp).

#include "ricochet/continuum/plane_integrator.hpp"

namespace ricochet::continuum {

class PlaneAvi : public PlaneIntegrator {
 public:
  PlaneAvi(const Solid& solid, PlaneContacts& contacts, unsigned threads);  // keeps references
  void advance(double t0, double h) override;
  void bring_to(double t, std::vector<double>& u) const override;
  Energies energies() const override;
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& in) override;
  std::size_t clocks() const { return clocks_.size(); }

 private:
  struct Clock {  // of elements with one step; of the contacts, if there are no masses
    double step = 0;
    NodeForces elastic;
    std::vector<int> nodes;
    std::vector<double> mass;  // of these elements at each node
    std::int64_t count = 0;
    double time = 0;
  };
  void set_count(Clock& clock, std::int64_t count) const;
  void drift(int node, double t);
  void kick(int node, double x, double y);
  void elements(Clock& clock);
  void touch(const Clock& clock);
  void work(const Clock& clock);
  void events(double end);
  void look();

  std::vector<double> t_;                              // of each node
  std::vector<double> last_, normal_, tangent_, way_;  // displacements at the last event of the contacts, its impulses
                                                       // on the nodes, and velocities in the mean since it
  std::vector<Clock> clocks_;
  std::vector<double> at_now_, before_, saved_;
  double now_;
};

}  // namespace ricochet::continuum
