#include "ricochet/report/mesh_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/report/field_history.hpp"
#include "ricochet/report/reel.hpp"
#include "ricochet/report/svg.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

namespace {

constexpr std::int64_t most_numbers = 1'500'000;  // of all frames: about three megabytes of a page

// The room of one frame.
std::array<float, 4> box_of(const MeshFrame& f) {
  const float inf = std::numeric_limits<float>::infinity();
  std::array<float, 4> b{inf, inf, -inf, -inf};
  for (std::size_t i = 0; i + 1 < f.x.size(); i += 2) {
    b[0] = std::min(b[0], f.x[i]);
    b[1] = std::min(b[1], f.x[i + 1]);
    b[2] = std::max(b[2], f.x[i]);
    b[3] = std::max(b[3], f.x[i + 1]);
  }
  return b;
}

}  // namespace

MeshHistory::MeshHistory(const Labels& labels) : bodies(labels.bodies), triangles(labels.triangles) {
  cells = labels.fields.back().offsets;
  std::vector<continuum::Triangle> list(triangles.size() / 3);
  for (std::size_t k = 0; k < list.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i) list[k][i] = static_cast<int>(triangles[3 * k + i]);
  for (const continuum::Segment& s : continuum::boundary(list)) outline.insert(outline.end(), {s[0], s[1]});
}

void MeshHistory::add(double t, const double* x, const double* stress) {
  MeshFrame& f = frames.emplace_back();
  f.t = t;
  const auto n = static_cast<std::size_t>(1 + *std::max_element(triangles.begin(), triangles.end()));
  f.x.assign(x, x + 2 * n);
  for (std::size_t c = 0; c < triangles.size() / 3; ++c) {
    f.stress.push_back(static_cast<float>(0.5 * (stress[3 * c] + stress[3 * c + 1])));
    largest = std::max(largest, std::abs(static_cast<double>(f.stress.back())));
  }
}

std::array<float, 4> MeshHistory::box() const {
  std::array<float, 4> all = frames.empty() ? std::array<float, 4>{0, 0, 1, 1} : box_of(frames.front());
  for (const MeshFrame& f : frames) {
    const std::array<float, 4> b = box_of(f);
    for (std::size_t k = 0; k < 2; ++k) all[k] = std::min(all[k], b[k]), all[k + 2] = std::max(all[k + 2], b[k + 2]);
  }
  for (std::size_t k = 0; k < 2; ++k)
    if (!(all[k + 2] > all[k])) all[k + 2] = all[k] + 1;
  return all;
}

std::vector<std::uint16_t> MeshHistory::places() const {
  const std::array<float, 4> b = box();
  std::vector<std::uint16_t> out;
  for (const MeshFrame& f : frames)
    for (std::size_t i = 0; i < f.x.size(); ++i) {
      const float low = b[i % 2], high = b[i % 2 + 2];
      out.push_back(
          static_cast<std::uint16_t>(std::lround(65535 * std::clamp((f.x[i] - low) / (high - low), 0.f, 1.f))));
    }
  return out;
}

std::vector<std::int8_t> MeshHistory::levels() const {
  std::vector<std::int8_t> out;
  for (const MeshFrame& f : frames)
    for (const float s : f.stress)
      out.push_back(static_cast<std::int8_t>(largest > 0 ? std::lround(127 * s / largest) : 0));
  return out;
}

std::vector<continuum::PlaneWall> plane_walls(const RunDescription& about) {
  try {
    const Scenario s = read_scenario_text(about.scenario_text, about.scenario_name, about.overrides);
    return s.continuum && s.continuum->plane ? s.continuum->plane->walls : std::vector<continuum::PlaneWall>{};
  } catch (const InputError&) {  // a mesh file that is no longer there: the bodies are in the archive, the walls not
    return {};
  }
}

std::int64_t mesh_frames(std::size_t nodes, std::size_t cells) {
  return std::clamp<std::int64_t>(most_numbers / static_cast<std::int64_t>(2 * nodes + cells / 2 + 1), 12, 400);
}

MeshHistory read_mesh_history(const ArchiveReader& archive, const std::vector<continuum::PlaneWall>& walls) {
  const Labels& labels = archive.header().labels;
  MeshHistory history(labels);
  history.walls = walls;
  const std::int64_t rows = archive.sizes().rows,
                     most = mesh_frames(static_cast<std::size_t>(labels.fields.front().offsets.back()),
                                        static_cast<std::size_t>(labels.fields.back().offsets.back()));
  for (std::int64_t row = 0; row < rows; ++row) {
    if (!evenly_chosen(row, rows, most) && row + 1 != rows) continue;
    const std::vector<double> t = archive.read("t", row, 1), x = archive.read("fields/x", row, 1),
                              stress = archive.read("fields/stress", row, 1);
    history.add(t.front(), x.data(), stress.data());
  }
  return history;
}

std::string svg_mesh_history(const MeshHistory& h, const std::string& title, int width, int height) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height);
  if (!title.empty()) svg += fmt::format("<text x=\"20\" y=\"22\" font-size=\"15\">{}</text>\n", escaped(title));
  if (h.frames.empty()) return svg + "</svg>\n";
  const auto strain = [](const MeshFrame& f) {
    double sum = 0;
    for (const float s : f.stress) sum += std::abs(s);
    return sum;
  };
  std::size_t hardest = 0;
  for (std::size_t k = 0; k < h.frames.size(); ++k)
    if (strain(h.frames[k]) > strain(h.frames[hardest])) hardest = k;
  std::vector<std::size_t> shown{0};
  for (const std::size_t k : {hardest, h.frames.size() - 1})
    if (k != shown.back()) shown.push_back(k);
  const std::array<float, 4> b = h.box();
  const double wide = b[2] - b[0], high = b[3] - b[1], top = title.empty() ? 8 : 34, room = height - top - 26;
  const auto n = static_cast<double>(shown.size());
  const bool below = wide > 2.2 * high;  // each other
  const double panel_w = below ? width - 24 : (width - 24) / n, panel_h = below ? room / n : room,
               scale = std::min((panel_w - 10) / wide, (panel_h - 18) / high);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const MeshFrame& f = h.frames[shown[k]];
    const double left = 12 + (below ? 0 : static_cast<double>(k) * panel_w),
                 up = top + (below ? static_cast<double>(k) * panel_h : 0);
    const double ox = left + 0.5 * (panel_w - 6 - scale * wide), oy = up + 14 + 0.5 * (panel_h - 18 + scale * high);
    const auto px = [&](double x) { return ox + scale * (x - b[0]); };
    const auto py = [&](double y) { return oy - scale * (y - b[1]); };
    svg += fmt::format(
        "<clipPath id=\"p{0}\"><rect x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"{3:.1f}\" height=\"{4:.1f}\"/></clipPath>"
        "<g clip-path=\"url(#p{0})\">\n",
        k, left, up, panel_w - 6, panel_h);
    for (const continuum::PlaneWall& w : h.walls) {
      if (w.circle) {
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#bbb\"/>\n", px(w.at[0]),
                           py(w.at[1]), scale * w.radius);
        continue;
      }
      const double far = 2 * (wide + high), tx = -w.normal[1], ty = w.normal[0];
      const auto corner = [&](double along, double down) {
        return fmt::format("{:.1f},{:.1f} ", px(w.at[0] + along * tx - down * w.normal[0]),
                           py(w.at[1] + along * ty - down * w.normal[1]));
      };
      svg += "<polygon fill=\"#bbb\" points=\"" + corner(-far, 0) + corner(far, 0) + corner(far, 0.05 * high) +
             corner(-far, 0.05 * high) + "\"/>\n";
    }
    std::vector<std::string> paths(2 * stress_levels + 1);
    for (std::size_t c = 0; c < f.stress.size(); ++c) {
      const int level = h.largest > 0 ? static_cast<int>(std::lround(stress_levels * f.stress[c] / h.largest)) : 0;
      std::string& path = paths[level + stress_levels];
      for (std::size_t i = 0; i < 3; ++i) {
        const auto node = static_cast<std::size_t>(h.triangles[3 * c + i]);
        path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", px(f.x[2 * node]), py(f.x[2 * node + 1]));
      }
      path += "Z";
    }
    for (int level = -stress_levels; level <= stress_levels; ++level)
      if (const std::string& path = paths[level + stress_levels]; !path.empty())
        svg += fmt::format("<path fill=\"{0}\" stroke=\"{0}\" stroke-width=\"0.4\" d=\"{1}\"/>\n", stress_colour(level),
                           path);
    std::string edges;
    for (std::size_t s = 0; s + 1 < h.outline.size(); s += 2) {
      const auto p = static_cast<std::size_t>(h.outline[s]), q = static_cast<std::size_t>(h.outline[s + 1]);
      edges += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", px(f.x[2 * p]), py(f.x[2 * p + 1]), px(f.x[2 * q]),
                           py(f.x[2 * q + 1]));
    }
    svg += fmt::format(
        "<path fill=\"none\" stroke=\"#333\" stroke-width=\"0.8\" d=\"{}\"/></g>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">t = {:.4g}</text>\n",
        edges, left + 2, up + 11, f.t);
  }
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">mean stress in the plane from {:.3g} (blue) to {:.3g} "
      "(red)</text>\n</svg>\n",
      width / 2, height - 8, -h.largest, h.largest);
  return svg;
}

}  // namespace ricochet
