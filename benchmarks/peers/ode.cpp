// Open Dynamics Engine: semi-implicit Euler with a linear complementarity problem, contacts with bounce 1. Particle and
// planet are small spheres.

#include <ode/ode.h>

#include "peers.hpp"

namespace {

constexpr double radius = 0.05;

class World {
 public:
  explicit World(const Problem& problem) : problem_(problem), world_(dWorldCreate()), contacts_(dJointGroupCreate(0)) {
    dWorldSetGravity(world_, 0, -problem.g, 0);
    const bool star = problem.is("star");
    shape_ = star ? dCreateBox(nullptr, 1, 1, 1) : dCreateSphere(nullptr, radius);
    ground_ =
        problem.is("planet") ? dCreateSphere(nullptr, 1 - radius) : dCreatePlane(nullptr, 0, 1, 0, star ? 0 : -radius);
    body_ = dBodyCreate(world_);
    dMass mass;
    dMassSetSphereTotal(&mass, 1, 1);
    const double inertia = star ? problem.inertia : 1;
    dMassSetParameters(&mass, 1, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dBodySetMass(body_, &mass);
    const Body& b = problem.start;
    dBodySetPosition(body_, b.x, b.y, 0);
    dBodySetLinearVel(body_, b.vx, b.vy, 0);
    dBodySetAngularVel(body_, 0, 0, b.omega);
    dGeomSetBody(shape_, body_);
  }
  ~World() {
    dGeomDestroy(shape_);
    dGeomDestroy(ground_);
    dJointGroupDestroy(contacts_);
    dWorldDestroy(world_);
  }
  World(const World&) = delete;
  void step(double h) {
    if (problem_.is("planet")) {
      double fx, fy;
      problem_.force(body(), fx, fy);
      dBodyAddForce(body_, fx, fy, 0);
    }
    dContact contact[8];
    const int count = dCollide(shape_, ground_, 8, &contact[0].geom, sizeof(dContact));
    for (int k = 0; k < count; ++k) {
      contact[k].surface.mode = dContactBounce;
      contact[k].surface.mu = 0;
      contact[k].surface.bounce = 1;
      contact[k].surface.bounce_vel = 0;
      dJointAttach(dJointCreateContact(world_, contacts_, &contact[k]), body_, nullptr);
    }
    dWorldStep(world_, h);
    dJointGroupEmpty(contacts_);
  }
  Body body() const {
    const dReal *x = dBodyGetPosition(body_), *v = dBodyGetLinearVel(body_), *R = dBodyGetRotation(body_);
    return {x[0], x[1], std::atan2(R[4], R[0]), v[0], v[1], dBodyGetAngularVel(body_)[2]};
  }

 private:
  Problem problem_;
  dWorldID world_;
  dJointGroupID contacts_;
  dGeomID shape_, ground_;
  dBodyID body_;
};

}  // namespace

int main() {
  dInitODE();
  run_fixed_steps<World>("ODE");
  dCloseODE();
}
