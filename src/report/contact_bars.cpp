#include "ricochet/report/contact_bars.hpp"

#include <algorithm>

#include "block.hpp"

namespace ricochet {

ContactBars contact_bars(const ArchiveReader& archive, std::size_t max_bars) {
  ContactBars result;
  const std::size_t contacts = archive.header().labels.contacts.size();
  std::vector<ContactBar> open(contacts);
  for (std::size_t c = 0; c < contacts; ++c) open[c] = {static_cast<int>(c), ImpactLaw::release, 0, 0};
  const auto end = [&](ContactBar& bar, double time) {
    if (bar.mode == ImpactLaw::release || !(time > bar.from)) return;  // `rest` and then `stick` are one instant
    ++result.count;
    bar.to = time;
    if (result.bars.size() < max_bars) result.bars.push_back(bar);
  };
  const std::int64_t lines = archive.sizes().impacts;
  for (std::int64_t first = 0; first < lines; first += block) {
    const std::int64_t count = std::min(block, lines - first);
    const std::vector<double> time = archive.read("impacts/time", first, count);
    const std::vector<std::int64_t> laws = archive.read_integers("impacts/laws", first, count);
    for (std::size_t k = 0; k < time.size(); ++k)
      for (std::size_t c = 0; c < contacts; ++c) {
        const std::int64_t law = laws[k * contacts + c];
        if (law < static_cast<std::int64_t>(ImpactLaw::rest)) continue;
        const auto mode = static_cast<ImpactLaw>(law);
        if (mode == ImpactLaw::rest && open[c].mode != ImpactLaw::release) continue;  // an impact of one that lasts
        end(open[c], time[k]);
        open[c].mode = mode;
        open[c].from = time[k];
      }
  }
  const std::int64_t rows = archive.sizes().rows;
  const double last = rows > 0 ? archive.read("t", rows - 1, 1).front() : 0;
  for (ContactBar& bar : open) end(bar, last);
  return result;
}

}  // namespace ricochet
