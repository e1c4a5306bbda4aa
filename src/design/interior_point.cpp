#include "ricochet/design/interior_point.hpp"

#include <fmt/format.h>

#include <IpIpoptApplication.hpp>
#include <IpIpoptCalculatedQuantities.hpp>
#include <IpIpoptData.hpp>
#include <IpOrigIpoptNLP.hpp>
#include <IpTNLP.hpp>
#include <IpTNLPAdapter.hpp>
#include <cmath>
#include <limits>
#include <mutex>

namespace ricochet {

namespace {

using Ipopt::Index, Ipopt::Number;

// MUMPS, Ipopt's linear solver, keeps module variables: in a process one program is solved at a time.
std::mutex mumps;

constexpr double ipopt_infinity = 2e19;  // beyond its nlp_upper_bound_inf

// The program as Ipopt asks for it.
class Adapter : public Ipopt::TNLP {
 public:
  Adapter(SparseProgram& program, const std::vector<double>& guess, const InteriorOptions& options,
          InteriorSolution& solution)
      : program_(program), guess_(guess), options_(options), solution_(solution) {}

  bool get_nlp_info(Index& n, Index& m, Index& jacobian, Index& hessian, IndexStyleEnum& style) override {
    n = program_.variables();
    m = program_.rows();
    jacobian = static_cast<Index>(program_.jacobian_size());
    hessian = static_cast<Index>(program_.hessian_size());
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(Index n, Number* x_min, Number* x_max, Index m, Number* g_min, Number* g_max) override {
    const auto within = [](double x) { return std::fmin(std::fmax(x, -ipopt_infinity), ipopt_infinity); };
    for (Index j = 0; j < n; ++j) x_min[j] = within(program_.x_min[j]), x_max[j] = within(program_.x_max[j]);
    for (Index i = 0; i < m; ++i) g_min[i] = within(program_.row_min[i]), g_max[i] = within(program_.row_max[i]);
    return true;
  }

  bool get_starting_point(Index n, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) override {
    std::copy_n(guess_.begin(), n, x);
    return true;
  }

  // Everything in its size.
  bool get_scaling_parameters(Number& cost, bool& scale_x, Index n, Number* x, bool& scale_rows, Index m,
                              Number* rows) override {
    cost = 1 / program_.cost_size;
    scale_x = scale_rows = true;
    for (Index j = 0; j < n; ++j) x[j] = 1 / program_.x_size[j];
    for (Index i = 0; i < m; ++i) rows[i] = 1 / program_.row_size[i];
    return true;
  }

  bool eval_f(Index, const Number* x, bool, Number& value) override {
    value = program_.cost(x);
    return std::isfinite(value);
  }
  bool eval_grad_f(Index n, const Number* x, bool, Number* out) override {
    program_.gradient(x, out);
    return finite(out, n);
  }
  bool eval_g(Index, const Number* x, bool, Index m, Number* out) override {
    program_.values(x, out);
    return finite(out, m);
  }
  bool eval_jac_g(Index, const Number* x, bool, Index, Index count, Index* rows, Index* columns,
                  Number* values) override {
    if (values == nullptr) {
      fill(program_.jacobian_entries(), rows, columns);
      return true;
    }
    program_.jacobian(x, values);
    return finite(values, count);
  }
  bool eval_h(Index, const Number* x, bool, Number sigma, Index, const Number* lambda, bool, Index count, Index* rows,
              Index* columns, Number* values) override {
    if (values == nullptr) {
      fill(program_.hessian_entries(), rows, columns);
      return true;
    }
    program_.hessian(x, sigma, lambda, values);
    return finite(values, count);
  }

  bool intermediate_callback(Ipopt::AlgorithmMode mode, Index number, Number cost, Number infeasibility,
                             Number stationarity, Number barrier, Number, Number, Number, Number step, Index,
                             const Ipopt::IpoptData* data, Ipopt::IpoptCalculatedQuantities* quantities) override {
    solution_.iterations = number;
    if (options_.progress) options_.progress({number, cost, infeasibility, stationarity, barrier, step});
    if (mode == Ipopt::RegularMode) remember(data, quantities, cost, infeasibility);
    return options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed);
  }

  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number* z_min, const Number* z_max,
                         Index m, const Number*, const Number* lambda, Number, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    solution_.x.assign(x, x + n);
    solution_.z_min.assign(z_min, z_min + n);
    solution_.z_max.assign(z_max, z_max + n);
    solution_.lambda.assign(lambda, lambda + m);
  }

  const std::vector<double>& best() const { return best_; }

 private:
  static bool finite(const double* x, Index count) {
    for (Index k = 0; k < count; ++k)
      if (!std::isfinite(x[k])) return false;
    return true;
  }
  static void fill(const std::vector<Block::Entry>& entries, Index* rows, Index* columns) {
    for (const auto& [i, j] : entries) *rows++ = i, *columns++ = j;
  }

  // The iterate that breaks the rows least; of those that keep them to the tolerance the cheapest.
  void remember(const Ipopt::IpoptData* data, Ipopt::IpoptCalculatedQuantities* quantities, double cost,
                double infeasibility) {
    const double broken = std::fmax(infeasibility, options_.tolerance);
    if (!best_.empty() && (broken > best_broken_ || (broken == best_broken_ && cost >= best_cost_))) return;
    auto* nlp = dynamic_cast<Ipopt::OrigIpoptNLP*>(GetRawPtr(quantities->GetIpoptNLP()));
    auto* adapter = nlp == nullptr ? nullptr : dynamic_cast<Ipopt::TNLPAdapter*>(GetRawPtr(nlp->nlp()));
    if (adapter == nullptr) return;
    best_.resize(static_cast<std::size_t>(program_.variables()));
    adapter->ResortX(*data->curr()->x(), best_.data());
    best_broken_ = broken;
    best_cost_ = cost;
  }

  SparseProgram& program_;
  const std::vector<double>& guess_;
  const InteriorOptions& options_;
  InteriorSolution& solution_;
  std::vector<double> best_;
  double best_broken_ = 0, best_cost_ = 0;
};

std::string words(Ipopt::ApplicationReturnStatus status, const InteriorOptions& options) {
  switch (status) {
    case Ipopt::Infeasible_Problem_Detected: return "the conditions contradict each other near the last iterate";
    case Ipopt::Maximum_Iterations_Exceeded:
      return fmt::format("{} iterations were not enough", options.max_iterations);
    case Ipopt::Restoration_Failed: return "no step makes the conditions smaller";
    case Ipopt::Search_Direction_Becomes_Too_Small: return "the steps have become too small to go on";
    case Ipopt::Diverging_Iterates: return "the iterates grow without bound";
    case Ipopt::Not_Enough_Degrees_Of_Freedom:
      return "there are more conditions than unknowns: fewer conditions, more intervals, or something left free";
    case Ipopt::Invalid_Number_Detected: return "a formula has no finite value at the iterates";
    case Ipopt::Solved_To_Acceptable_Level: return "the last digits do not settle";
    default: return fmt::format("the solver gave up (code {})", static_cast<int>(status));
  }
}

}  // namespace

InteriorSolution minimise(SparseProgram& program, const std::vector<double>& guess, const InteriorOptions& options) {
  InteriorSolution solution;
  solution.x = guess;
  program.measure(guess.data());
  const std::lock_guard alone(mumps);
  Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication(false);
  application->RethrowNonIpoptException(true);
  Ipopt::SmartPtr<Ipopt::OptionsList> settings = application->Options();
  settings->SetIntegerValue("print_level", 0);
  settings->SetStringValue("sb", "yes");
  settings->SetStringValue("linear_solver", "mumps");
  settings->SetStringValue("mu_strategy", "adaptive");
  settings->SetNumericValue("tol", options.tolerance);
  settings->SetStringValue("nlp_scaling_method", "user-scaling");
  for (const char* unscaled : {"constr_viol_tol", "dual_inf_tol", "compl_inf_tol"})
    settings->SetNumericValue(unscaled, std::numeric_limits<double>::max());  // these would have units
  settings->SetNumericValue("acceptable_tol", options.tolerance);
  settings->SetNumericValue("bound_relax_factor", 0);
  settings->SetIntegerValue("max_iter", options.max_iterations);
  application->Initialize();
  Ipopt::SmartPtr<Adapter> adapter = new Adapter(program, guess, options, solution);
  const Ipopt::ApplicationReturnStatus status =
      application->OptimizeTNLP(Ipopt::SmartPtr<Ipopt::TNLP>(GetRawPtr(adapter)));
  using Status = InteriorSolution::Status;
  const bool complete = !solution.lambda.empty();
  solution.kkt = complete ? program.kkt_residual(solution.x.data(), solution.lambda.data(), solution.z_min.data(),
                                                 solution.z_max.data())
                          : program.violation(solution.x.data());
  if (status == Ipopt::Solve_Succeeded || status == Ipopt::Feasible_Point_Found) {
    solution.status = Status::solved;
  } else {
    solution.status = status == Ipopt::User_Requested_Stop           ? Status::interrupted
                      : status == Ipopt::Infeasible_Problem_Detected ? Status::infeasible
                                                                     : Status::failed;
    if (solution.status != Status::interrupted) solution.message = words(status, options);
    if (!adapter->best().empty() && program.violation(adapter->best().data()) < program.violation(solution.x.data()))
      solution.x = adapter->best();
  }
  solution.cost = program.cost(solution.x.data());
  return solution;
}

}  // namespace ricochet
