#include "ricochet/report/contact_bars.hpp"

#include <gtest/gtest.h>

#include "simulation/toy_stepper.hpp"

namespace ricochet::contact_bars_test {
namespace {

const Labels labels{{"x"}, {}, {"left", "right"}};

void add(Archive& archive, double time, ImpactLaw law, std::vector<int> contacts, double lambda = 0) {
  Impact line;
  line.time = time;
  line.law = law;
  line.q = line.v_before = line.v_after = {0};
  for (const int c : contacts) line.contacts.push_back({.contact = c, .lambda = lambda, .law = law});
  archive.add(0, line);
}

TEST(ContactBars, StretchesOfOneMode) {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory.path / "trajectory.h5";
  {
    Archive archive(file, {}, labels);
    for (const double t : {0.0, 10.0}) {
      Observables o;
      o.t = t;
      o.q = o.v = o.p = {0};
      o.gaps = {0, 0};
      archive.record(0, o);
    }
    using enum ImpactLaw;
    add(archive, 1, coulomb, {0}, 1);
    add(archive, 1, rest, {0, 1});
    add(archive, 1, slide, {0});
    add(archive, 2, rest, {0, 1}, 0.5);  // an impact of what lasts already
    add(archive, 3, stick, {0});
    add(archive, 4, release, {0, 1});
    add(archive, 6, rest, {1});
    archive.close("");
  }
  const ContactBars result = contact_bars(ArchiveReader(file), 100);
  const std::vector<std::tuple<int, ImpactLaw, double, double>> expected{{0, ImpactLaw::slide, 1, 3},
                                                                         {0, ImpactLaw::stick, 3, 4},
                                                                         {1, ImpactLaw::rest, 1, 4},
                                                                         {1, ImpactLaw::rest, 6, 10}};
  ASSERT_EQ(result.bars.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const ContactBar& bar = result.bars[k];
    EXPECT_EQ(std::tuple(bar.contact, bar.mode, bar.from, bar.to), expected[k]) << k;
  }
  const ContactBars first = contact_bars(ArchiveReader(file), 2);
  EXPECT_EQ(first.bars.size(), 2u);
  EXPECT_EQ(first.count, 4);
}

}  // namespace
}  // namespace ricochet::contact_bars_test
