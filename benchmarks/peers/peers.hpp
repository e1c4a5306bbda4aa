#pragma once
// The problems that every peer runs, and how a run is judged: number of impacts, error of impact times, energy, deepest
// penetration, time per step. Prints one line of CSV for each problem; `compare` makes a table of them.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

struct Body {
  double x, y, theta, vx, vy, omega;
};

// particle: FMOW03 section 4.2. star: section 4.3, its hull a square. planet: potential −1/r, ball bouncing off r = 1.
struct Problem {
  const char* name;
  double g, h, duration;
  Body start;
  double inertia;
  std::vector<double> times;  // of the first impacts, exact

  bool is(const char* other) const { return std::strcmp(name, other) == 0; }
  double potential(const Body& b) const { return is("planet") ? -1 / std::hypot(b.x, b.y) : g * b.y; }
  double energy(const Body& b) const {
    return (b.vx * b.vx + b.vy * b.vy + inertia * b.omega * b.omega) / 2 + potential(b);
  }
  double gap(const Body& b) const {
    if (is("planet")) return std::hypot(b.x, b.y) - 1;
    return is("star") ? b.y - 0.5 * (std::abs(std::sin(b.theta)) + std::abs(std::cos(b.theta))) : b.y;
  }
  void force(const Body& b, double& fx, double& fy) const {
    const double r = std::hypot(b.x, b.y);
    fx = is("planet") ? -b.x / (r * r * r) : 0;
    fy = is("planet") ? -b.y / (r * r * r) : -g;
  }
};

// STAR_TIMES and PLANET_TIMES come from `compare`, which says how they are known.
inline std::vector<Problem> problems() {
  const double fall = std::sqrt(2 / 9.81);
  return {{"particle", 9.81, 0.01, 100, {0, 1, 0, -2, 0, 0}, 0, {fall, 3 * fall, 5 * fall}},
          {"star", 9.8, 0.005, 100, {0, 3.5, 0, -2, 0, 5}, 29.0 / 192, {STAR_TIMES}},
          {"planet", 0, 0.01, 100, {1.8, 0, 0, 0, 0.4, 0}, 0, {PLANET_TIMES}}};
}

class Judge {
 public:
  Judge(const char* code, const Problem& problem) : code_(code), problem_(problem), before_(problem.start) {}

  // A step ended at time t. Methods without events pass no impact: a jump of the velocity beyond the free fall is one,
  // at the end of its step; a contact that lasts several steps is one.
  void step(double t, const Body& b, bool find_impacts) {
    double fx, fy;
    problem_.force(before_, fx, fy);
    const double h = t - t_, jump = std::hypot(b.vx - before_.vx - h * fx, b.vy - before_.vy - h * fy);
    const bool in_contact = jump > 0.1;
    if (find_impacts && in_contact && !in_contact_) impact(t);
    in_contact_ = in_contact;
    deepest_ = std::fmin(deepest_, problem_.gap(b));
    const double e = problem_.energy(b) - problem_.energy(problem_.start);
    low_ = std::fmin(low_, e), high_ = std::fmax(high_, e), last_ = e;
    before_ = b;
    t_ = t;
  }
  void impact(double t) { times_.push_back(t); }

  void print(double nanoseconds_per_step) const {
    double error = 0;
    for (std::size_t k = 0; k < problem_.times.size(); ++k)
      error = std::fmax(error, k < times_.size() ? std::abs(times_[k] - problem_.times[k]) : INFINITY);
    const double e0 = std::abs(problem_.energy(problem_.start));
    std::printf("%s,%s,%zu,%.1e,%.1e,%.1e,%.1e,%.0f\n", problem_.name, code_, times_.size(), error, last_ / e0,
                (high_ - low_) / e0, std::fmax(0.0, -deepest_), nanoseconds_per_step);
  }

 private:
  const char* code_;
  Problem problem_;
  Body before_;
  std::vector<double> times_;
  double t_ = 0, deepest_ = 0, low_ = 0, high_ = 0, last_ = 0;
  bool in_contact_ = false;
};

// Of processor time: other programs may run.
inline double nanoseconds_since(std::clock_t start) {
  return 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// World(problem) with step(h) and body(): judged once, then timed without the judge.
template <class World>
void run_fixed_steps(const char* code) {
  for (const Problem& problem : problems()) {
    const int steps = static_cast<int>(std::lround(problem.duration / problem.h));
    Judge judge(code, problem);
    World world(problem);
    for (int k = 1; k <= steps; ++k) {
      world.step(problem.h);
      judge.step(k * problem.h, world.body(), true);
    }
    World again(problem);
    const std::clock_t start = std::clock();
    for (int k = 1; k <= steps; ++k) again.step(problem.h);
    judge.print(nanoseconds_since(start) / steps);
  }
}
