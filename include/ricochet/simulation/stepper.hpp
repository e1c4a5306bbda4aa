#pragma once
// What a run drives. Methods on a System are wrapped in one (method_stepper.hpp); bodies on meshes are another.

#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/contact/impact.hpp"
#include "ricochet/simulation/episode.hpp"

namespace ricochet {

// What a run records of a state.
struct Observables {
  double t = 0;
  std::vector<double> q, v, p;
  double energy = 0;                          // H(q,p)
  std::vector<double> momenta;                // one for each declared symmetry
  std::vector<double> gaps;                   // one for each contact
  std::vector<double> scalars{};              // running ones: work.NAME, loss.impact …
  std::vector<std::vector<double>> fields{};  // of continua: x, v, stress
  std::vector<double> modes{};                // one for each contact: open, closed, sticks, slides (discrete/rub.hpp)
  std::vector<double> contact_forces{};       // of lasting contact in the last step (methods/contact_forces.hpp)
  std::vector<double> piece_modes{};          // for the hash: of each piece of the contacts
};

// A field of a continuum: numbers at the nodes or cells of all bodies, one body after another.
struct FieldLabel {
  std::string name;
  std::vector<std::int64_t> offsets;  // the node or cell with which each body begins, and the end
  std::int64_t components = 1;        // numbers at each
};

// A section of a run and one of its points (section_stepper.hpp).
struct SectionLabel {
  std::string name;
  bool at_impacts = false;
  std::vector<std::string> quantities;
};
struct SectionPoint {
  std::int64_t section;  // number
  double t;
  std::vector<double> values;  // of its quantities
};

// The names beside the numbers.
struct Labels {
  std::vector<std::string> coordinates, momenta, contacts, scalars{};
  std::vector<std::string> treatments{};  // of each contact, where contact comes in episodes
  std::vector<std::string> bodies{};
  std::vector<FieldLabel> fields{};
  std::vector<std::string> lasting{};         // contacts whose mode is told
  std::vector<std::string> contact_forces{};  // of each of them one normal, and tangential ones
  std::vector<std::int64_t> triangles{};      // of bodies in the plane: three nodes for each cell; on a line none
  std::vector<SectionLabel> sections{};
};

// Extremes over every step, recorded or not.
struct Extremes {
  double gap_min;           // +infinity without contacts
  double holonomic_max;     // -1 without constraints
  double nonholonomic_max;  // -1 without constraints
};

// A named count of something worth knowing, shown in summary.json: grazing_fallbacks, multi_impact_steps …
struct Counter {
  std::string name;
  std::int64_t count = 0;
};

// What a probe has measured: named numbers, "residuals.momentum"; NaN where there is nothing to say.
struct ProbeReport {
  std::string name;
  std::vector<std::pair<std::string, double>> values;
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual const Labels& labels() const = 0;
  // One step from time t0 to t0 + h. Throws SolverError or Interrupted; the state is then that before the step.
  virtual void advance(double t0, double h) = 0;
  virtual void stop_on(const std::atomic<bool>*) {}               // what a long step asks whether to throw Interrupted
  virtual std::span<const Impact> impacts() const = 0;            // of the last step
  virtual std::span<const Impact> changes() const { return {}; }  // of lasting contact in it, without an impulse
  virtual std::span<const Episode> episodes() const { return {}; }             // that ended in the last step
  virtual std::vector<Episode> open_episodes() { return {}; }                  // that would end now
  virtual std::span<const SectionPoint> section_points() const { return {}; }  // in the last step
  virtual std::vector<ProbeReport> probes() const { return {}; }
  virtual std::vector<ProbeReport> contact_reports() const { return {}; }
  virtual double stable_step() const { return 0; }                  // of all at once; 0: not known
  virtual Extremes extremes() = 0;                                  // of the last step, or of the start before any
  virtual void observe(Observables& out) = 0;                       // of the present state; no allocation once sized
  virtual std::vector<Counter> counters() const = 0;                // since the start
  virtual std::vector<std::string> warnings() const { return {}; }  // what is probably not meant, so far
  // After a failed step from the present state: what is wrong ahead, if it is known, in words.
  virtual std::string diagnosis(double, double) { return ""; }
  // Everything that the rest of the run depends on, bit for bit, and the counters.
  virtual std::vector<double> save() const = 0;
  virtual void load(std::span<const double> saved) = 0;
};

}  // namespace ricochet
