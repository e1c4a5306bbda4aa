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
  std::variant<Dense<1>, Dense<2>, Dense<3>, Dense<4>, Dense<5>, Dense<6>, Dense<Eigen::Dynamic>,
               std::unique_ptr<Sparse>>
      lu;
  Eigen::SparseMatrix<double> matrix;  // sparse only
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

void LinearSolver::solve_minimum_norm(const double* b, double* x) const {
  Eigen::MatrixXd dense(size_, size_);
  if (size_ <= dense_limit) {
    dense = Eigen::Map<const Eigen::MatrixXd>(values_.data(), size_, size_);
  } else {
    Eigen::SparseMatrix<double> sparse = factors_->matrix;
    std::copy(values_.begin(), values_.end(), sparse.valuePtr());
    dense = sparse;
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-12);
  decomposition.compute(dense);
  const Eigen::VectorXd solution = decomposition.solve(Eigen::Map<const Eigen::VectorXd>(b, size_));
  Eigen::Map<Eigen::VectorXd>(x, size_) = solution;
}

}  // namespace ricochet
