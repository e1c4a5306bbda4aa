// Bullet: sequential impulses, restitution 1; single precision in Debian. Particle and planet are small spheres.

#include <btBulletDynamicsCommon.h>

#include <memory>

#include "peers.hpp"

namespace {

constexpr double radius = 0.05;

class World {
 public:
  explicit World(const Problem& problem)
      : problem_(problem), dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(btVector3(0, static_cast<btScalar>(-problem.g), 0));
    world_.getSolverInfo().m_restitutionVelocityThreshold = 0;
    world_.getSolverInfo().m_erp = world_.getSolverInfo().m_erp2 = 0;  // pushing bodies apart would add energy
    const bool star = problem.is("star");
    if (star)
      shape_ = std::make_unique<btBoxShape>(btVector3(0.5, 0.5, 0.5));
    else
      shape_ = std::make_unique<btSphereShape>(static_cast<btScalar>(radius));
    if (problem.is("planet"))
      ground_shape_ = std::make_unique<btSphereShape>(static_cast<btScalar>(1 - radius));
    else
      ground_shape_ =
          std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), static_cast<btScalar>(star ? 0 : -radius));
    ground_ = std::make_unique<btRigidBody>(0, nullptr, ground_shape_.get());
    const auto inertia = static_cast<btScalar>(star ? problem.inertia : 1);
    body_ = std::make_unique<btRigidBody>(1, nullptr, shape_.get(), btVector3(inertia, inertia, inertia));
    const Body& b = problem.start;
    btTransform at = btTransform::getIdentity();
    at.setOrigin(btVector3(static_cast<btScalar>(b.x), static_cast<btScalar>(b.y), 0));
    body_->setWorldTransform(at);
    body_->setLinearVelocity(btVector3(static_cast<btScalar>(b.vx), static_cast<btScalar>(b.vy), 0));
    body_->setAngularVelocity(btVector3(0, 0, static_cast<btScalar>(b.omega)));
    body_->setLinearFactor(btVector3(1, 1, 0));
    body_->setAngularFactor(btVector3(0, 0, star ? 1 : 0));
    body_->setActivationState(DISABLE_DEACTIVATION);
    for (btRigidBody* each : {body_.get(), ground_.get()}) {
      each->setRestitution(1);
      each->setFriction(0);
      each->setDamping(0, 0);
      world_.addRigidBody(each);
    }
    body_->setGravity(world_.getGravity());
  }
  ~World() {
    world_.removeRigidBody(body_.get());
    world_.removeRigidBody(ground_.get());
  }
  void step(double h) {
    if (problem_.is("planet")) {
      double fx, fy;
      problem_.force(body(), fx, fy);
      body_->applyCentralForce(btVector3(static_cast<btScalar>(fx), static_cast<btScalar>(fy), 0));
    }
    world_.stepSimulation(static_cast<btScalar>(h), 0);
  }
  Body body() const {
    const btVector3 x = body_->getWorldTransform().getOrigin(), v = body_->getLinearVelocity();
    const btMatrix3x3& R = body_->getWorldTransform().getBasis();
    return {x.x(), x.y(), std::atan2(R[1][0], R[0][0]), v.x(), v.y(), body_->getAngularVelocity().z()};
  }

 private:
  Problem problem_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::unique_ptr<btCollisionShape> shape_, ground_shape_;
  std::unique_ptr<btRigidBody> ground_, body_;
};

}  // namespace

int main() { run_fixed_steps<World>("Bullet"); }
