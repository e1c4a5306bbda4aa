#include "ricochet/report/impact_digest.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "block.hpp"
#include "ricochet/report/reel.hpp"
#include "ricochet/simulation/ledger_fields.hpp"

namespace ricochet {

namespace {

constexpr int bins = 24;

// A column of the archive that is shown as it is.
struct Shown {
  std::string name;
  bool integer;
  std::vector<double> values{};  // of the lines that are listed

  std::vector<double> read(const ArchiveReader& archive, std::int64_t first, std::int64_t count) const {
    if (!integer) return archive.read("impacts/" + name, first, count);
    const std::vector<std::int64_t> whole = archive.read_integers("impacts/" + name, first, count);
    return {whole.begin(), whole.end()};
  }
};

std::vector<Shown> shown_columns(const Labels& labels) {
  std::vector<Shown> shown;
  for (const LedgerField& f : ledger_fields())
    if (f.on_page && f.exists(labels))
      shown.push_back({f.dataset, std::holds_alternative<LedgerField::Integer>(f.value)});
  return shown;
}

std::string contact_names(const std::vector<std::string>& names, const std::int64_t* laws, std::int64_t first) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (laws[k] >= 0) text += (text.empty() ? "" : " + ") + names[k];
  if (text.empty() && first >= 0) text = names[static_cast<std::size_t>(first)];
  return text;
}

// One word where the law is the same for all contacts, else that of each.
std::string law_names(const std::int64_t* laws, std::size_t contacts, ImpactLaw line) {
  std::vector<ImpactLaw> acted;
  for (std::size_t k = 0; k < contacts; ++k)
    if (laws[k] >= 0) acted.push_back(static_cast<ImpactLaw>(laws[k]));
  if (std::all_of(acted.begin(), acted.end(), [&](ImpactLaw law) { return law == line; })) return name(line);
  std::string text;
  for (const ImpactLaw law : acted) {
    if (!text.empty()) text += " + ";
    text += name(law);
  }
  return text;
}

void for_each_block(const ArchiveReader& archive, const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t lines = archive.sizes().impacts;
  for (std::int64_t first = 0; first < lines; first += block) body(first, std::min(block, lines - first));
}

// Lasting contact begins with an impulse where bouncing is cut short.
bool is_impact(ImpactLaw law, double impulse) { return law < ImpactLaw::rest || impulse != 0; }

// The time since the impact before, for each impact but the first.
void for_each_interval(const ArchiveReader& archive, const std::function<void(double)>& body) {
  double previous = std::numeric_limits<double>::quiet_NaN();
  for_each_block(archive, [&](std::int64_t first, std::int64_t count) {
    const auto time = archive.read("impacts/time", first, count);
    const auto law = archive.read_integers("impacts/law", first, count);
    const auto impulse = archive.read("impacts/impulse", first, count);
    for (std::size_t k = 0; k < time.size(); ++k) {
      if (!is_impact(static_cast<ImpactLaw>(law[k]), impulse[k])) continue;
      if (!std::isnan(previous)) body(time[k] - previous);
      previous = time[k];
    }
  });
}

Histogram make_histogram(double from, double to, bool logarithmic) {
  Histogram h;
  h.logarithmic = logarithmic;
  h.counts.assign(bins, 0);
  for (int k = 0; k <= bins; ++k) {
    const double s = static_cast<double>(k) / bins;
    h.edges.push_back(logarithmic ? from * std::pow(to / from, s) : from + (to - from) * s);
  }
  return h;
}

void count(Histogram& h, double value) {
  const auto bin = std::upper_bound(h.edges.begin(), h.edges.end(), value) - h.edges.begin() - 1;
  ++h.counts[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(bin, 0, bins - 1))];
}

// Intervals of very different size (a ball coming to rest) are counted in bins of equal ratio.
Histogram interval_histogram(const ArchiveReader& archive) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for_each_interval(archive, [&](double interval) {
    if (interval > 0) smallest = std::min(smallest, interval);
    largest = std::max(largest, interval);
  });
  if (largest == 0) return {};
  const bool logarithmic = largest > 100 * smallest;
  Histogram h = make_histogram(logarithmic ? smallest : 0, largest, logarithmic);
  for_each_interval(archive, [&](double interval) { count(h, interval); });
  return h;
}

}  // namespace

ImpactDigest digest_impacts(const ArchiveReader& archive, std::int64_t max_lines) {
  ImpactDigest digest;
  const Labels& labels = archive.header().labels;
  const std::vector<std::string>&names = labels.contacts, &treatments = labels.treatments;
  digest.lines = archive.sizes().impacts;
  digest.lossy = !treatments.empty() && digest.lines > 0;
  digest.alpha = make_histogram(0, 1, false);
  std::vector<Shown> shown = shown_columns(labels);
  std::vector<double> number, impact_number, intervals;
  double previous = std::numeric_limits<double>::quiet_NaN();
  for_each_block(archive, [&](std::int64_t first, std::int64_t count_) {
    std::vector<std::vector<double>> columns;
    columns.reserve(shown.size());
    for (const Shown& s : shown) columns.push_back(s.read(archive, first, count_));
    const auto time = archive.read("impacts/time", first, count_), alpha = archive.read("impacts/alpha", first, count_),
               before = archive.read("impacts/energy_before", first, count_),
               after = archive.read("impacts/energy_after", first, count_),
               impulse = archive.read("impacts/impulse", first, count_);
    const auto law = archive.read_integers("impacts/law", first, count_),
               laws = archive.read_integers("impacts/laws", first, count_),
               contact = archive.read_integers("impacts/contact", first, count_);
    for (std::size_t k = 0; k < time.size(); ++k) {
      const std::int64_t line = first + static_cast<std::int64_t>(k);
      const auto this_law = static_cast<ImpactLaw>(law[k]);
      const bool impact = is_impact(this_law, impulse[k]), chosen = evenly_chosen(line, digest.lines, max_lines);
      if (impact) {
        ++digest.impacts;
        for (std::size_t c = 0; c < names.size(); ++c) digest.lossy |= laws[k * names.size() + c] > 0;
        count(digest.alpha, alpha[k]);
        digest.energy_change += after[k] - before[k];
        if (chosen) digest.times.push_back(time[k]);
      }
      if (chosen) {
        number.push_back(static_cast<double>(line + 1));
        impact_number.push_back(impact ? static_cast<double>(digest.impacts) : 0);
        intervals.push_back(time[k] - previous);  // not a number for the first
        for (std::size_t c = 0; c < shown.size(); ++c) shown[c].values.push_back(columns[c][k]);
        digest.contacts.push_back(contact_names(names, laws.data() + k * names.size(), contact[k]));
        digest.laws.push_back(treatments.empty()
                                  ? law_names(laws.data() + k * names.size(), names.size(), this_law)
                                  : treatments.at(static_cast<std::size_t>(contact[k])));  // of an episode
      }
      if (impact) previous = time[k];
    }
  });
  digest.interval = interval_histogram(archive);
  digest.columns = {{"number", number}, {"impact", impact_number}, {"interval", intervals}};
  for (const Shown& s : shown) digest.columns.emplace_back(s.name, s.values);
  return digest;
}

}  // namespace ricochet
