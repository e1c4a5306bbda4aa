// MuJoCo: soft contact. A spring without damping, as stiff as the step allows, comes nearest to an elastic impact.

#include <mujoco/mujoco.h>

#include <string>

#include "peers.hpp"

namespace {

class World {
 public:
  explicit World(const Problem& problem) : problem_(problem) {
    const bool star = problem.is("star");
    const std::string h = std::to_string(problem.h), stiffness = std::to_string(-0.25 / (problem.h * problem.h));
    const std::string contact = "condim='1' solref='" + stiffness + " 0' solimp='0.99 0.99 0.001 0.5 2'";
    const std::string inertia = std::to_string(star ? problem.inertia : 1);
    const std::string xml = "<mujoco><option timestep='" + h + "' gravity='0 " + std::to_string(-problem.g) +
                            " 0' integrator='RK4'/><worldbody>" +
                            (problem.is("planet") ? "<geom type='sphere' size='0.95' " + contact + "/>"
                                                  : "<geom type='plane' size='0 0 1' zaxis='0 1 0' pos='0 " +
                                                        std::string(star ? "0" : "-0.05") + " 0' " + contact + "/>") +
                            "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>" +
                            (star ? "<joint type='hinge' axis='0 0 1'/>" : "") +
                            "<inertial pos='0 0 0' mass='1' diaginertia='" + inertia + " " + inertia + " " + inertia +
                            "'/><geom " + (star ? "type='box' size='0.5 0.5 0.5' " : "type='sphere' size='0.05' ") +
                            contact + "/></body></worldbody></mujoco>";
    char error[500] = "";
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_makeEmptyFileVFS(&vfs, "model.xml", static_cast<int>(xml.size()));
    std::memcpy(vfs.filedata[0], xml.data(), xml.size());
    model_ = mj_loadXML("model.xml", &vfs, error, sizeof error);
    mj_deleteVFS(&vfs);
    if (model_ == nullptr) std::fprintf(stderr, "mujoco: %s\n", error), std::exit(1);
    data_ = mj_makeData(model_);
    const Body& b = problem.start;
    const double q[] = {b.x, b.y, b.theta}, v[] = {b.vx, b.vy, b.omega};
    for (int k = 0; k < model_->nv; ++k) data_->qpos[k] = q[k], data_->qvel[k] = v[k];
  }
  ~World() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  World(const World&) = delete;
  void step(double) {
    if (problem_.is("planet")) problem_.force(body(), data_->qfrc_applied[0], data_->qfrc_applied[1]);
    mj_step(model_, data_);
  }
  Body body() const {
    const bool star = model_->nv == 3;
    const double *q = data_->qpos, *v = data_->qvel;
    return {q[0], q[1], star ? q[2] : 0, v[0], v[1], star ? v[2] : 0};
  }

 private:
  Problem problem_;
  mjModel* model_;
  mjData* data_;
};

}  // namespace

int main() { run_fixed_steps<World>("MuJoCo"); }
