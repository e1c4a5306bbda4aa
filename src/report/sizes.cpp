#include "ricochet/report/sizes.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/continuum/momentum_sizes.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/mechanics/gaps.hpp"

namespace ricochet {

namespace {

constexpr std::int64_t sampled_records = 200;

// What formulas of (q, v, t) are evaluated on.
struct Sampled {
  std::vector<double> q, v, p;
  double t = 0;

  template <class Program>
  void put_into(Program& program) const {
    std::copy(q.begin(), q.end(), program.inputs());
    std::copy(v.begin(), v.end(), program.inputs() + q.size());
    program.inputs()[q.size() + v.size()] = t;
    program.run();
  }
};

// f(row) of records that are spread evenly.
template <class F>
void sample(const ArchiveReader& archive, F&& f) {
  const std::int64_t rows = archive.sizes().rows, count = std::min(rows, sampled_records);
  for (std::int64_t k = 0; k < count; ++k) f(count > 1 ? k * (rows - 1) / (count - 1) : 0);
}

void enlarge(double& size, double by) {
  if (std::isfinite(by)) size = std::max(size, by);
}

Sizes sizes_of_bodies(const continuum::Model& model, const ArchiveReader& archive) {
  const continuum::MomentumSizes momenta(model);
  Sizes sizes{std::vector<double>(archive.header().labels.momenta.size(), 0)};
  sample(archive, [&](std::int64_t row) {
    const std::vector<double> now = momenta.of(archive.read("fields/x", row, 1), archive.read("fields/v", row, 1));
    for (std::size_t k = 0; k < now.size(); ++k) enlarge(sizes.momenta[k], now[k]);
  });
  return sizes;
}

}  // namespace

Sizes measure_sizes(const Scenario& scenario, const ArchiveReader& archive) {
  if (scenario.continuum) return sizes_of_bodies(*scenario.continuum, archive);
  const Model& model = scenario.model;
  Sizes sizes{std::vector<double>(model.symmetries.size(), 0)};
  if (model.coordinates.empty()) return sizes;
  std::vector<Expr> qvt = model.q();
  for (const Expr& v : model.v()) qvt.push_back(v);
  qvt.push_back(model.graph->time());
  std::vector<Expr> generators;
  for (const Symmetry& s : model.symmetries)
    generators.insert(generators.end(), s.generator.begin(), s.generator.end());
  const formula::Program compiled(generators, qvt);
  formula::Evaluator<double> generator(compiled);
  std::vector<Expr> equations;
  for (const auto* list : {&model.holonomic, &model.nonholonomic})
    for (const Constraint& c : *list) equations.push_back(c.equation);
  const formula::VectorFunction constraints(equations, qvt);
  formula::Evaluator<double> jacobian(constraints.order(1));
  const System system(model);
  Gaps gaps(system);
  std::vector<double> changes(equations.size(), 0), now, normal(model.coordinates.size());
  sample(archive, [&](std::int64_t row) {
    const Sampled record{archive.read("q", row, 1), archive.read("v", row, 1), archive.read("p", row, 1),
                         archive.read("t", row, 1).front()};
    const std::size_t n = record.q.size();
    if (!generators.empty()) record.put_into(generator);
    for (std::size_t s = 0; s < sizes.momenta.size(); ++s) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += std::abs(record.p[i] * generator.output(s * n + i));
      enlarge(sizes.momenta[s], sum);
    }
    for (int piece = 0; piece < gaps.pieces(); ++piece) {
      double sum = 0, g_t = 0;
      gaps.gradient(piece, record.q.data(), record.t, normal.data(), g_t);
      for (std::size_t i = 0; i < n; ++i) sum += std::abs(normal[i] * record.q[i]);
      if (std::isfinite(sum)) sizes.gaps = std::max(sizes.gaps.value_or(0), sum);
    }
    if (equations.empty()) return;
    record.put_into(jacobian);
    now.assign(equations.size(), 0);
    for (std::size_t e = 0; e < constraints.jacobian_pattern().size(); ++e) {
      const auto [c, i] = constraints.jacobian_pattern()[e];
      const bool velocities = c >= model.holonomic.size();
      if (i < 2 * n && (i >= n) == velocities)
        now[c] +=
            std::abs(jacobian.output(constraints.jacobian_output(e)) * (velocities ? record.v[i - n] : record.q[i]));
    }
    for (std::size_t c = 0; c < now.size(); ++c) enlarge(changes[c], now[c]);
  });
  const auto split = changes.begin() + static_cast<std::ptrdiff_t>(model.holonomic.size());
  if (split != changes.begin()) sizes.holonomic = *std::min_element(changes.begin(), split);
  if (split != changes.end()) sizes.nonholonomic = *std::min_element(split, changes.end());
  return sizes;
}

}  // namespace ricochet
