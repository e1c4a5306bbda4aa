#include "ricochet/report/landscape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/formula/program.hpp"

namespace ricochet {

namespace {

constexpr int columns = 160, rows = 120;

Span wider(Span s) {
  const double room = s.max > s.min ? (s.max - s.min) / 10 : std::max(std::abs(s.min), 1.0);
  return {s.min - room, s.max + room};
}

}  // namespace

Landscape landscape(const Model& model, Span t, Span first, Span second) {
  const std::vector<Expr> q = model.q();
  const Expr time = model.graph->time();
  const bool strip = q.size() == 1;
  const std::vector<Expr> axes = strip ? std::vector<Expr>{time, q[0]} : std::vector<Expr>{q[0], q[1]};
  const Span across = strip ? t : wider(first), up = wider(strip ? first : second);
  Landscape out{strip ? "time t" : model.coordinates[0],
                strip ? model.coordinates[0] : model.coordinates[1],
                {across.min, up.min},
                {across.max, up.max},
                0,
                0,
                {},
                {}};

  std::vector<Expr> shown;
  for (const Contact& contact : model.contacts) {
    bool known = strip || !depends_on(contact.gap, time);
    for (std::size_t k = 2; k < q.size(); ++k) known = known && !depends_on(contact.gap, q[k]);
    if (known)
      shown.push_back(contact.gap);
    else
      out.hidden.push_back(contact.name);
  }
  if (shown.empty()) return out;

  const formula::Program program(shown, axes);
  formula::Evaluator<double> evaluator(program);
  out.columns = columns;
  out.rows = rows;
  out.gap.reserve(static_cast<std::size_t>(columns) * rows);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      evaluator.inputs()[0] = across.min + (across.max - across.min) * (i + 0.5) / columns;
      evaluator.inputs()[1] = up.min + (up.max - up.min) * (j + 0.5) / rows;
      evaluator.run();
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < shown.size(); ++k) {
        const double g = evaluator.output(k);
        least = g < least || g != g ? g : least;  // one without a value leaves none
        if (g != g) break;
      }
      out.gap.push_back(static_cast<float>(least));
    }
  return out;
}

}  // namespace ricochet
