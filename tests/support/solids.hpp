#pragma once
// Bodies in the plane for tests, runs in memory.

#include <string>

#include "ricochet/continuum/continuum_stepper.hpp"
#include "ricochet/simulation/run.hpp"
#include "support/bars.hpp"

namespace ricochet::test {

inline ct::PlaneBody solid(const std::string& name, ct::PlaneMesh mesh, ct::PlaneLaw law, double vx = 0, double vy = 0,
                           double rho = 1) {
  ct::PlaneBody body;
  body.name = name;
  body.mesh = std::move(mesh);
  body.law = law;
  body.rho = rho;
  if (vx != 0 || vy != 0) body.velocity = [=](double, double) { return std::array<double, 2>{vx, vy}; };
  return body;
}

inline ct::PlaneMesh box(double x, double y, double width, double height, int nx, int ny) {
  return ct::make_mesh(ct::BoxShape{{x, y}, {width, height}, {nx, ny}, {1, 1}});
}
inline ct::PlaneMesh disc(double x, double y, double radius, int cells) {
  return ct::make_mesh(ct::DiscShape{{x, y}, radius, cells});
}
inline ct::PlaneMesh ring(double x, double y, double radius, double inner, int cells) {
  return ct::make_mesh(ct::RingShape{{x, y}, radius, inner, cells, 0});
}

inline ct::Model plane(std::vector<ct::PlaneBody> bodies, double courant = 0.9) {
  ct::Model model;
  model.courant = courant;
  model.plane.emplace();
  model.plane->bodies = std::move(bodies);
  return model;
}

// Two discs, neo-Hookean, R = 1, ±v, so far off centre.
inline ct::Model two_discs(int cells, ct::Treatment treatment, double offset = 0.5, double v = 0.1, double R = 1) {
  const ct::NeoHookean law{1, 1};
  const double gap = 0.02 * R, apart = std::sqrt(4 * R * R - offset * offset) + gap;
  ct::Model model = plane(
      {solid("left", disc(0, 0, R, cells), law, v, 0), solid("right", disc(apart, offset, R, cells), law, -v, 0)});
  model.contacts = {{"left", "right", treatment}};
  return model;
}

}  // namespace ricochet::test
