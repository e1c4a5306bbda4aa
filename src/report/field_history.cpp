#include "ricochet/report/field_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ricochet/report/reel.hpp"
#include "ricochet/report/svg.hpp"

namespace ricochet {

namespace {

constexpr int levels = stress_levels;

}  // namespace

std::string stress_colour(int level) {
  const double s = std::abs(level) / static_cast<double>(levels);
  const std::array<double, 3> none{232, 232, 232},
      full = level < 0 ? std::array<double, 3>{5, 48, 130} : std::array<double, 3>{150, 10, 20};
  std::array<int, 3> c{};
  for (std::size_t k = 0; k < 3; ++k) c[k] = static_cast<int>(std::lround(none[k] + s * (full[k] - none[k])));
  return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
}

FieldHistory::FieldHistory(const Labels& labels, std::size_t max_cells) : bodies(labels.bodies) {
  const auto offsets = [&](const std::string& name) {
    const auto found =
        std::find_if(labels.fields.begin(), labels.fields.end(), [&](const FieldLabel& f) { return f.name == name; });
    return found == labels.fields.end() ? std::vector<std::int64_t>(bodies.size() + 1, 0) : found->offsets;
  };
  const std::vector<std::int64_t> nodes = offsets("x"), stresses = offsets("stress");
  const double share = static_cast<double>(max_cells) / static_cast<double>(std::max<std::int64_t>(stresses.back(), 1));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto count = static_cast<std::size_t>(stresses[b + 1] - stresses[b]);
    const auto groups =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::floor(share * static_cast<double>(count))),
                                std::min<std::size_t>(count, 1), count);
    layout_.push_back({static_cast<std::size_t>(nodes[b]), static_cast<std::size_t>(stresses[b]), count, groups});
    cells.push_back(groups);
  }
}

void FieldHistory::add(double time, const double* position, const double* stresses) {
  t.push_back(time);
  for (const Body& body : layout_)
    for (std::size_t g = 0; g <= body.groups; ++g) {
      const std::size_t begin = g * body.cells / body.groups;
      x.push_back(static_cast<float>(position[body.first_node + begin]));
      if (g == body.groups) break;
      const std::size_t end = (g + 1) * body.cells / body.groups;
      double sum = 0;
      for (std::size_t c = begin; c < end; ++c) sum += stresses[body.first_cell + c];
      stress.push_back(static_cast<float>(sum / static_cast<double>(end - begin)));
      largest = std::max(largest, std::abs(static_cast<double>(stress.back())));
    }
}

FieldHistory read_field_history(const ArchiveReader& archive, std::int64_t max_frames, std::size_t max_cells) {
  FieldHistory history(archive.header().labels, max_cells);
  const std::int64_t rows = archive.sizes().rows;
  for (std::int64_t row = 0; row < rows; ++row) {
    if (!evenly_chosen(row, rows, max_frames) && row + 1 != rows) continue;
    const std::vector<double> t = archive.read("t", row, 1), x = archive.read("fields/x", row, 1),
                              stress = archive.read("fields/stress", row, 1);
    history.add(t.front(), x.data(), stress.data());
  }
  return history;
}

std::string svg_field_history(const FieldHistory& h, const std::string& title, int width, int height) {
  const double left = 50, right = width - 20.0, top = title.empty() ? 15 : 40, bottom = height - 35.0;
  const auto [low, high] = std::minmax_element(h.x.begin(), h.x.end());
  const double x0 = h.x.empty() ? 0 : *low, x1 = h.x.empty() ? 1 : *high, span = x1 > x0 ? x1 - x0 : 1;
  const double t0 = h.t.empty() ? 0 : h.t.front(), t1 = h.t.empty() ? 1 : h.t.back(), time = t1 > t0 ? t1 - t0 : 1;
  const auto across = [&](double x) { return left + (x - x0) / span * (right - left); };
  const auto up = [&](double t) { return bottom - (t - t0) / time * (bottom - top); };
  const auto level = [&](double s) {
    return h.largest > 0 ? static_cast<int>(std::lround(levels * s / h.largest)) : 0;
  };
  std::vector<std::string> paths(2 * levels + 1);
  std::size_t node = 0, cell = 0;
  for (std::size_t k = 0; k < h.t.size(); ++k) {
    const double lower = up(k > 0 ? 0.5 * (h.t[k - 1] + h.t[k]) : h.t[k]),
                 upper = up(k + 1 < h.t.size() ? 0.5 * (h.t[k + 1] + h.t[k]) : h.t[k]);
    for (const std::size_t count : h.cells) {
      for (std::size_t i = 0; i < count;) {  // neighbours of one colour are one rectangle
        const int colour_level = level(h.stress[cell + i]);
        std::size_t j = i;
        while (j < count && level(h.stress[cell + j]) == colour_level) ++j;
        paths[colour_level + levels] += fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}Z", across(h.x[node + i]),
                                                    lower, across(h.x[node + j]), upper, across(h.x[node + i]));
        i = j;
      }
      cell += count;
      node += count + 1;
    }
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height);
  if (!title.empty()) svg += fmt::format("<text x=\"{}\" y=\"22\" font-size=\"15\">{}</text>\n", left, escaped(title));
  for (int l = -levels; l <= levels; ++l)
    if (const std::string& path = paths[l + levels]; !path.empty())
      svg += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", stress_colour(l), path);
  svg += fmt::format(
      "<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"#444\"/>\n<text x=\"{0}\" y=\"{4}\">{5:.4g}</text>"
      "<text x=\"{3}\" y=\"{4}\" text-anchor=\"end\">{6:.4g}</text><text x=\"{7}\" y=\"{4}\" "
      "text-anchor=\"middle\">place x; stress from {8:.3g} (blue) to {9:.3g} (red)</text>\n"
      "<text x=\"{10}\" y=\"{2}\" text-anchor=\"end\">{11:.4g}</text><text x=\"{10}\" y=\"{12}\" "
      "text-anchor=\"end\">{13:.4g}</text><text x=\"14\" y=\"{14}\" transform=\"rotate(-90 14 {14})\" "
      "text-anchor=\"middle\">time t</text>\n</svg>\n",
      left, top, bottom, right, bottom + 18, x0, x1, 0.5 * (left + right), -h.largest, h.largest, left - 5, t0,
      top + 10, t1, 0.5 * (top + bottom));
  return svg;
}

}  // namespace ricochet
