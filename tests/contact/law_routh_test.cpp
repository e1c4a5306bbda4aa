// Several contacts in one process: what it lowers and raises, energy, cones, derivatives.
#include "../src/contact/law_routh.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "contact/random_impact.hpp"

namespace ricochet::law_routh_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Process {
  std::vector<RouthContact<double>> contacts;
  MatrixXd delta;
  VectorXd c;

  template <class T>
  bool run(Routh<T>& routh, const MatrixXd* d_delta = nullptr, const VectorXd* d_c = nullptr) const {
    std::vector<RouthContact<T>> list;
    for (const RouthContact<double>& x : contacts)
      list.push_back({x.row, x.tangents, T(x.friction), T(x.e), x.stops, x.still});
    const int rows = static_cast<int>(c.size());
    std::vector<T> m(static_cast<std::size_t>(rows) * rows), v(rows);
    for (int i = 0; i < rows; ++i) {
      v[i] = T(c[i]);
      for (int j = 0; j < rows; ++j) m[i * rows + j] = T(delta(i, j));
      if constexpr (std::is_same_v<T, Dual>) {
        v[i].derivative = (*d_c)[i];
        for (int j = 0; j < rows; ++j) m[i * rows + j].derivative = (*d_delta)(i, j);
      }
    }
    return routh.run(list, rows, m.data(), v.data());
  }
};

Process random_process(int count, int tangents, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  std::normal_distribution<double> normal;
  Process p;
  const int rows = count * (1 + tangents), n = rows + 1;
  const MatrixXd j = test::random_rows(rows, n, random);
  VectorXd v(n);
  for (int i = 0; i < n; ++i) v[i] = normal(random);
  p.delta = j * j.transpose();
  p.c = j * v;
  const double e = unit(random);
  for (int i = 0; i < count; ++i) {
    const int row = i * (1 + tangents);
    p.c[row] = -std::abs(p.c[row]);
    p.contacts.push_back({row, tangents, 0.6 * unit(random), random() % 3 == 0 ? unit(random) : e, random() % 5 == 0,
                          1e-14 * p.c.norm()});
    if (p.contacts.back().stops) p.contacts.back().e = 0;
  }
  return p;
}

TEST(LawRouth, SeveralAtOnceLoseNoMoreThanTheyHaveAndStayInTheirCones) {
  std::mt19937 random(11);
  Routh<double> routh;
  int done = 0, pulled = 0;
  for (int k = 0; k < 3000; ++k) {
    const int tangents = k % 3;
    const Process p = random_process(2 + k % 2, tangents, random);
    if (!p.run(routh)) {
      ++pulled;
      continue;
    }
    ++done;
    const VectorXd lambda = Eigen::Map<const VectorXd>(routh.impulse().data(), p.c.size()),
                   after = p.c + p.delta * lambda;
    const VectorXd eigen = p.delta.selfadjointView<Eigen::Lower>().eigenvalues();
    const double round_off = 1e-12 * eigen.maxCoeff() / eigen.minCoeff();  // the rates of slip are worse than Δ
    const double energy = lambda.dot(after + p.c) / 2, terms = lambda.cwiseAbs().dot(after.cwiseAbs() + p.c.cwiseAbs());
    ASSERT_LE(energy, round_off * terms) << k;
    double works = 0, asked = 0, ratio = -1;
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      const RouthContact<double>& contact = p.contacts[i];
      works += routh.restitution(static_cast<int>(i));
      asked -= contact.e * contact.e * routh.compression(static_cast<int>(i));
      double rub = 0;
      for (int a = 1; a <= tangents; ++a) rub = std::hypot(rub, lambda[contact.row + a]);
      const double bound = contact.stops ? rub : contact.friction * lambda[contact.row];
      ASSERT_LE(rub, bound * (1 + 1e-10)) << k;
      // all are raised in proportion to e|c|
      if (contact.e == 0) {
        ASSERT_NEAR(after[contact.row], 0, round_off * p.c.norm()) << k;
        continue;
      }
      const double now = after[contact.row] / (contact.e * -p.c[contact.row]);
      ASSERT_NEAR(now, ratio < 0 ? now : ratio, (1e-9 + round_off) * (1 + ratio)) << k;
      ratio = now;
    }
    ASSERT_NEAR(works, asked, 1e-10 * (asked + terms * round_off) + round_off * terms) << k;
  }
  EXPECT_GT(done, 1000);
  EXPECT_GT(pulled, 100);
}

TEST(LawRouth, DerivativesOfSeveralAtOnceAreThoseOfCentralDifferences) {
  // Richardson's order 4 with steps of 1e-5; differences that cross a branch are seen by their size, and left out.
  std::mt19937 random(12);
  std::normal_distribution<double> normal;
  Routh<double> routh;
  Routh<Dual> dual;
  int compared = 0, curved = 0;
  for (int k = 0; k < 1500; ++k) {
    const Process p = random_process(2, k % 3, random);
    const int rows = static_cast<int>(p.c.size());
    const VectorXd eigen = p.delta.selfadjointView<Eigen::Lower>().eigenvalues();
    if (eigen.maxCoeff() > 100 * eigen.minCoeff()) continue;
    const MatrixXd half = test::random_rows(rows, rows, random), d_delta = half + half.transpose();
    VectorXd d_c(rows);
    for (int i = 0; i < rows; ++i) d_c[i] = normal(random);
    const int before = dual.curves();
    if (!p.run(dual, &d_delta, &d_c)) continue;
    bool pulls = false;
    const auto difference = [&](double h) {
      VectorXd sum = VectorXd::Zero(rows);
      for (const double sign : {1.0, -1.0}) {
        Process q = p;
        q.delta += sign * h * d_delta;
        q.c += sign * h * d_c;
        pulls |= !q.run(routh);
        for (int i = 0; i < rows; ++i) sum[i] += sign * routh.impulse()[i] / (2 * h);
      }
      return sum;
    };
    const VectorXd a = difference(2e-5), b = difference(1e-5), f = b + (b - a) / 3;
    if (pulls || (b - a).norm() > 1e-5 * (b.norm() + 1)) continue;
    ++compared;
    curved += dual.curves() > before;
    for (int i = 0; i < rows; ++i) EXPECT_NEAR(dual.impulse()[i].derivative, f[i], 1e-7 * (f.norm() + 1)) << k;
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(curved, 20);
}

TEST(LawRouth, VerticesThatStickShareTheirFrictionAsTheirLoad) {
  // A block on two vertices, its mass to the left: the friction that stops it is over-determined (the same row twice)
  // and is shared in proportion to the normal impulses, so that a cone that holds the block holds each vertex.
  Process p;
  MatrixXd j(4, 3);
  j << 0, 1, -0.2, 1, 0, 0.3, 0, 1, 0.6, 1, 0, 0.3;
  p.delta = j * Eigen::Vector3d(1, 1, 10).asDiagonal() * j.transpose();
  p.c = j * Eigen::Vector3d(0, -1, 0);
  p.c[1] = p.c[3] = 0;  // no slip
  for (const int row : {0, 2}) p.contacts.push_back({row, 1, 2.0, 0.0, false, 1e-15});
  Routh<double> routh;
  ASSERT_TRUE(p.run(routh));
  const VectorXd l = Eigen::Map<const VectorXd>(routh.impulse().data(), 4);
  const VectorXd after = p.c + p.delta * l;
  EXPECT_LE(after.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(l[1] * l[2], l[3] * l[0], 1e-14);
  EXPECT_GT(l[0], 1.5 * l[2]);
}

}  // namespace
}  // namespace ricochet::law_routh_test
