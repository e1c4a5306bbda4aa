#pragma once
// Asynchronous variational integration (Lew, Marsden, Ortiz, West): every element has its own time step Δt_e and
// enters the discrete action at its own times,
//   S = Σ_a Σ ½ m_a (Δu_a)²/Δt_a − Σ_e Σ_j Δt_e V_e(u(t_e^j)),  t_e^j = t_0 + (j + ½) Δt_e.
// Stationary: between the events of its elements a node flies freely; at an event of element e its nodes are brought to
// t_e, u_a += (t_e − t_a) v_a, and kicked, v_a −= Δt_e ∂V_e/∂u_a / m_a. A priority queue gives the next event; ties go
// by element number, so that a run has one order. The times t_e^j are the middles of the element's steps: at equal
// steps this is Verlet's method, drift-kick-drift.
//
// Δt_e = courant · dx/c is rounded down to one of Δt_max 2^{−k/2}. Neighbours in a body then often have the same clock,
// and a run of such elements is one entry of the queue: what every element does, and in which order, is the same.
//
// Contact: `penalty` and `redistributed` are potentials with a clock of their own, the shortest of the elements beside
// them; momentum is kept and the structure too. `multiplier` is plastic at the events of the end elements: ends that
// have met and approach each other get a common velocity; momentum is kept, energy only falls, and ends may penetrate
// by what they fly in one step.
//
// Weight is part of the elements' potentials.
//
// Kept: momentum, and the discrete multisymplectic form. Not kept: energy. It stays within a band for small steps, but
// clocks can resonate, and the energy then grows without end. No step is proved safe; the closer the clocks, the more
// they resonate. Of a bar graded 20:1 the energy grows by 22 % until T = 50 at half of the stable step with exact
// clocks; with clocks a quarter of an octave apart it grows at .3, by 10¹⁰⁷ until T = 1000; with these it stays within
// 1 % up to .6 and grows at .7. Stay at .3 or below.

#include "ricochet/continuum/bar.hpp"
#include "ricochet/continuum/integrator.hpp"

namespace ricochet::continuum {

class Avi : public Integrator {
 public:
  static Descriptor descriptor();
  explicit Avi(const Bar& bar);  // keeps a reference
  void advance(double t0, double h) override;
  void bring_to(double t, std::vector<double>& u) const override;
  const std::vector<double>& velocities() const override { return v_; }
  Energies energies() const override;
  const Balance& balance() const override { return balance_; }
  std::span<const ContactForce> contacts() const override { return forces_; }
  double gap(std::size_t touch) const override;
  std::int64_t updates() const override { return updates_; }
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& in) override;

  // The step of a cell, 0 for one that belongs to a contact.
  double element_step(std::size_t cell) const { return steps_[cell]; }

 private:
  struct Run {  // elements first … last − 1 of a part with one clock; or a contact, if part < 0
    std::size_t first, last;
    int part, touch;
    double step;
    std::int64_t count = 0;  // events so far
    double before = 0;       // time of the last, which is that of the nodes inside
    double time = 0;         // of the next
  };
  void set_count(Run& run, std::int64_t count) const;
  bool later(std::size_t a, std::size_t b) const;
  void sink(std::size_t place);
  void drift(std::size_t node, double t);
  void kick(std::size_t node, double impulse);
  template <class M>
  void elements(const Run& run, const M& material);
  void dissipate(double dt, std::size_t first, std::size_t last);
  void press(ContactForce& contact, std::size_t a, std::size_t b, double J);
  void contact_spring(const Run& run);
  double closing(std::size_t node) const;
  void plastic(std::size_t touch, double t, double before);
  void events(double t0, double h);

  const Bar& bar_;
  std::vector<double> u_, v_, t_;  // a node's displacement is that at its own time; inside a run that of the run
  std::vector<double> q_;          // viscous forces
  std::vector<double> steps_;
  std::vector<int> support_of_, touch_of_;  // of a node, or −1
  std::vector<Run> runs_;
  std::vector<std::size_t> queue_;  // a heap of runs, the next one in front
  std::vector<ContactForce> forces_;
  Balance balance_;
  double now_;
  bool all_linear_ = true;      // else an event may turn a cell inside out, and the step is undone
  std::vector<double> before_;  // the state to return to then
  std::int64_t updates_ = 0;
};

}  // namespace ricochet::continuum
