#include "ricochet/report/impact_digest.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "ricochet/report/reel.hpp"

namespace ricochet {

namespace {

constexpr std::int64_t block = 4096;  // lines read at once
constexpr int bins = 24;

// Columns of the archive that are shown as they are.
constexpr const char* plain_columns[] = {"alpha",         "gap",          "impulse",  "requested_restitution",
                                         "energy_before", "energy_after", "residual", "obtained_restitution"};

std::string contact_names(const std::vector<std::string>& names, const double* lambda, std::int64_t first) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (lambda[k] != 0) text += (text.empty() ? "" : " + ") + names[k];
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

// The time since the impact before, for each impact but the first.
void for_each_interval(const ArchiveReader& archive, const std::function<void(double)>& body) {
  double previous = std::numeric_limits<double>::quiet_NaN();
  for_each_block(archive, [&](std::int64_t first, std::int64_t count) {
    const auto time = archive.read("impacts/time", first, count);
    const auto law = archive.read_integers("impacts/law", first, count);
    for (std::size_t k = 0; k < time.size(); ++k) {
      if (law[k] >= static_cast<std::int64_t>(ImpactLaw::rest)) continue;  // rest, stick, slide, release
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
  const std::vector<std::string>& names = archive.header().labels.contacts;
  digest.lines = archive.sizes().impacts;
  digest.alpha = make_histogram(0, 1, false);
  std::vector<double> number, step, times, intervals, iterations;
  std::vector<std::vector<double>> plain(std::size(plain_columns));
  double previous = std::numeric_limits<double>::quiet_NaN();
  for_each_block(archive, [&](std::int64_t first, std::int64_t count_) {
    std::vector<std::vector<double>> columns;
    for (const char* name : plain_columns)
      columns.push_back(archive.read(std::string("impacts/") + name, first, count_));
    const auto time = archive.read("impacts/time", first, count_),
               lambda = archive.read("impacts/lambda", first, count_);
    const auto steps = archive.read_integers("impacts/step", first, count_),
               law = archive.read_integers("impacts/law", first, count_),
               laws = archive.read_integers("impacts/laws", first, count_),
               contact = archive.read_integers("impacts/contact", first, count_),
               iteration = archive.read_integers("impacts/iterations", first, count_);
    for (std::size_t k = 0; k < time.size(); ++k) {
      const std::int64_t line = first + static_cast<std::int64_t>(k);
      const auto this_law = static_cast<ImpactLaw>(law[k]);
      const bool impact = this_law < ImpactLaw::rest, chosen = evenly_chosen(line, digest.lines, max_lines);
      if (impact) {
        count(digest.alpha, columns[0][k]);
        digest.energy_change += columns[5][k] - columns[4][k];
        if (chosen) digest.times.push_back(time[k]);
      }
      if (chosen) {
        number.push_back(static_cast<double>(line + 1));
        step.push_back(static_cast<double>(steps[k]));
        times.push_back(time[k]);
        intervals.push_back(time[k] - previous);  // not a number for the first
        iterations.push_back(static_cast<double>(iteration[k]));
        for (std::size_t c = 0; c < columns.size(); ++c) plain[c].push_back(columns[c][k]);
        digest.contacts.push_back(contact_names(names, lambda.data() + k * names.size(), contact[k]));
        digest.laws.push_back(law_names(laws.data() + k * names.size(), names.size(), this_law));
      }
      if (impact) previous = time[k];
    }
  });
  // Episodes last, have a largest force, and their law is the treatment of their contact.
  const std::vector<std::string>& treatments = archive.header().labels.treatments;
  std::vector<double> ends, largest;
  if (!treatments.empty())
    for_each_block(archive, [&](std::int64_t first, std::int64_t count_) {
      const auto end = archive.read("impacts/end_time", first, count_),
                 force = archive.read("impacts/largest_force", first, count_);
      const auto contact = archive.read_integers("impacts/contact", first, count_);
      for (std::size_t k = 0; k < end.size(); ++k) {
        if (!evenly_chosen(first + static_cast<std::int64_t>(k), digest.lines, max_lines)) continue;
        digest.laws[ends.size()] = treatments.at(static_cast<std::size_t>(contact[k]));
        ends.push_back(end[k]);
        largest.push_back(force[k]);
      }
    });
  digest.interval = interval_histogram(archive);
  digest.columns = {
      {"number", number}, {"step", step}, {"time", times}, {"interval", intervals}, {"iterations", iterations}};
  for (std::size_t c = 0; c < plain.size(); ++c) digest.columns.emplace_back(plain_columns[c], plain[c]);
  if (!treatments.empty()) {
    digest.columns.emplace_back("end_time", ends);
    digest.columns.emplace_back("largest_force", largest);
  }
  return digest;
}

}  // namespace ricochet
