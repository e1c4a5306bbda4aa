// SUNDIALS CVODE (Adams) with root finding, relative tolerance 1e-9: a good general solver with events. A step is one
// of its own. Each corner of the star is a root function.

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "peers.hpp"

namespace {

Body read(N_Vector z) {
  const double* x = NV_DATA_S(z);
  return {x[0], x[1], x[2], x[3], x[4], x[5]};
}

// Gap of the k-th corner and its derivative by the angle.
double corner(const Body& b, int k, double& by_angle) {
  const double a = b.theta + M_PI / 4 + k * M_PI / 2, r = std::sqrt(0.5);
  by_angle = r * std::cos(a);
  return b.y + r * std::sin(a);
}

int rhs(double, N_Vector z, N_Vector dz, void* data) {
  const Body b = read(z);
  double* d = NV_DATA_S(dz);
  d[0] = b.vx, d[1] = b.vy, d[2] = b.omega, d[5] = 0;
  static_cast<Problem*>(data)->force(b, d[3], d[4]);
  return 0;
}

int gaps(double, N_Vector z, double* g, void* data) {
  const auto& problem = *static_cast<Problem*>(data);
  double ignored;
  if (!problem.is("star")) return g[0] = problem.gap(read(z)), 0;
  for (int k = 0; k < 4; ++k) g[k] = corner(read(z), k, ignored);
  return 0;
}

void reflect(const Problem& problem, N_Vector z, const int* roots) {
  double* x = NV_DATA_S(z);
  const Body b = read(z);
  for (int k = 0; k < (problem.is("star") ? 4 : 1); ++k) {
    if (roots[k] >= 0) continue;
    double n[3] = {0, 1, 0}, weight[3] = {1, 1, problem.inertia > 0 ? 1 / problem.inertia : 0};
    if (problem.is("star")) corner(b, k, n[2]);
    if (problem.is("planet")) n[0] = b.x / std::hypot(b.x, b.y), n[1] = b.y / std::hypot(b.x, b.y);
    double rate = 0, G = 0;
    for (int i = 0; i < 3; ++i) rate += n[i] * x[3 + i], G += n[i] * n[i] * weight[i];
    if (rate >= 0) continue;
    for (int i = 0; i < 3; ++i) x[3 + i] -= 2 * rate / G * n[i] * weight[i];
  }
}

int integrate(Problem problem, SUNContext context, Judge* judge) {
  N_Vector z = N_VNew_Serial(6, context);
  const Body& b = problem.start;
  const double start[] = {b.x, b.y, b.theta, b.vx, b.vy, b.omega};
  std::copy(start, start + 6, NV_DATA_S(z));
  void* cvode = CVodeCreate(CV_ADAMS, context);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(z, 0, context);
  CVodeInit(cvode, rhs, 0, z);
  CVodeSStolerances(cvode, 1e-9, 1e-11);
  CVodeSetUserData(cvode, &problem);
  CVodeSetNonlinearSolver(cvode, solver);
  const int roots = problem.is("star") ? 4 : 1;
  CVodeRootInit(cvode, roots, gaps);
  std::vector<int> direction(4, -1), found(4);
  CVodeSetRootDirection(cvode, direction.data());
  CVodeSetMaxStep(cvode, 0.05);
  CVodeSetStopTime(cvode, problem.duration);
  int steps = 0;
  for (double t = 0; t < problem.duration; ++steps) {
    const int flag = CVode(cvode, problem.duration, z, &t, CV_ONE_STEP);
    if (flag < 0) std::fprintf(stderr, "cvode: flag %d\n", flag), std::exit(1);
    if (flag == CV_ROOT_RETURN) {
      CVodeGetRootInfo(cvode, found.data());
      reflect(problem, z, found.data());
      CVodeReInit(cvode, t, z);
      if (judge) judge->impact(t);
    }
    if (judge) judge->step(t, read(z), false);
  }
  SUNNonlinSolFree(solver);
  CVodeFree(&cvode);
  N_VDestroy(z);
  return steps;
}

}  // namespace

int main() {
  SUNContext context;
  SUNContext_Create(nullptr, &context);
  for (const Problem& problem : problems()) {
    Judge judge("SUNDIALS CVODE", problem);
    integrate(problem, context, &judge);
    const std::clock_t start = std::clock();
    const int steps = integrate(problem, context, nullptr);
    judge.print(nanoseconds_since(start) / steps);
  }
  SUNContext_Free(&context);
}
