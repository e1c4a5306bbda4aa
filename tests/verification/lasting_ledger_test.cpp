// What lasting contact tells: lines of the ledger, episodes, modes and forces, in every method that has it, against
// what statics says and against each other.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/methods/contact_forces.hpp"
#include "ricochet/simulation/ledger.hpp"
#include "ricochet/simulation/method_stepper.hpp"
#include "support/flight.hpp"
#include "support/rough.hpp"

namespace ricochet::lasting_ledger_test {
namespace {

constexpr double g = 9.81;

// All lines of a step in their order.
std::vector<Impact> lines_of(const Workspace& work) {
  std::vector<Impact> lines;
  std::size_t written = 0;
  for (std::size_t k = 0; k <= work.impacts.size(); ++k) {
    for (; written < work.changes.size() && work.changes[written].after <= k; ++written)
      lines.push_back(work.changes[written]);
    if (k < work.impacts.size()) lines.push_back(work.impacts[k]);
  }
  EXPECT_EQ(written, work.changes.size());
  return lines;
}

// Follows a ledger: every contact begins before it changes and ends, and the modes of the state are what the lines say.
struct Follower {
  std::vector<ImpactLaw> now;  // of each contact; release: open
  int begun = 0;
  double time = -1;
  explicit Follower(const Flight& run) : now(run.system->gaps().size(), ImpactLaw::release) {}

  void read(const Flight& run, const std::string& what) {
    for (const Impact& line : lines_of(*run.work)) {
      EXPECT_GE(line.time, time) << what;
      EXPECT_GE(line.alpha, 0) << what;
      EXPECT_LE(line.alpha, 1) << what;
      time = line.time;
      if (line.law < ImpactLaw::rest) continue;
      EXPECT_FALSE(line.contacts.empty()) << what;
      for (const ContactImpulse& c : line.contacts) {
        ImpactLaw& law = now.at(c.contact);
        if (line.law == ImpactLaw::rest) {
          EXPECT_TRUE(c.lambda != 0 || law == ImpactLaw::release) << what << " begins twice at " << line.time;
          begun += law == ImpactLaw::release;
          if (law == ImpactLaw::release) law = line.law;
        } else {
          EXPECT_NE(law, ImpactLaw::release) << what << " is not there at " << line.time;
          EXPECT_NE(law, line.law) << what << " nothing changes at " << line.time;
          EXPECT_EQ(c.lambda, 0) << what;
          law = line.law;
        }
      }
    }
    for (std::size_t piece = 0; piece < run.state.modes.size(); ++piece) {
      const double mode = run.state.modes[piece];
      const ImpactLaw law = now[run.system->contact_of(static_cast<int>(piece))];
      EXPECT_EQ(law, mode == 0   ? ImpactLaw::release
                     : mode == 1 ? ImpactLaw::rest
                     : mode == 2 ? ImpactLaw::stick
                                 : ImpactLaw::slide)
          << what << " at " << run.state.t;
    }
  }
};

std::int64_t episodes(const Flight& run) {
  const std::vector<std::string>& names = run.method->counter_names();
  return run.work->counters[std::find(names.begin(), names.end(), "episodes") - names.begin()];
}

constexpr const char* methods[] = {"variational-collision", "nonholonomic-collision", "nonholonomic-symmetric",
                                   "reference"};

IntegratorOptions with(const char* method, double h) {
  return {.method = method,
          .discretization = std::string(method) == "reference" ? "" : "midpoint",
          .step = h,
          .parameters = {}};
}

// Random polygons with random laws on a slope that shakes: they land, rock, slide, stick, are thrown up and come back.
TEST(LastingLedger, TellsTheModesOfTheState) {
  for (const char* method : methods) {
    std::mt19937 engine(3);
    int all = 0, released = 0;
    for (int body = 0; body < 12; ++body) {
      const RoughBody random = random_rough_body(engine, body % 2 == 0 ? 0.1 : 0);
      Flight run(random.model, with(method, 0.005), random.q, random.v);
      Follower follower(run);
      for (int k = 0; k < 300; ++k) {
        run.step();
        follower.read(run, std::string(method) + " body " + std::to_string(body));
        for (const Impact& line : run.work->changes) released += line.law == ImpactLaw::release;
      }
      EXPECT_EQ(episodes(run), follower.begun) << method << body;
      all += follower.begun;
    }
    EXPECT_GE(all, 20) << method;
    EXPECT_GE(released, 10) << method;
  }
}

// A frictionless chain of balls in `generalized-variational`, and a start at rest in every method.
TEST(LastingLedger, AStartAtRestIsAnEpisodeAndNoImpact) {
  for (const char* method : {"variational-collision", "nonholonomic-collision", "nonholonomic-symmetric", "reference",
                             "generalized-variational"}) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian = (square(dot(x)) + square(dot(y))) - 2 * g * y;
    m.contacts = {{.name = "floor", .gap = 3 * y}, {.name = "wall", .gap = 1 - x}};
    Flight run(m, with(method, 0.01), {0, 0}, {0.7, 0});
    run.work->contact_impulses.assign(2, 0.0);
    run.step();
    ASSERT_EQ(run.work->changes.size(), 1u) << method;
    EXPECT_EQ(run.work->changes.front().law, ImpactLaw::rest) << method;
    EXPECT_EQ(run.work->changes.front().time, 0) << method;
    EXPECT_TRUE(run.work->impacts.empty()) << method;
    // m g of the mass 2 on the gap 3y: λ = 2g/3; forces that do not change are exact but for round-off
    EXPECT_NEAR(run.work->contact_impulses[0] / run.h, 2 * g / 3, 1e-12) << method;
    EXPECT_EQ(run.work->contact_impulses[1], 0) << method;
    std::size_t lines = 1;
    for (int k = 0; k < 400; ++k) {
      run.step();
      lines += run.work->changes.size();
    }
    EXPECT_EQ(lines, 1u) << method;
    EXPECT_EQ(episodes(run), 1) << method;
  }
}

TEST(LastingLedger, ForcesAreThoseOfStatics) {
  const double slope = 0.4;
  for (const char* method : methods)
    for (const double friction : {0.2, 0.7})
      for (const bool space : {false, true}) {
        Model m;
        const Expr x = m.coordinate("x"), y = m.coordinate("y");
        const Expr z = space ? m.coordinate("z") : m.graph->constant(0);
        m.lagrangian = 2 * (square(dot(x)) + square(dot(y))) / 2 - 2 * g * (y * std::cos(slope) - x * std::sin(slope));
        if (space) m.lagrangian = m.lagrangian + square(dot(z));
        m.contacts = {rough(m, "floor", 5 * y, space ? std::vector{x, y, z} : std::vector{x, y}, friction)};
        const std::vector<double> zero(space ? 3 : 2, 0.0);
        Flight run(m, with(method, 0.01), zero, zero);
        const ContactForces forces(*run.system);
        ASSERT_EQ(forces.names.size(), space ? 3u : 2u);
        run.work->contact_impulses.assign(forces.names.size(), 0.0);
        for (int k = 0; k < 20; ++k) run.step();
        const double normal = run.work->contact_impulses[0] / run.h,
                     tangential =
                         std::hypot(run.work->contact_impulses[1], space ? run.work->contact_impulses[2] : 0.0) / run.h;
        // constant forces: round-off, in the reference its tolerance
        EXPECT_NEAR(normal, 2 * g * std::cos(slope), 1e-10) << method;
        EXPECT_NEAR(tangential, 2 * g * std::fmin(std::sin(slope), friction * std::cos(slope)), 1e-10) << method;
      }
}

// Two methods tell the same story: lines in the same order, at the same times up to the error of the method.
TEST(LastingLedger, AgreesWithTheReference) {
  std::mt19937 engine(11);
  int compared = 0;
  for (int body = 0; body < 12; ++body) {
    const RoughBody random = random_rough_body(engine, 0);
    std::vector<std::string> story[2];
    std::vector<double> times[2];
    for (const bool truth : {false, true}) {
      Flight run(random.model, with(truth ? "reference" : "variational-collision", 0.001), random.q, random.v);
      for (int k = 0; k < 400; ++k) {
        run.step();
        for (const Impact& line : lines_of(*run.work)) {
          std::string text = law_names(line);
          for (const ContactImpulse& c : line.contacts) text += " " + std::to_string(c.contact);
          story[truth].push_back(text);
          times[truth].push_back(line.time);
        }
      }
    }
    if (story[0] != story[1]) continue;  // what differs by less than a step may change its order
    ++compared;
    for (std::size_t k = 0; k < times[0].size(); ++k)
      EXPECT_NEAR(times[0][k], times[1][k], 2e-3) << body << ": " << story[0][k];  // two steps
  }
  EXPECT_GE(compared, 6);
}

// Stopped and gone on with in mid-contact: the same lines, modes and forces, bit for bit.
TEST(LastingLedger, ResumeInContactHasTheSameBits) {
  for (const char* method : methods) {
    std::mt19937 engine(7);
    for (int body = 0; body < 3; ++body) {
      const RoughBody random = random_rough_body(engine, 0.1);
      const InitialState initial{.t = 0, .position = random.q, .velocity = random.v};
      const auto make = [&] { return make_stepper(random.model, with(method, 0.005), initial); };
      const auto story = [&](int stop) {
        auto stepper = make();
        std::string text;
        Observables o;
        for (int k = 0; k < 240; ++k) {
          if (stop > 0 && k % stop == 0) {
            const std::vector<double> saved = stepper->save();
            stepper->observe(o);
            const Observables before = o;
            stepper = make();
            stepper->load(saved);
            stepper->observe(o);
            EXPECT_EQ(before.contact_forces, o.contact_forces);
            EXPECT_EQ(before.modes, o.modes);
          }
          stepper->advance(0.005 * k, 0.005);
          for (const auto& lines : {stepper->impacts(), stepper->changes()})
            for (const Impact& line : lines) text += ledger_line(k, line, stepper->labels()) + "\n";
          stepper->observe(o);
          for (const auto* list : {&o.q, &o.p, &o.modes, &o.contact_forces, &o.scalars})
            for (const double x : *list) text += fmt::format("{} ", x);
          text += "\n";
        }
        for (const Counter& c : stepper->counters()) text += fmt::format("{} {}\n", c.name, c.count);
        return text;
      };
      const std::string whole = story(0);
      for (const int stop : {1, 7}) {
        const std::string parts = story(stop);
        const auto differs = std::mismatch(whole.begin(), whole.end(), parts.begin(), parts.end()).first;
        EXPECT_EQ(whole, parts) << method << body << ", stopped each " << stop << " steps, differs at "
                                << differs - whole.begin();
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::lasting_ledger_test
