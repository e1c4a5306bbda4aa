#include "ricochet/continuum/plane_contact.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "ricochet/error.hpp"
#include "support/solids.hpp"

namespace ricochet::continuum::plane_contact_test {
namespace {

// Every node that is near, and its distance, as a search over all segments finds them; rows that are blind to rigid
// motions.
TEST(PlaneContacts, FindWhatTheNaiveSearchFinds) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(-0.02, 0.02);
  Team team(1);
  std::size_t seen = 0;
  for (int trial = 0; trial < 30; ++trial) {
    Model model = test::plane({test::solid("a", test::disc(0, 0, 1, 6), NeoHookean{1, 1}),
                               test::solid("b", test::box(1.05, -0.7, 1, 1.4, 5, 7), NeoHookean{1, 1})});
    model.contacts = {{"a", "b", Treatment::multiplier}};
    const Solid solid(model);
    PlaneContacts contacts(solid, model);
    std::vector<double> u(2 * solid.nodes()), v(2 * solid.nodes());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = noise(random), v[i] = 20 * noise(random);
    const double h = 0.05;
    contacts.search(u.data(), v.data(), h, team);
    const auto at = [&](int i, int d) { return solid.X[2 * i + d] + u[2 * i + d]; };
    const auto naive = [&](int node, const std::vector<Segment>& segments) {
      double best = std::numeric_limits<double>::infinity();
      for (const Segment& s : segments) {
        const double dx = at(s[1], 0) - at(s[0], 0), dy = at(s[1], 1) - at(s[0], 1), rx = at(node, 0) - at(s[0], 0),
                     ry = at(node, 1) - at(s[0], 1),
                     part = std::clamp((rx * dx + ry * dy) / (dx * dx + dy * dy), 0.0, 1.0);
        best = std::min(best, std::hypot(rx - part * dx, ry - part * dy));
      }
      return best;
    };
    std::map<int, double> found;
    for (const NodeContact& c : contacts.found()) {
      found[c.node[0]] = c.gap;
      for (int r = 0; r < 2; ++r) {
        double x = 0, y = 0, turn = 0;
        for (int i = 0; i < 3; ++i) {
          x += c.row[r][i][0];
          y += c.row[r][i][1];
          turn += at(c.node[i], 0) * c.row[r][i][1] - at(c.node[i], 1) * c.row[r][i][0];
        }
        EXPECT_NEAR(x, 0, 1e-15);
        EXPECT_NEAR(y, 0, 1e-15);
        EXPECT_NEAR(turn, 0, 1e-15);
      }
    }
    double width = 0;
    for (const auto& [node, gap] : found) width = std::max(width, std::abs(gap));
    for (int body = 0; body < 2; ++body)
      for (const Segment& s : solid.surfaces[body]) {
        const double distance = naive(s[0], solid.surfaces[1 - body]);
        const auto it = found.find(s[0]);
        if (it != found.end()) {
          EXPECT_NEAR(std::abs(it->second), distance, 1e-12 + (it->second < 0 ? distance : 0));
          ++seen;
        } else {
          EXPECT_GT(distance, 0.99 * width);
        }
      }
  }
  EXPECT_GT(seen, 100u);
}

std::string refusal(const Model& model) {
  try {
    test::stepper_of(model);
  } catch (const ModelError& error) {
    return error.key + ": " + error.what();
  }
  return "";
}

TEST(PlaneContacts, RefuseWhatCannotBe) {
  const auto part = [](const std::string& text, const std::string& wanted) {
    EXPECT_NE(text.find(wanted), std::string::npos) << text;
  };
  Model model = test::two_discs(3, Treatment::multiplier);
  model.plane->bodies[1].mesh = test::disc(1.5, 0.1, 1, 3);
  part(refusal(model), "left-right overlap at the start by 0.");
  model = test::two_discs(3, Treatment::multiplier);
  model.plane->bodies[1].mesh = test::disc(0, 0, 0.2, 2);  // inside
  part(refusal(model), "overlap");
  model = test::two_discs(3, Treatment::redistributed);
  model.scheme = Scheme::avi;
  part(refusal(model), "redistributed needs verlet in the plane");
  model = test::two_discs(1, Treatment::redistributed);
  part(refusal(model), "'left' has too few inner nodes");
  model = test::two_discs(3, Treatment::redistributed);
  model.plane->walls = {{"floor", false, {0, -2}, {0, 1}, 0}};
  model.contacts.push_back({"floor", "left"});
  part(refusal(model), "floor-left: the surface of 'left' has no mass in another contact");
  model = test::two_discs(3, Treatment::multiplier);
  model.contacts.push_back({"right", "left"});
  part(refusal(model), "given twice");
  model = test::two_discs(3, Treatment::multiplier);
  model.contacts[0].b = "nobody";
  part(refusal(model), "there is no body or wall 'nobody'");
  model = test::two_discs(3, Treatment::multiplier);
  model.courant = 1.2;
  part(refusal(model), "above the limit of stability, 1 (the stable step is");
  model = test::two_discs(3, Treatment::multiplier);
  model.plane->walls = {{"floor", false, {0, -0.9}, {0, 1}, 0}};
  model.contacts = {{"left", "floor"}};
  part(refusal(model), "left-floor overlap at the start by 0.0848078 at (");  // where it is deepest: two nodes
  part(refusal(model), "0.173648, -0.984808)");
}

}  // namespace
}  // namespace ricochet::continuum::plane_contact_test
