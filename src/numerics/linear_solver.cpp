#include "ricochet/numerics/linear_solver.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <variant>

#include "ricochet/numerics/scaled_lu.hpp"

namespace ricochet {

namespace {

using Sparse = Eigen::SparseLU<Eigen::SparseMatrix<double>>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// w_i / w of the first row that has one: with other units each quotient changes by a square.
void divide_by_first(std::vector<double>& row, std::vector<double>& column) {
  double first = 0;
  for (std::size_t i = 0; i < row.size() && !(first > 0); ++i) first = row[i];
  for (auto* weights : {&row, &column})
    for (double& w : *weights) w = w > 0 ? w / first : 1;
}

// The power of two next to 1/√w, from the exponent of w.
double near_inverse_root(double w) {
  constexpr std::int64_t bias = 1023;
  const std::int64_t exponent = (std::bit_cast<std::int64_t>(w) >> 52) - bias;
  return std::bit_cast<double>((bias - (exponent >> 1)) << 52);
}

// A divided by the sizes r_i of its rows and c_j of its columns.
struct Scaled {
  MatrixXd matrix;
  VectorXd row, column;
  std::vector<char> empty;  // rows of zeros
};

Scaled scale(const MatrixXd& a) {
  const int n = static_cast<int>(a.rows());
  std::vector<double> row(n), column(n);
  for (int i = 0; i < n; ++i) row[i] = std::abs(a(i, i));
  complete_weights(n, row.data(), column.data(), [&](int k, auto&& f) {
    for (int i = 0; i < n; ++i)
      if (i != k) f(i, a(k, i), a(i, k));
  });
  Scaled result{a, VectorXd(n), VectorXd(n), std::vector<char>(n)};
  for (int i = 0; i < n; ++i) result.empty[i] = !(row[i] > 0);
  divide_by_first(row, column);
  for (int i = 0; i < n; ++i) result.row[i] = std::sqrt(row[i]), result.column[i] = std::sqrt(column[i]);
  for (int j = 0; j < n; ++j) result.matrix.col(j) = a.col(j).cwiseQuotient(result.row) / result.column[j];
  return result;
}

constexpr double rank_threshold = 1e-12;  // singular values, or pivots, below this part of the largest are zero

using Decomposition = Eigen::CompleteOrthogonalDecomposition<MatrixXd>;

Decomposition decomposed(const MatrixXd& a) {
  Decomposition decomposition;
  decomposition.setThreshold(rank_threshold);
  decomposition.compute(a);
  return decomposition;
}

}  // namespace

struct LinearSolver::Factors {
  std::variant<ScaledLu<1>, ScaledLu<2>, ScaledLu<3>, ScaledLu<4>, ScaledLu<5>, ScaledLu<6>, ScaledLu<0>,
               std::unique_ptr<Sparse>>
      lu;
  std::vector<int> places;  // of the pattern, in the values
  // sparse only:
  Eigen::SparseMatrix<double> matrix;
  std::vector<int> transposed;              // place of a_ji for each a_ij, −1 if there is none
  std::vector<double> row, column;          // scales, powers of two
  mutable VectorXd right;                   // work of a solve
  void weigh_sparse(const double* values);  // row and column, divided by the first
  bool factorize_sparse(const double* values);
  MatrixXd dense(const std::vector<double>& values, int size) const;
};

LinearSolver::LinearSolver(int size, const Pattern& pattern) : size_(size), factors_(std::make_unique<Factors>()) {
  if (size <= dense_limit) {
    values_.assign(static_cast<std::size_t>(size) * size, 0.0);
    std::vector<int>& places = factors_->places;
    for (const auto& [row, column] : pattern) places.push_back(row + size * column);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    switch (size) {
      case 1: factors_->lu.emplace<ScaledLu<1>>(); break;
      case 2: factors_->lu.emplace<ScaledLu<2>>(); break;
      case 3: factors_->lu.emplace<ScaledLu<3>>(); break;
      case 4: factors_->lu.emplace<ScaledLu<4>>(); break;
      case 5: factors_->lu.emplace<ScaledLu<5>>(); break;
      case 6: factors_->lu.emplace<ScaledLu<6>>(); break;
      default: factors_->lu.emplace<ScaledLu<0>>(size, places);
    }
    return;
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(pattern.size());
  for (const auto& [row, column] : pattern) entries.emplace_back(row, column, 1.0);
  auto& matrix = factors_->matrix;
  matrix.resize(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  matrix.makeCompressed();
  values_.assign(matrix.nonZeros(), 0.0);
  factors_->places.resize(values_.size());
  std::iota(factors_->places.begin(), factors_->places.end(), 0);
  factors_->transposed.assign(matrix.nonZeros(), -1);
  for (int j = 0; j < size; ++j)
    for (int k = matrix.outerIndexPtr()[j]; k < matrix.outerIndexPtr()[j + 1]; ++k) {
      const int i = matrix.innerIndexPtr()[k];
      const int *first = matrix.innerIndexPtr() + matrix.outerIndexPtr()[i],
                *last = matrix.innerIndexPtr() + matrix.outerIndexPtr()[i + 1],
                *found = std::lower_bound(first, last, j);
      if (found != last && *found == j) factors_->transposed[k] = static_cast<int>(found - matrix.innerIndexPtr());
    }
  factors_->row.resize(size);
  factors_->column.resize(size);
  factors_->right.resize(size);
  auto sparse = std::make_unique<Sparse>();
  sparse->setPivotThreshold(0.1);
  sparse->analyzePattern(matrix);
  factors_->lu = std::move(sparse);
}

LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

int LinearSolver::slot(int row, int column) const {
  if (size_ <= dense_limit) return row + size_ * column;
  const auto& m = factors_->matrix;
  for (int k = m.outerIndexPtr()[column]; k < m.outerIndexPtr()[column + 1]; ++k)
    if (m.innerIndexPtr()[k] == row) return k;
  throw std::logic_error("an entry that is not in the pattern of the matrix");
}

void LinearSolver::clear() {
  for (const int place : factors_->places) values_[place] = 0;
}

void LinearSolver::Factors::weigh_sparse(const double* values) {
  const int n = static_cast<int>(matrix.cols());
  const int *outer = matrix.outerIndexPtr(), *inner = matrix.innerIndexPtr();
  for (int j = 0; j < n; ++j) {
    row[j] = 0;
    for (int k = outer[j]; k < outer[j + 1]; ++k)
      if (inner[k] == j) row[j] = std::abs(values[k]);
  }
  // Rows are found as the partners of columns: an a_ki without a place for a_ik is not seen, as its product is zero.
  complete_weights(n, row.data(), column.data(), [&](int k, auto&& f) {
    for (int e = outer[k]; e < outer[k + 1]; ++e)
      if (inner[e] != k) f(inner[e], transposed[e] < 0 ? 0.0 : values[transposed[e]], values[e]);
  });
  divide_by_first(row, column);
}

bool LinearSolver::Factors::factorize_sparse(const double* values) {
  const int n = static_cast<int>(matrix.cols());
  const int *outer = matrix.outerIndexPtr(), *inner = matrix.innerIndexPtr();
  weigh_sparse(values);
  for (auto* scales : {&row, &column})
    for (double& r : *scales) r = near_inverse_root(r);
  for (int j = 0; j < n; ++j)
    for (int k = outer[j]; k < outer[j + 1]; ++k) matrix.valuePtr()[k] = values[k] * row[inner[k]] * column[j];
  auto& sparse = *std::get<std::unique_ptr<Sparse>>(lu);
  sparse.factorize(matrix);
  return sparse.info() == Eigen::Success;
}

void LinearSolver::row_sizes(double* r) {
  bool regular = size_ <= dense_limit;
  for (int i = 0; i < size_ && regular; ++i) regular = values_[i + size_ * i] != 0;
  if (regular) {
    const double first = std::abs(values_[0]);
    r[0] = 1;
    for (int i = 1; i < size_; ++i) r[i] = std::sqrt(std::abs(values_[i + size_ * i]) / first);
  } else if (size_ <= dense_limit) {
    const VectorXd sizes = scale(factors_->dense(values_, size_)).row;
    std::copy(sizes.data(), sizes.data() + size_, r);
  } else {
    factors_->weigh_sparse(values_.data());
    for (int i = 0; i < size_; ++i) r[i] = std::sqrt(factors_->row[i]);
  }
}

bool LinearSolver::factorize() {
  return std::visit(
      [&](auto& lu) {
        if constexpr (std::is_same_v<std::decay_t<decltype(lu)>, std::unique_ptr<Sparse>>)
          return factors_->factorize_sparse(values_.data());
        else
          return lu.factorize(values_.data());
      },
      factors_->lu);
}

void LinearSolver::solve(const double* b, double* x) const {
  std::visit(
      [&](auto& lu) {
        if constexpr (std::is_same_v<std::decay_t<decltype(lu)>, std::unique_ptr<Sparse>>) {
          VectorXd& right = factors_->right;
          for (int i = 0; i < size_; ++i) right[i] = b[i] * factors_->row[i];
          right = lu->solve(right).eval();
          for (int j = 0; j < size_; ++j) x[j] = right[j] * factors_->column[j];
        } else {
          lu.solve(b, x);
        }
      },
      factors_->lu);
}

MatrixXd LinearSolver::Factors::dense(const std::vector<double>& values, int size) const {
  if (size <= dense_limit) return Eigen::Map<const MatrixXd>(values.data(), size, size);
  Eigen::SparseMatrix<double> sparse = matrix;
  std::copy(values.begin(), values.end(), sparse.valuePtr());
  return sparse;
}

namespace {

// The rows that have a zero on the diagonal and nothing for each other: constraints, in Z; the others are those of X.
//
//   A_XX x + A_XZ ν = b_X,  A_ZX x = b_Z:   x = B⁺b_Z + N y with B = A_ZX, B N = 0, and [A_XX N, A_XZ] (y; ν) = the
//   rest.
//
// The matrix as a whole has the square of a small singular value of B, which would count as zero long before its rows
// depend on each other: [1 ε; ε 0] has 1 and −ε².
VectorXd solve_constraints_first(const MatrixXd& a, const VectorXd& b, const std::vector<int>& X,
                                 const std::vector<int>& Z) {
  const MatrixXd B = a(Z, X);
  const Decomposition of_rows = decomposed(B.transpose());
  const int rank = static_cast<int>(of_rows.rank()), free = static_cast<int>(X.size()) - rank;
  const MatrixXd N = MatrixXd(of_rows.householderQ()).rightCols(free);
  const VectorXd x = decomposed(B).solve(VectorXd(b(Z)));
  MatrixXd rest(X.size(), free + Z.size());
  rest << a(X, X) * N, a(X, Z);
  const VectorXd found = decomposed(rest).solve(VectorXd(b(X) - a(X, X) * x));
  VectorXd result(b.size());
  result(X) = x + N * found.head(free);
  result(Z) = found.tail(Z.size());
  return result;
}

}  // namespace

void LinearSolver::solve_minimum_norm(const double* b, double* x, double* rest) const {
  const Scaled a = scale(factors_->dense(values_, size_));
  VectorXd right = Eigen::Map<const VectorXd>(b, size_).cwiseQuotient(a.row);  // x may be b
  bool impossible = false;
  for (int i = 0; i < size_; ++i)
    if (a.empty[i] != 0) {
      impossible |= right[i] != 0;
      right[i] = 0;
    }
  std::vector<int> X, Z;
  for (int i = 0; i < size_; ++i) (a.matrix(i, i) == 0 ? Z : X).push_back(i);
  const bool constraints = !Z.empty() && !X.empty() && a.matrix(Z, Z).isZero(0);
  const VectorXd solution =
      constraints ? solve_constraints_first(a.matrix, right, X, Z) : VectorXd(decomposed(a.matrix).solve(right));
  Eigen::Map<VectorXd>(x, size_) = solution.cwiseQuotient(a.column);
  if (rest == nullptr) return;
  const double largest = right.cwiseAbs().maxCoeff(), left = (a.matrix * solution - right).cwiseAbs().maxCoeff();
  *rest = impossible ? 1 : left > 0 ? left / largest : 0;
}

std::vector<double> LinearSolver::null_vector(int leading) const {
  const Scaled a = scale(factors_->dense(values_, size_));
  Eigen::FullPivLU<MatrixXd> lu(a.matrix);
  lu.setThreshold(rank_threshold);
  if (lu.dimensionOfKernel() == 0) return {};
  const MatrixXd kernel = lu.kernel();
  for (int k = 0; k < kernel.cols(); ++k) {
    const VectorXd y = kernel.col(k) / kernel.col(k).cwiseAbs().maxCoeff();
    if (!(y.head(leading).cwiseAbs().maxCoeff() > 1e-6)) continue;
    const VectorXd x = y.cwiseQuotient(a.column);
    return {x.data(), x.data() + size_};
  }
  return {};
}

}  // namespace ricochet
