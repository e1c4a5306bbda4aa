#pragma once
// A small Stepper for the tests of the run loop: a harmonic oscillator in two coordinates, kick-drift-kick, with a wall
// at q0 = -wall off which it bounces. Its momentum map is the (not conserved) p1; it can be told to fail or to break at
// a step.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "ricochet/error.hpp"
#include "ricochet/simulation/run.hpp"

namespace ricochet {

class ToyStepper : public Stepper {
 public:
  double wall = 0.5;
  double fail_at = std::numeric_limits<double>::infinity();   // advance throws when t0 >= fail_at
  double break_at = std::numeric_limits<double>::infinity();  // the state is NaN after a step from t0 >= break_at
  std::vector<double> lengths;                                // of the steps taken, if keep_lengths
  bool keep_lengths = false;

  const Labels& labels() const override { return labels_; }

  void advance(double t0, double h) override {
    if (t0 >= fail_at) throw SolverError("Newton did not converge", 0.25, 50, "try a smaller step");
    impacts_.clear();
    if (keep_lengths) lengths.push_back(h);
    t_ = t0;
    for (int i = 0; i < 2; ++i) p_[i] -= h / 2 * q_[i];
    for (int i = 0; i < 2; ++i) q_[i] += h * p_[i];
    for (int i = 0; i < 2; ++i) p_[i] -= h / 2 * q_[i];
    if (q_[0] < -wall && p_[0] < 0) {
      Impact hit;
      hit.time = t0;
      hit.contacts = {{0, -2 * p_[0]}};
      hit.energy_before = hit.energy_after = energy();
      hit.momentum_change = -2 * p_[0];
      hit.constraint_impulse = 0.5 * p_[0];
      hit.contacts.front().tangential = {0.125 * p_[1], 0};
      hit.loss = -0.25 * p_[0] * p_[0];
      hit.obstacle_work = 0.25 * p_[0] * p_[0];
      hit.q.assign(q_, q_ + 2);
      hit.v_before.assign(p_, p_ + 2);
      p_[0] = -p_[0];
      hit.v_after.assign(p_, p_ + 2);
      impacts_.push_back(hit);
      ++bounces_;
      loss_ += hit.loss;
    }
    h_sum_ += h * p_[1];
    if (t0 >= break_at) q_[1] = std::numeric_limits<double>::quiet_NaN();
  }
  std::span<const Impact> impacts() const override { return impacts_; }
  Extremes extremes() override { return {q_[0] + wall, -1, -1}; }
  void observe(Observables& out) override {
    out.t = t_;
    out.q.assign(q_, q_ + 2);
    out.v.assign(p_, p_ + 2);
    out.p.assign(p_, p_ + 2);
    out.energy = energy();
    out.momenta.assign(1, p_[1]);
    out.gaps.assign(1, q_[0] + wall);
    out.scalars.assign({h_sum_, loss_});
  }
  std::vector<Counter> counters() const override { return {{"bounces", bounces_}}; }
  std::vector<double> save() const override {
    return {t_, q_[0], q_[1], p_[0], p_[1], static_cast<double>(bounces_), h_sum_, loss_};
  }
  void load(std::span<const double> s) override {
    t_ = s[0], q_[0] = s[1], q_[1] = s[2], p_[0] = s[3], p_[1] = s[4];
    bounces_ = static_cast<std::int64_t>(s[5]);
    h_sum_ = s[6], loss_ = s[7];
  }

 private:
  double energy() const { return (q_[0] * q_[0] + q_[1] * q_[1] + p_[0] * p_[0] + p_[1] * p_[1]) / 2; }
  Labels labels_{{"x", "y"}, {"vertical momentum"}, {"left, wall"}, {"work.toy", "loss.impact"}};
  double h_sum_ = 0, loss_ = 0;  // running scalars: Σ h p1 and what the wall takes
  double t_ = 0, q_[2] = {1, 0.3}, p_[2] = {0, 0.1};
  std::int64_t bounces_ = 0;
  std::vector<Impact> impacts_;
};

inline RunDescription toy_description() {
  return {"Toy", "kick-drift-kick", "none", "toy.toml", "title = \"Toy\"\n# ä\n", {"run.duration=3"}};
}

inline RunSettings toy_settings(double step, double duration) {
  RunSettings s;
  s.step = step;
  s.duration = duration;
  return s;
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Where little is written and often synced.
inline std::filesystem::path memory_directory() {
  const std::filesystem::path memory = "/dev/shm";
  return std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
}

// A directory that goes with the test.
struct TemporaryDirectory {
  std::filesystem::path path;
  explicit TemporaryDirectory(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "ricochet_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
    path = name;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
};

}  // namespace ricochet
