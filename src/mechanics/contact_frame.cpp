#include "ricochet/mechanics/contact_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

double value(double x) { return x; }
double value(const formula::Dual<double>& x) { return x.value; }

template <class T>
T root(const T& x) {
  using formula::scalar::sqrt;
  return sqrt(x);
}

// ν of J_Pᵀν = ∇g: d unknowns, n equations. Equation i is divided by |∂P/∂q_i|, so that coordinates of any unit count
// alike; where that is zero so must be ∂g/∂q_i. Least squares by the normal equations. weights: n numbers of work.
template <int d, class T>
bool solve_covector(int n, const T* jacobian, const T* gradient, T* weights, T* nu, double& misfit) {
  T r[d][d], b[d], normal[d][d], diagonal[d];
  for (int a = 0; a < d; ++a) {
    b[a] = T(0.0);
    for (int e = 0; e < d; ++e) normal[a][e] = T(0.0);
  }
  for (int i = 0; i < n; ++i) {
    T square(0.0);
    for (int a = 0; a < d; ++a) square = square + jacobian[a * (n + 1) + i] * jacobian[a * (n + 1) + i];
    const bool moves = value(square) >= std::numeric_limits<double>::min();
    weights[i] = moves ? T(1.0) / square : T(0.0);
    for (int a = 0; a < d; ++a) {
      const T x = jacobian[a * (n + 1) + i] * weights[i];
      b[a] = b[a] + x * gradient[i];
      for (int e = 0; e <= a; ++e) normal[a][e] = normal[a][e] + x * jacobian[e * (n + 1) + i];
    }
  }
  // Cholesky without roots; a direction in which P cannot move takes no part (its ν is 0).
  for (int a = 0; a < d; ++a) {
    for (int e = 0; e < a; ++e) {
      T sum = normal[a][e];
      for (int k = 0; k < e; ++k) sum = sum - r[a][k] * r[e][k] * diagonal[k];
      r[a][e] = value(diagonal[e]) > 0 ? sum / diagonal[e] : T(0.0);
    }
    T sum = normal[a][a];
    for (int k = 0; k < a; ++k) sum = sum - r[a][k] * r[a][k] * diagonal[k];
    diagonal[a] = value(sum) > 1e-12 * value(normal[a][a]) ? sum : T(0.0);
    for (int k = 0; k < a; ++k) b[a] = b[a] - r[a][k] * b[k];
  }
  for (int a = d - 1; a >= 0; --a) {
    nu[a] = value(diagonal[a]) > 0 ? b[a] / diagonal[a] : T(0.0);
    for (int k = a + 1; k < d; ++k)
      if (value(diagonal[a]) > 0) nu[a] = nu[a] - r[k][a] * nu[k];
  }
  double largest = 0, size = 0, left = 0;  // size, left: squares
  for (int a = 0; a < d; ++a) largest += std::fabs(value(nu[a]));
  for (int i = 0; i < n; ++i) {
    double rest = value(gradient[i]), terms = std::fabs(rest);
    for (int a = 0; a < d; ++a) {
      const double term = value(jacobian[a * (n + 1) + i]) * value(nu[a]);
      rest -= term;
      terms += std::fabs(term);
    }
    if (terms == 0) continue;
    const double weight = value(weights[i]) > 0 ? value(weights[i]) : std::numeric_limits<double>::infinity();
    size = std::max(size, terms * (terms * weight));
    left = std::max(left, rest * (rest * weight));
  }
  misfit = !std::isfinite(left) ? 1 : size > 0 ? std::sqrt(left / size) : 0;
  return largest > 0 && std::isfinite(largest);
}

template <class T>
void tangents_of(int d, const T* nu, T (*tau)[3]) {
  if (d == 2) {
    tau[0][0] = nu[1], tau[0][1] = -nu[0];
    return;
  }
  const bool above = value(nu[2]) > -0.5;
  const T c = above ? nu[2] : -nu[2], k = T(1.0) / (T(1.0) + c);
  tau[0][0] = T(1.0) - nu[0] * nu[0] * k;
  tau[0][1] = tau[1][0] = -(nu[0] * nu[1] * k);
  tau[1][1] = T(1.0) - nu[1] * nu[1] * k;
  tau[0][2] = above ? -nu[0] : nu[0];
  tau[1][2] = above ? -nu[1] : nu[1];
}

constexpr double largest_misfit = 1e-6;  // of what J_Pᵀν leaves of ∇g: formulas agree to round-off or are different

std::string misfit_message(const std::string& contact, double misfit) {
  return fmt::format(
      "the point of the contact {} does not move with its gap: a part {:.3g} of the gap's gradient is no force at the "
      "point; the gap must depend on the coordinates through this point alone (a point of the body; for a rolling disc "
      "write tangent)",
      contact, misfit);
}

}  // namespace

template <class T>
ContactFrames<T>::ContactFrames(const System& system)
    : system_(&system), n_(system.n()), frames_(system.pieces().size()) {
  for (const formula::ScalarFunction& piece : system.pieces()) gradients_.emplace_back(piece.order(1));
  for (const FrameProgram& frame : system.frames()) programs_.emplace_back(frame.program);
  for (auto* list : {&gradients_, &programs_})
    for (formula::Evaluator<T>& program : *list)
      if (program.input_count() > 0) program.inputs()[n_] = T(std::numeric_limits<double>::quiet_NaN());  // nowhere
  jacobian_.resize(static_cast<std::size_t>(3) * (n_ + 1));
  weights_.resize(n_);
  for (int piece = 0; piece < static_cast<int>(frames_.size()); ++piece) {
    const FrameProgram& frame = system.frames()[contact(piece)];
    const std::size_t of_point = frame.pattern.size() + frame.components;
    first_.push_back(frame.program.output_count() > of_point ? of_point : 0);
  }
}

template <class T>
bool ContactFrames<T>::is_at(const T* point, const T* q, const T& t) const {
  if constexpr (std::is_same_v<T, double>)
    return point[n_] == t && std::equal(q, q + n_, point);
  else
    return false;
}

template <class T>
void ContactFrames<T>::run(formula::Evaluator<T>& program, const T* q, const T& t) {
  if (is_at(program.inputs(), q, t)) return;
  std::copy(q, q + n_, program.inputs());
  program.inputs()[n_] = t;
  program.run();
}

template <class T>
T ContactFrames<T>::approach(int piece, const T* q, const T& t, const T* v, T& rate) {
  formula::Evaluator<T>& program = gap_program(piece);
  run(program, q, t);
  const auto& places = system_->pieces()[piece].gradient_pattern();
  const std::size_t g = first_[piece];
  rate = T(0.0);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const int i = static_cast<int>(places[k]);
    rate = rate + (i < n_ ? program.output(g + 1 + k) * v[i] : program.output(g + 1 + k));
  }
  return program.output(g);
}

template <class T>
T ContactFrames<T>::gradient(int piece, T* n, T& g_t) {
  std::fill(n, n + n_, T(0.0));
  return copy_gradient(piece, n, g_t);
}

template <class T>
T ContactFrames<T>::copy_gradient(int piece, T* n, T& g_t) {
  g_t = T(0.0);
  const auto& places = system_->pieces()[piece].gradient_pattern();
  const formula::Evaluator<T>& program = gap_program(piece);
  const std::size_t g = first_[piece];
  for (std::size_t k = 0; k < places.size(); ++k)
    (static_cast<int>(places[k]) < n_ ? n[places[k]] : g_t) = program.output(g + 1 + k);
  return program.output(g);
}

template <class T>
const T* ContactFrames<T>::known_gap(int piece, const T* q, const T& t) {
  formula::Evaluator<T>& program = gap_program(piece);
  const T* const point = program.inputs();
  if constexpr (std::is_same_v<T, double>) {
    bool same = !std::isnan(point[n_]);
    for (const std::uint32_t i : system_->pieces()[piece].gradient_pattern())
      same = same && point[i] == (static_cast<int>(i) < n_ ? q[i] : t);
    if (same) return &program.output(first_[piece]);
  }
  return nullptr;
}

template <class T>
T ContactFrames<T>::evaluate(int piece, const T* q, const T& t, T* rows, T* rates) {
  const int tangents = this->tangents(piece);
  if (tangents == 0) {
    run(gap_program(piece), q, t);
    gradient(piece, rows, rates[0]);
    return T(1.0);
  }
  const Frame& frame = this->frame(piece, q, t);
  std::copy(frame.rows.begin(), frame.rows.end(), rows);
  std::copy(frame.rates, frame.rates + 1 + tangents, rates);
  return frame.scale;
}

template <class T>
const typename ContactFrames<T>::Frame& ContactFrames<T>::frame(int piece, const T* q, const T& t) {
  Frame& frame = frames_[piece];
  if (frame.point.empty()) begin(piece, frame);
  run(gap_program(piece), q, t);
  if (is_at(frame.point.data(), q, t)) return frame;
  if (first_[piece] == 0) run(programs_[contact(piece)], q, t);
  frame.point[n_] = T(std::numeric_limits<double>::quiet_NaN());  // until all is well
  complete(piece, frame);
  std::copy(q, q + n_, frame.point.begin());
  frame.point[n_] = t;
  return frame;
}

template <class T>
void ContactFrames<T>::vary_parameter(int k) {
  if constexpr (!std::is_same_v<T, double>)
    for (auto* list : {&gradients_, &programs_})
      for (formula::Evaluator<T>& program : *list) program.vary_parameter(k);
}

template <class T>
void ContactFrames<T>::place(int piece, const T* q, const T& t, T* P) {
  const FrameProgram& of_point = system_->frames()[contact(piece)];
  formula::Evaluator<T>& program = programs_[contact(piece)];
  run(program, q, t);
  for (int a = 0; a < of_point.components; ++a) P[a] = program.output(of_point.pattern.size() + a);
}

// A gap along an axis has the other axes as its tangents: their rows are outputs of the program as they stand.
template <class T>
void ContactFrames<T>::begin(int piece, Frame& frame) {
  const FrameProgram& of_point = system_->frames()[contact(piece)];
  frame.point.assign(n_ + 1, T(std::numeric_limits<double>::quiet_NaN()));
  frame.rows.assign(static_cast<std::size_t>(1 + of_point.tangents) * n_, T(0.0));
  std::fill(frame.rates, frame.rates + 3, T(0.0));
  frame.scale = T(1.0);
  const int axis = system_->axis_of(piece);
  if (axis == 0) return;
  T nu[3]{T(0.0), T(0.0), T(0.0)};
  nu[std::abs(axis) - 1] = T(axis > 0 ? 1.0 : -1.0);
  tangents_of(of_point.components, nu, frame.tau);
  for (std::size_t k = 0; k < of_point.pattern.size(); ++k)
    for (int b = 0; b < of_point.tangents; ++b)
      if (const double tau = value(frame.tau[b][of_point.pattern[k].first]); tau != 0)
        frame.known.push_back({k, b, of_point.pattern[k].second, tau < 0});
}

template <class T>
void ContactFrames<T>::complete(int piece, Frame& frame) {
  const FrameProgram& of_point = system_->frames()[contact(piece)];
  const formula::Evaluator<T>& program = programs_[contact(piece)];
  T* const rows = frame.rows.data();
  copy_gradient(piece, rows, frame.rates[0]);
  if (of_point.components == 0) {
    for (std::size_t k = 0; k < of_point.pattern.size(); ++k)
      rows[(1 + of_point.pattern[k].first) * n_ + of_point.pattern[k].second] = program.output(k);
    return;
  }
  const auto entry = [&](int tangent, int i) -> T& {
    return i < n_ ? rows[(1 + tangent) * n_ + i] : frame.rates[1 + tangent];
  };
  if (system_->axis_of(piece) != 0) {
    if (std::all_of(rows, rows + n_, [](const T& x) { return value(x) == 0; })) refuse_normal(piece);
    for (const auto& [output, tangent, coordinate, opposite] : frame.known)
      entry(tangent, coordinate) = opposite ? T(0.0) - program.output(output) : program.output(output);
    return;
  }
  T nu[3]{T(0.0), T(0.0), T(0.0)};
  find_covector(piece, frame, nu);
  tangents_of(of_point.components, nu, frame.tau);
  for (const auto& [a, i] : of_point.pattern)
    for (int b = 0; b < of_point.tangents; ++b) entry(b, i) = T(0.0);
  for (std::size_t k = 0; k < of_point.pattern.size(); ++k) {
    const auto& [a, i] = of_point.pattern[k];
    for (int b = 0; b < of_point.tangents; ++b) entry(b, i) = entry(b, i) + frame.tau[b][a] * program.output(k);
  }
}

// ν/|ν|; the row n and its rate are divided by |ν|, which is the scale.
template <class T>
void ContactFrames<T>::find_covector(int piece, Frame& frame, T* nu) {
  T* const n = frame.rows.data();
  const FrameProgram& of_point = system_->frames()[contact(piece)];
  const int d = of_point.components;
  double misfit = 0;
  std::fill(jacobian_.begin(), jacobian_.end(), T(0.0));
  const formula::Evaluator<T>& program = programs_[contact(piece)];
  for (std::size_t k = 0; k < of_point.pattern.size(); ++k)
    jacobian_[of_point.pattern[k].first * (n_ + 1) + of_point.pattern[k].second] = program.output(k);
  const bool regular = d == 2 ? solve_covector<2>(n_, jacobian_.data(), n, weights_.data(), nu, misfit)
                              : solve_covector<3>(n_, jacobian_.data(), n, weights_.data(), nu, misfit);
  if (!(misfit <= largest_misfit)) {
    const std::string& name = system_->gaps()[contact(piece)].name;
    throw SolverError(misfit_message(name, misfit), misfit, 0, fmt::format("another system.contact.{}.point", name));
  }
  if (!regular) refuse_normal(piece);
  T square(0.0);
  for (int a = 0; a < d; ++a) square = square + nu[a] * nu[a];
  const T inverse = T(1.0) / (frame.scale = root(square));
  for (int a = 0; a < d; ++a) nu[a] = nu[a] * inverse;
  for (int i = 0; i < n_; ++i) n[i] = n[i] * inverse;
  frame.rates[0] = frame.rates[0] * inverse;
}

template <class T>
void ContactFrames<T>::refuse_normal(int piece) const {  // residual 0: as in the middle of a bowl
  const std::string& name = system_->gaps()[contact(piece)].name;
  throw SolverError(fmt::format("the contact {} has no normal here: its gap has no gradient", name), 0, 0,
                    fmt::format("check system.contact.{}.gap where it closes", name));
}

void check_frames(const System& system, const double* q, double t) {
  ContactFrames<double> frames(system);
  std::vector<double> rows(static_cast<std::size_t>(3) * system.n());
  double rates[3];
  for (int piece = 0; piece < static_cast<int>(system.pieces().size()); ++piece) {
    const FrameProgram& frame = system.frames()[system.contact_of(piece)];
    if (frame.components == 0) continue;
    try {
      frames.evaluate(piece, q, t, rows.data(), rates);
    } catch (const SolverError& error) {
      if (error.residual > largest_misfit)
        throw ModelError("system.contact." + system.gaps()[system.contact_of(piece)].name + ".point", error.what());
    }
  }
}

template class ContactFrames<double>;
template class ContactFrames<formula::Dual<double>>;

}  // namespace ricochet
