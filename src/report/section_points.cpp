#include "ricochet/report/section_points.hpp"

#include <algorithm>
#include <functional>

#include "block.hpp"
#include "ricochet/report/reel.hpp"

namespace ricochet {

std::vector<SectionPoints> section_points(const ArchiveReader& archive, std::int64_t max_points) {
  const std::vector<SectionLabel>& labels = archive.header().labels.sections;
  const std::int64_t rows = archive.sizes().sections;
  std::vector<SectionPoints> sections(labels.size());
  for (std::size_t s = 0; s < labels.size(); ++s) sections[s].values.resize(labels[s].quantities.size());
  const auto for_each_point = [&](const std::function<void(SectionPoints&, double, const double*)>& use) {
    for (std::int64_t first = 0; first < rows; first += block) {
      const std::int64_t count = std::min(block, rows - first);
      const auto t = archive.read("sections/t", first, count), values = archive.read("sections/values", first, count);
      const auto section = archive.read_integers("sections/section", first, count);
      const std::size_t width = values.size() / t.size();
      for (std::size_t k = 0; k < t.size(); ++k)
        use(sections.at(static_cast<std::size_t>(section[k])), t[k], &values[k * width]);
    }
  };
  for_each_point([](SectionPoints& s, double, const double*) { ++s.count; });
  std::vector<std::int64_t> number(sections.size(), 0);
  for_each_point([&](SectionPoints& s, double t, const double* values) {
    if (!evenly_chosen(number[static_cast<std::size_t>(&s - sections.data())]++, s.count, max_points)) return;
    s.t.push_back(t);
    for (std::size_t k = 0; k < s.values.size(); ++k) s.values[k].push_back(values[k]);
  });
  return sections;
}

}  // namespace ricochet
