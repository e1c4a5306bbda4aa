#pragma once
// Specimens whose contacts bounce, close, rest, slide, stick and open, for tests of units.

#include "support/units.hpp"

namespace ricochet::units {

// The same specimen with one law for all contacts.
inline Specimen lossy(Specimen s, double e) {
  const auto model = s.model;
  s.model = [model, e](const Units& u) {
    Model m = model(u);
    for (Contact& c : m.contacts) c.law = "newton", c.restitution = m.graph->constant(e);
    return m;
  };
  s.name += " newton";
  return s;
}

// A ball on a table that shakes harder than gravity: closes, and is let go in each period.
inline Specimen shaking_table() {
  return {"shaking table",
          [](const Units& u) {
            Model m;
            const Expr y = m.coordinate("y");
            const double M = u(0.8, mass), g = u(9.81, acceleration), A = u(0.118, length), w = u(10.0, frequency);
            m.lagrangian = M / 2 * square(dot(y)) - M * g * y;
            m.contacts = {{.name = "table",
                           .gap = y - A * sin(w * m.time()),
                           .law = "newton",
                           .restitution = m.graph->constant(0.3)}};
            return m;
          },
          {length},
          {0.0},
          {1.18},
          0.01};
}

// What slides down a dome, rough or not, and leaves it.
inline Specimen dome(double friction) {
  return {"dome",
          [friction](const Units& u) {
            Model m;
            const Expr x = m.coordinate("x"), y = m.coordinate("y");
            const double M = u(0.8, mass), g = u(9.81, acceleration), R = u(1.0, length);
            m.lagrangian = M / 2 * (square(dot(x)) + square(dot(y))) - M * g * y;
            m.contacts = {{.name = "dome", .gap = sqrt(square(x) + square(y)) - R}};
            if (friction == 0) return m;
            m.contacts[0].law = "coulomb";
            m.contacts[0].point = {x, y};
            m.contacts[0].restitution = m.graph->constant(0.5);
            m.contacts[0].friction = m.graph->constant(friction);
            return m;
          },
          {length, length},
          {0.0, 1.0},
          {1.5, 0.0},
          0.01};
}

// A triangle with friction at its vertices, thrown on a floor.
inline Specimen wedge(const std::string& law) {
  return {"wedge " + law,
          [law](const Units& u) {
            Model m;
            const Expr x = m.coordinate("x"), y = m.coordinate("y"), a = m.coordinate("a");
            const double M = u(1.0, mass), I = u(0.06, mass * length * length), g = u(9.81, acceleration);
            m.lagrangian = M / 2 * (square(dot(x)) + square(dot(y))) + I / 2 * square(dot(a)) - M * g * y;
            const double px[] = {-0.3, 0.3, 0}, py[] = {-0.3, -0.3, 0.6};
            for (int k = 0; k < 3; ++k) {
              const double X = u(px[k], length), Y = u(py[k], length);
              const Expr height = y + X * sin(a) + Y * cos(a);
              m.contacts.push_back({.name = "vertex" + std::to_string(k),
                                    .gap = height,
                                    .law = law,
                                    .point = {x + X * cos(a) - Y * sin(a), height}});
              if (law == "coulomb" || law == "newton") m.contacts.back().restitution = m.graph->constant(0.4);
              if (law == "coulomb" || law == "plastic") m.contacts.back().friction = m.graph->constant(0.3);
            }
            return m;
          },
          {length, length, number},
          {0.0, 0.6, 0.4},
          {1.0, 0.0, -2.0},
          0.01};
}

// Three balls on rods, the first pulled aside: holonomic constraints, contacts closed from the start.
inline Specimen cradle() {
  return {"cradle",
          [](const Units& u) {
            Model m;
            const double M = u(1.3, mass), g = u(9.8, acceleration), l = u(1.0, length), d = u(0.5, length);
            std::vector<Expr> x, y;
            Expr L = m.graph->constant(0);
            for (int i = 0; i < 3; ++i) {
              x.push_back(m.coordinate("x" + std::to_string(i)));
              y.push_back(m.coordinate("y" + std::to_string(i)));
              L = L + M / 2 * (square(dot(x[i])) + square(dot(y[i]))) - M * g * y[i];
              m.holonomic.push_back({"rod" + std::to_string(i), sqrt(square(x[i] - i * d) + square(y[i])) - l});
              if (i > 0)
                m.contacts.push_back({.name = "pair" + std::to_string(i),
                                      .gap = sqrt(square(x[i] - x[i - 1]) + square(y[i] - y[i - 1])) - d});
            }
            m.lagrangian = L;
            return m;
          },
          {length, length, length, length, length, length},
          {-std::sin(0.5), -std::cos(0.5), 0.5, -1.0, 1.0, -1.0},
          {0, 0, 0, 0, 0, 0},
          0.01};
}

// A skate on a slope that runs into a wall.
inline Specimen skate() {
  return {"skate",
          [](const Units& u) {
            Model m;
            const Expr x = m.coordinate("x"), y = m.coordinate("y"), a = m.coordinate("a");
            const double M = u(1.0, mass), I = u(0.3, mass * length * length), g = u(4.0, acceleration),
                         r = u(0.2, length);
            m.lagrangian = M / 2 * (square(dot(x)) + square(dot(y))) + I / 2 * square(dot(a)) - M * g * y;
            m.nonholonomic = {{"edge", sin(a) * dot(x) - cos(a) * dot(y)}};
            m.contacts = {{.name = "wall", .gap = y + r * sin(a)}};
            return m;
          },
          {length, length, number},
          {0.0, 0.7, -0.8},
          {std::cos(-0.8), std::sin(-0.8), 0.6},
          0.01};
}

// A billiard in a disc around a disc.
inline Specimen billiard() {
  return {
      "billiard",
      [](const Units& u) {
        Model m;
        const Expr x = m.coordinate("x"), y = m.coordinate("y");
        const double M = u(1.0, mass), R = u(1.0, length), r = u(0.3, length);
        m.lagrangian = M / 2 * (square(dot(x)) + square(dot(y)));
        m.contacts = {{.name = "walls", .gap = min(R - sqrt(square(x) + square(y)), sqrt(square(x) + square(y)) - r)}};
        return m;
      },
      {length, length},
      {0.5, 0.1},
      {0.7, 0.4},
      0.05};
}

}  // namespace ricochet::units
