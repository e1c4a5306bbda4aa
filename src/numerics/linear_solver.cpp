#include "ricochet/numerics/linear_solver.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <cmath>
#include <stdexcept>
#include <variant>

namespace ricochet {

namespace {

template <int N>
using Square = Eigen::Matrix<double, N, N>;
template <int N>
using Column = Eigen::Matrix<double, N, 1>;
template <int N>
using Dense = Eigen::PartialPivLU<Square<N>>;
using Sparse = Eigen::SparseLU<Eigen::SparseMatrix<double>>;

}  // namespace

struct LinearSolver::Factors {
  std::variant<Dense<1>, Dense<2>, Dense<3>, Dense<4>, Dense<Eigen::Dynamic>, std::unique_ptr<Sparse>> lu;
  Eigen::SparseMatrix<double> matrix;  // sparse only
  Eigen::MatrixXd dense(const std::vector<double>& values, int size) const;
};

LinearSolver::LinearSolver(int size, const Pattern& pattern) : size_(size), factors_(std::make_unique<Factors>()) {
  if (size <= dense_limit) {
    values_.assign(static_cast<std::size_t>(size) * size, 0.0);
    switch (size) {
      case 1: factors_->lu.emplace<Dense<1>>(); break;
      case 2: factors_->lu.emplace<Dense<2>>(); break;
      case 3: factors_->lu.emplace<Dense<3>>(); break;
      case 4: factors_->lu.emplace<Dense<4>>(); break;
      default: factors_->lu.emplace<Dense<Eigen::Dynamic>>(size);
    }
    return;
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(pattern.size());
  for (const auto& [row, column] : pattern) entries.emplace_back(row, column, 1.0);
  factors_->matrix.resize(size, size);
  factors_->matrix.setFromTriplets(entries.begin(), entries.end());
  factors_->matrix.makeCompressed();
  values_.assign(factors_->matrix.nonZeros(), 0.0);
  auto sparse = std::make_unique<Sparse>();
  sparse->analyzePattern(factors_->matrix);
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

void LinearSolver::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

bool LinearSolver::factorize() {
  return std::visit(
      [&](auto& lu) {
        using Lu = std::decay_t<decltype(lu)>;
        if constexpr (std::is_same_v<Lu, std::unique_ptr<Sparse>>) {
          std::copy(values_.begin(), values_.end(), factors_->matrix.valuePtr());
          lu->factorize(factors_->matrix);
          return lu->info() == Eigen::Success;
        } else {
          lu.compute(Eigen::Map<const typename Lu::MatrixType>(values_.data(), size_, size_));
          const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
          const double smallest = pivots.minCoeff();
          return smallest > 1e-15 * pivots.maxCoeff() && std::isfinite(smallest);
        }
      },
      factors_->lu);
}

void LinearSolver::solve(const double* b, double* x) const {
  std::visit(
      [&](auto& lu) {
        using Lu = std::decay_t<decltype(lu)>;
        if constexpr (std::is_same_v<Lu, std::unique_ptr<Sparse>>) {
          const Eigen::VectorXd solution = lu->solve(Eigen::Map<const Eigen::VectorXd>(b, size_));
          Eigen::Map<Eigen::VectorXd>(x, size_) = solution;
        } else {
          constexpr int n = Lu::MatrixType::RowsAtCompileTime;
          using Vector = Eigen::Matrix<double, n, 1, 0, n == Eigen::Dynamic ? dense_limit : n, 1>;
          const Vector solution = lu.solve(Vector(Eigen::Map<const Column<n>>(b, size_)));
          Eigen::Map<Column<n>>(x, size_) = solution;
        }
      },
      factors_->lu);
}

Eigen::MatrixXd LinearSolver::Factors::dense(const std::vector<double>& values, int size) const {
  if (size <= dense_limit) return Eigen::Map<const Eigen::MatrixXd>(values.data(), size, size);
  Eigen::SparseMatrix<double> sparse = matrix;
  std::copy(values.begin(), values.end(), sparse.valuePtr());
  return sparse;
}

void LinearSolver::solve_minimum_norm(const double* b, double* x, double* rest) const {
  const Eigen::MatrixXd dense = factors_->dense(values_, size_);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-12);
  decomposition.compute(dense);
  const Eigen::VectorXd right = Eigen::Map<const Eigen::VectorXd>(b, size_);  // x may be b
  const Eigen::VectorXd solution = decomposition.solve(right);
  Eigen::Map<Eigen::VectorXd>(x, size_) = solution;
  if (rest != nullptr) *rest = (dense * solution - right).cwiseAbs().maxCoeff();
}

std::vector<double> LinearSolver::null_vector(int leading) const {
  Eigen::MatrixXd dense = factors_->dense(values_, size_);
  for (int i = 0; i < size_; ++i)  // rows of size 1: an equation may be small, but not nothing
    if (const double largest = dense.row(i).cwiseAbs().maxCoeff(); largest > 0) dense.row(i) /= largest;
  Eigen::FullPivLU<Eigen::MatrixXd> lu(dense);
  lu.setThreshold(1e-12);
  if (lu.dimensionOfKernel() == 0) return {};
  const Eigen::MatrixXd kernel = lu.kernel();
  for (int k = 0; k < kernel.cols(); ++k) {
    const Eigen::VectorXd x = kernel.col(k) / kernel.col(k).cwiseAbs().maxCoeff();
    if (x.head(leading).cwiseAbs().maxCoeff() > 1e-6) return {x.data(), x.data() + size_};
  }
  return {};
}

}  // namespace ricochet
