#include "ricochet/report/mesh_history.hpp"

#include <gtest/gtest.h>

#include "support/solids.hpp"

namespace ricochet::mesh_history_test {
namespace {

MeshHistory history() {
  continuum::Model model = test::two_discs(3, continuum::Treatment::multiplier);
  const auto stepper = test::stepper_of(model);
  MeshHistory h(stepper->labels());
  Observables seen;
  const double step = continuum::step_of(model);
  for (int k = 0; k < 30; ++k) {
    stepper->observe(seen);
    h.add(k * step, seen.fields[0].data(), seen.fields[2].data());
    stepper->advance(k * step, step);
  }
  return h;
}

TEST(MeshHistory, PacksPlacesAndStressesOfTheirRange) {
  const MeshHistory h = history();
  EXPECT_EQ(h.bodies, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(h.outline.size(), 2u * 2 * 18);
  const std::array<float, 4> box = h.box();
  const std::vector<std::uint16_t> places = h.places();
  ASSERT_EQ(places.size(), 30u * 2 * 2 * 37);
  const MeshFrame& last = h.frames.back();
  for (std::size_t i = 0; i < last.x.size(); ++i) {  // half of a 65535th of the box
    const double x = box[i % 2] + places[29 * last.x.size() + i] / 65535.0 * (box[i % 2 + 2] - box[i % 2]);
    EXPECT_NEAR(x, last.x[i], 0.51 / 65535 * (box[i % 2 + 2] - box[i % 2]) + 1e-6);
  }
  const std::vector<std::int8_t> levels = h.levels();
  EXPECT_EQ(*std::min_element(levels.begin(), levels.end()), -127);  // pressure is the largest
}

TEST(MeshHistory, PictureShowsThreeMoments) {
  const std::string svg = svg_mesh_history(history(), "a & b", 680, 400);
  std::size_t times = 0;
  for (std::size_t at = svg.find("t = "); at != std::string::npos; at = svg.find("t = ", at + 1)) ++times;
  EXPECT_GE(times, 2u);
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(MeshHistory, FramesFitAPage) {
  EXPECT_EQ(mesh_frames(100, 100), 400);
  EXPECT_GT(mesh_frames(2000, 3500), 200);
  EXPECT_EQ(mesh_frames(1000000, 2000000), 12);
}

}  // namespace
}  // namespace ricochet::mesh_history_test
