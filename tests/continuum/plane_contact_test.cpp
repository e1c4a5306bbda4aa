#include "ricochet/continuum/plane_contact.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

#include "ricochet/error.hpp"
#include "support/solids.hpp"

namespace ricochet::continuum::plane_contact_test {
namespace {

// Every node that is near, and its distance, as a search over all segments finds them, but where it is nearest to a
// corner that is nearer to another point of the node's own body; rows that are blind to rigid motions.
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
    const auto naive = [&](int node, const std::vector<Segment>& segments, int* corner) {
      double best = std::numeric_limits<double>::infinity();
      for (const Segment& s : segments) {
        const double dx = at(s[1], 0) - at(s[0], 0), dy = at(s[1], 1) - at(s[0], 1), rx = at(node, 0) - at(s[0], 0),
                     ry = at(node, 1) - at(s[0], 1),
                     part = std::clamp((rx * dx + ry * dy) / (dx * dx + dy * dy), 0.0, 1.0);
        const double distance = std::hypot(rx - part * dx, ry - part * dy);
        if (!(distance < best)) continue;
        best = distance;
        if (corner) *corner = part == 0 ? s[0] : part == 1 ? s[1] : -1;
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
        int corner = -1;
        const double distance = naive(s[0], solid.surfaces[1 - body], &corner);
        const auto it = found.find(s[0]);
        if (it != found.end()) {
          EXPECT_NEAR(std::abs(it->second), distance, 1e-12 + (it->second < 0 ? distance : 0));
          ++seen;
        } else {
          EXPECT_TRUE(distance > 0.99 * width ||
                      (corner >= 0 && naive(corner, solid.surfaces[body], nullptr) < distance));
        }
      }
  }
  EXPECT_GT(seen, 100u);
}

// Bodies of random shapes that lie close to each other and to themselves, enough nodes for several threads: what is
// found, rows and all, does not depend on their number, and each gap is the distance that a look at every segment
// finds.
TEST(PlaneContacts, FindTheSameOnAllThreads) {
  std::mt19937 random(11);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  std::size_t seen = 0;
  for (int trial = 0; trial < 6; ++trial) {
    const auto bodies = [&](std::int64_t around) {
      std::vector<PlaneBody> all;
      for (const double x : {0.0, 2.02})
        all.push_back(test::solid(x > 0 ? "b" : "a", make_mesh(RingShape{{x, 0}, 1, 0.98, 1, around}), Hooke{1, 1}));
      return all;
    };
    Model model = test::plane(bodies(trial % 2 == 0 ? 1500 : 700));
    const Treatment treatment = trial < 3 ? Treatment::multiplier : Treatment::penalty;
    model.contacts = {{"a", "b", treatment, 1}, {"a", "a", treatment, 1}};
    const Solid solid(model);
    // the left ring is flat: its sides are near each other, and nearer to a node are the next segments of its own side
    const double part = uniform(0.996, 0.999), shift = uniform(-0.02, -0.015);
    std::vector<double> u(2 * solid.nodes()), v(2 * solid.nodes());
    for (std::size_t i = 0; i < solid.nodes(); ++i) {
      const double X = solid.X[2 * i], Y = solid.X[2 * i + 1];
      if (i < solid.parts[0].last_node)
        u[2 * i + 1] = -std::copysign(part * std::sqrt(std::max(0.0, 0.98 * 0.98 - X * X)), Y);
      else
        u[2 * i] = shift;
      v[2 * i] = uniform(-1, 1), v[2 * i + 1] = uniform(-1, 1);
    }
    std::vector<NodeContact> first;
    for (const unsigned threads : {1u, 2u, 5u}) {
      PlaneContacts contacts(solid, model);
      Team team(threads);
      contacts.search(u.data(), v.data(), 1e-3, team);
      const std::vector<NodeContact>& found = contacts.found();
      if (threads == 1) first = found;
      ASSERT_EQ(found.size(), first.size());
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].slot, first[k].slot);
        EXPECT_EQ(found[k].node, first[k].node);
        EXPECT_EQ(found[k].row, first[k].row);
        EXPECT_EQ(found[k].gap, first[k].gap);
      }
    }
    const auto at = [&](int i, int d) { return solid.X[2 * i + d] + u[2 * i + d]; };
    const auto normal = [&](const Segment& s) {
      const double dx = at(s[1], 0) - at(s[0], 0), dy = at(s[1], 1) - at(s[0], 1), length = std::hypot(dx, dy);
      return std::array<double, 3>{dy / length, -dx / length, length};
    };
    for (const NodeContact& c : first) {
      if (c.gap < 0 || (c.pair == 1 && std::abs(solid.X[2 * c.node[0]]) > 0.9)) continue;  // where the ring folds
      const bool self = c.pair == 1;
      const int node = c.node[0], other = self || node >= static_cast<int>(solid.parts[1].first_node) ? 0 : 1;
      double best = std::numeric_limits<double>::infinity(), of_length = 0, nx = 0, ny = 0;
      std::set<int> own{node};
      for (const Segment& s : solid.surfaces[0])
        if (s[0] == node || s[1] == node) {
          own.insert(s.begin(), s.end());
          nx += normal(s)[0], ny += normal(s)[1];
        }
      for (const Segment& s : solid.surfaces[static_cast<std::size_t>(other)]) {
        const auto n = normal(s);
        if (self && (own.contains(s[0]) || own.contains(s[1]) || nx * n[0] + ny * n[1] >= 0)) continue;
        const double dx = at(s[1], 0) - at(s[0], 0), dy = at(s[1], 1) - at(s[0], 1), rx = at(node, 0) - at(s[0], 0),
                     ry = at(node, 1) - at(s[0], 1),
                     part = std::clamp((rx * dx + ry * dy) / (dx * dx + dy * dy), 0.0, 1.0),
                     distance = std::hypot(rx - part * dx, ry - part * dy);
        if (distance < best) best = distance, of_length = n[2];
      }
      // that to the line where faces lie on each other, up to a hundredth of the segment beyond its end
      EXPECT_LT(c.gap, best + 1e-12);
      EXPECT_LT(best * best - c.gap * c.gap, 1e-4 * of_length * of_length + 1e-14);
      seen += self;
    }
  }
  EXPECT_GT(seen, 100u);
}

// Walls of a few layers, bent or straight, pressed to a third of their thickness while they fly apart: nothing of them
// is in contact, although the other side is nearer than a segment is long.
TEST(PlaneContacts, APressedWallDoesNotTouchItself) {
  Team team(1);
  for (const Treatment treatment : {Treatment::multiplier, Treatment::penalty})
    for (const int layers : {1, 2, 3})
      for (const double thickness : {0.02, 0.1, 0.2})
        for (const double pressed : {1.0, 0.7, 0.4, 0.34})
          for (const bool ring : {false, true}) {
            const PlaneMesh mesh = ring ? make_mesh(RingShape{{0, 0}, 1, 1 - thickness, layers, 50})
                                        : test::box(0, -1, 2, thickness, 10, layers);
            Model model = test::plane({test::solid("wall", mesh, NeoHookean{1, 1})});
            model.contacts = {{"wall", "wall", treatment, 1}};
            const Solid solid(model);
            PlaneContacts contacts(solid, model);
            std::vector<double> u(2 * solid.nodes()), v(2 * solid.nodes());
            for (std::size_t i = 0; i < solid.nodes(); ++i) {
              const double X = solid.X[2 * i], Y = solid.X[2 * i + 1], r = std::hypot(X, Y),
                           by = ring ? (pressed - 1) * (r - 1) : (pressed - 1) * (Y + 1);
              u[2 * i] = ring ? by * X / r : 0;
              u[2 * i + 1] = ring ? by * Y / r : by;
              v[2 * i] = X, v[2 * i + 1] = Y;
            }
            contacts.search(u.data(), v.data(), 0.05, team);
            EXPECT_TRUE(contacts.found().empty()) << name(treatment) << layers << " " << thickness << " " << pressed;
          }
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
  // where it is deepest: two nodes
  part(refusal(model), "left-floor overlap at the start by 0.0848078 at (");
  part(refusal(model), "of 'left'");
  part(refusal(model), "0.173648, -0.984808)");
}

// Two bars that cross, turned and shifted: each end of either is outside the other, so that no node is inside. A body
// whose boundary crosses itself, and a circle inside a body, have no node inside either. Bars that lie on each other,
// or touch with corners, do not cross, whatever round-off makes of them.
TEST(PlaneContacts, RefuseBoundariesThatCross) {
  std::mt19937 random(2);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const auto turned = [](PlaneMesh mesh, double turn, double x, double y) {
    for (std::size_t i = 0; i < mesh.X.size(); i += 2) {
      const double X = mesh.X[i], Y = mesh.X[i + 1];
      mesh.X[i] = std::cos(turn) * X - std::sin(turn) * Y + x;
      mesh.X[i + 1] = std::sin(turn) * X + std::cos(turn) * Y + y;
    }
    return mesh;
  };
  for (int trial = 0; trial < 40; ++trial) {
    const double turn = uniform(0, 6), x = uniform(-5, 5), y = uniform(-5, 5), angle = uniform(0.6, 2.5);
    const auto bars = [&](PlaneMesh second) {
      Model model = test::plane({test::solid("a", turned(test::box(-2, -0.1, 4, 0.2, 1, 1), turn, x, y), Hooke{1, 1}),
                                 test::solid("b", turned(std::move(second), turn, x, y), Hooke{1, 1})});
      model.contacts = {{"a", "b"}};
      return refusal(model);
    };
    const PlaneMesh bar = test::box(-2, -0.15, 4, 0.3, 1, 1);
    EXPECT_NE(bars(turned(bar, angle, uniform(-0.5, 0.5), 0)).find("a-b overlap at the start: boundaries cross at ("),
              std::string::npos);
    EXPECT_EQ(bars(turned(bar, 0, uniform(-3, 3), 0.25)), "");         // flush
    EXPECT_EQ(bars(turned(bar, 0, 4, uniform(-0.2, 0.2))), "");        // end on end
    EXPECT_EQ(bars(turned(bar, 0, 4, trial % 2 ? 0.25 : -0.25)), "");  // corner on corner
  }
  // more than once around
  const auto spiral = [](double around) {
    PlaneMesh mesh = test::box(0, 0.8, around, 0.2, 60, 2);
    for (std::size_t i = 0; i < mesh.X.size(); i += 2) {
      const double angle = -mesh.X[i], r = mesh.X[i + 1];
      mesh.X[i] = r * std::cos(angle);
      mesh.X[i + 1] = r * std::sin(angle);
    }
    Model model = test::plane({test::solid("a", std::move(mesh), Hooke{1, 1})});
    model.contacts = {{"a", "a"}};
    return refusal(model);
  };
  EXPECT_NE(spiral(6.5).find("a-a overlap at the start: boundaries cross at ("), std::string::npos);
  EXPECT_EQ(spiral(6.2), "");
  for (const double at : {0.0, 0.3, 0.79, 1.3}) {
    Model model = test::plane({test::solid("a", test::disc(0, 0, 1, 4), Hooke{1, 1})});
    model.plane->walls = {{"pin", true, {at, 0}, {}, 0.2}};
    model.contacts = {{"a", "pin"}};
    EXPECT_EQ(refusal(model).find("overlap at the start") == std::string::npos, at > 1.2) << at;
  }
}

}  // namespace
}  // namespace ricochet::continuum::plane_contact_test
