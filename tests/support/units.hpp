#pragma once
// The same system in other units: lengths, times and masses scaled by powers of two. Nothing but exponents may change.
//
// A specimen is a model whose parameters have dimensions. Its coordinates have one too (an angle: none); the momentum
// of a coordinate of dimension Q has energy · time / Q.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/flight.hpp"

namespace ricochet::units {

struct Dimension {
  int length = 0, time = 0, mass = 0;
  Dimension operator*(Dimension o) const { return {length + o.length, time + o.time, mass + o.mass}; }
  Dimension operator/(Dimension o) const { return {length - o.length, time - o.time, mass - o.mass}; }
};
inline constexpr Dimension number{}, length{1, 0, 0}, duration{0, 1, 0}, mass{0, 0, 1}, acceleration{1, -2, 0},
    energy{2, -2, 1}, stiffness{0, -2, 1}, frequency{0, -1, 0};

// Exponents of two: a length of 1 is written as 2^length.
struct Units {
  int length = 0, time = 0, mass = 0;
  double operator()(double x, Dimension d) const {
    return std::ldexp(x, d.length * length + d.time * time + d.mass * mass);
  }
  // What has decayed to the edge of underflow has no digits to compare.
  double back(double x, Dimension d) const {
    const double value = Units{-length, -time, -mass}(x, d);
    return std::abs(value) < 1e-280 ? 0 : value;
  }
  std::string name() const {
    return "length 2^" + std::to_string(length) + ", time 2^" + std::to_string(time) + ", mass 2^" +
           std::to_string(mass);
  }
};

// 2^±10 and 2^±30 in one unit at a time, one odd exponent, and all at once.
inline std::vector<Units> others() {
  std::vector<Units> list{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-7, 13, 5}, {30, -10, 11}};
  for (const int e : {-30, -10, 10, 30}) {
    list.push_back({e, 0, 0});
    list.push_back({0, e, 0});
    list.push_back({0, 0, e});
  }
  return list;
}

struct Specimen {
  std::string name;
  std::function<Model(const Units&)> model;
  std::vector<Dimension> coordinates;
  std::vector<double> q, v;
  double step;
};

// State and impacts after some steps, written in the units of the specimen.
struct Outcome {
  std::vector<double> q, p, times, alphas, energies, restitutions;
  std::vector<std::string> laws;   // of the impacts
  std::vector<std::string> modes;  // whenever they change
  bool operator==(const Outcome&) const = default;
};

inline Outcome run(const Specimen& s, const Units& units, IntegratorOptions options, int steps) {
  options.step = units(s.step, duration);
  std::vector<double> q, v;
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    q.push_back(units(s.q[i], s.coordinates[i]));
    v.push_back(units(s.v[i], s.coordinates[i] / duration));
  }
  Flight flight(s.model(units), options, q, v);
  Outcome result;
  for (int k = 0; k < steps; ++k) {
    flight.step();
    std::string modes;
    for (const double mode : flight.state.modes) modes += mode != 0 ? 'x' : '-';
    if (result.modes.empty() || modes != result.modes.back()) result.modes.push_back(modes);
    for (const Impact& impact : flight.work->impacts) {
      result.times.push_back(units.back(impact.time, duration));
      result.alphas.push_back(impact.alpha);
      result.laws.push_back(law_names(impact));
      result.restitutions.push_back(impact.obtained_restitution);
      result.energies.push_back(units.back(impact.energy_after, energy));
    }
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    result.q.push_back(units.back(flight.state.q[i], s.coordinates[i]));
    result.p.push_back(units.back(flight.state.p[i], energy * duration / s.coordinates[i]));
  }
  return result;
}

// Every other choice of units gives the same digits. Returns the outcome, for further questions.
inline Outcome expect_no_units(const Specimen& specimen, const IntegratorOptions& options, int steps) {
  const Outcome one = run(specimen, {}, options, steps);
  for (const Units& units : others()) {
    const Outcome other = run(specimen, units, options, steps);
    const std::string where =
        specimen.name + ", " + options.method + " " + options.discretization + ", " + units.name();
    EXPECT_EQ(other.q, one.q) << where;
    EXPECT_EQ(other.p, one.p) << where;
    EXPECT_EQ(other.times, one.times) << where;
    EXPECT_EQ(other.alphas, one.alphas) << where;
    EXPECT_EQ(other.energies, one.energies) << where;
    EXPECT_EQ(other.restitutions, one.restitutions) << where;
    EXPECT_EQ(other.laws, one.laws) << where;
    EXPECT_EQ(other.modes, one.modes) << where;
  }
  return one;
}

// Specimens.

inline Specimen pendulum() {
  return {"pendulum",
          [](const Units& u) {
            Model m;
            const Expr a = m.coordinate("a");
            const double M = u(1.3, mass), l = u(0.7, length), g = u(9.81, acceleration);
            m.lagrangian = M * l * l / 2 * square(dot(a)) + M * g * l * cos(a);
            return m;
          },
          {number},
          {1.2},
          {0.4},
          0.01};
}

inline Specimen kepler() {
  return {"kepler",
          [](const Units& u) {
            Model m;
            const Expr x = m.coordinate("x"), y = m.coordinate("y");
            const double M = u(0.8, mass), k = u(1.1, energy * length);
            m.lagrangian = M / 2 * (square(dot(x)) + square(dot(y))) + k / sqrt(square(x) + square(y));
            return m;
          },
          {length, length},
          {1.0, 0.0},
          {0.0, 0.9},
          0.02};
}

inline Specimen double_pendulum() {
  return {"double pendulum",
          [](const Units& u) {
            Model m;
            const Expr a = m.coordinate("a"), b = m.coordinate("b");
            const double M = u(1.0, mass), N = u(0.6, mass), l = u(1.0, length), k = u(0.8, length),
                         g = u(9.81, acceleration);
            m.lagrangian = (M + N) * l * l / 2 * square(dot(a)) + N * k * k / 2 * square(dot(b)) +
                           N * l * k * dot(a) * dot(b) * cos(a - b) + (M + N) * g * l * cos(a) + N * g * k * cos(b);
            return m;
          },
          {number, number},
          {2.0, 2.5},
          {0.0, 0.3},
          0.005};
}

// A pendulum on a cart with a spring: a length beside an angle, mass that depends on the angle.
inline Specimen cart() {
  return {"cart",
          [](const Units& u) {
            Model m;
            const Expr x = m.coordinate("x"), a = m.coordinate("a");
            const double M = u(2.0, mass), N = u(0.7, mass), l = u(0.9, length), g = u(9.81, acceleration),
                         k = u(5.0, stiffness);
            m.lagrangian = (M + N) / 2 * square(dot(x)) + N * l * l / 2 * square(dot(a)) +
                           N * l * dot(x) * dot(a) * cos(a) + N * g * l * cos(a) - k / 2 * square(x);
            return m;
          },
          {length, number},
          {0.3, 1.5},
          {0.1, -0.4},
          0.01};
}

// A driven oscillator that starts at rest where no force acts yet.
inline Specimen driven() {
  return {"driven",
          [](const Units& u) {
            Model m;
            const Expr x = m.coordinate("x");
            const double M = u(1.5, mass), k = u(3.0, stiffness), f = u(0.7, energy / length), w = u(2.0, frequency);
            m.lagrangian = M / 2 * square(dot(x)) - k / 2 * square(x) + f * x * sin(w * m.time());
            return m;
          },
          {length},
          {0.0},
          {0.0},
          0.05};
}

// A body that is no disc above a floor: gap of lengths and an angle, potential that bends every path.
inline Specimen bouncing_star() {
  return {"star",
          [](const Units& u) {
            Model m;
            const Expr x = m.coordinate("x"), y = m.coordinate("y"), a = m.coordinate("a");
            const double M = u(1.0, mass), I = u(0.15, mass * length * length), g = u(9.81, acceleration),
                         r = u(0.5, length), c = u(0.4, stiffness);
            m.lagrangian =
                M / 2 * (square(dot(x)) + square(dot(y))) + I / 2 * square(dot(a)) - M * g * y - c * square(y);
            m.contacts = {{.name = "floor", .gap = y - r * (abs(sin(a)) + abs(cos(a)))}};
            return m;
          },
          {length, length, number},
          {0.0, 1.3, 0.3},
          {-2.0, 0.0, 5.0},
          0.01};
}

// Two balls in a dish, coupled by a spring: two contacts that come and go.
inline Specimen dish() {
  return {"dish",
          [](const Units& u) {
            Model m;
            const Expr x = m.coordinate("x"), y = m.coordinate("y"), X = m.coordinate("X"), Y = m.coordinate("Y");
            const double M = u(1.0, mass), N = u(0.5, mass), g = u(9.81, acceleration), r = u(1.0, length),
                         k = u(20.0, stiffness), l = u(0.5, length);
            m.lagrangian = M / 2 * (square(dot(x)) + square(dot(y))) + N / 2 * (square(dot(X)) + square(dot(Y))) -
                           M * g * y - N * g * Y - k / 2 * square(sqrt(square(x - X) + square(y - Y)) - l);
            m.contacts = {{.name = "first", .gap = r - sqrt(square(x) + square(y))},
                          {.name = "second", .gap = r - sqrt(square(X) + square(Y))}};
            return m;
          },
          {length, length, length, length},
          {0.3, -0.2, -0.3, 0.1},
          {0.0, 0.0, 0.2, 0.0},
          0.01};
}

}  // namespace ricochet::units
