#include "ricochet/continuum/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/error.hpp"

namespace ricochet::continuum {

namespace {

// Mean values over up to eight cells from `cell` on, going `direction`, where the strain is level.
FrontState plateau(const Bar& bar, const Part& part, const double* u, const double* v, std::size_t cell,
                   int direction) {
  FrontState s;
  double count = 0;
  for (std::ptrdiff_t c = static_cast<std::ptrdiff_t>(cell);
       count < 8 && c >= static_cast<std::ptrdiff_t>(part.first) && c < static_cast<std::ptrdiff_t>(part.last());
       c += direction) {
    s.strain += (u[c + 1] - u[c]) * bar.inverse_dx[c];
    s.velocity += direction < 0 ? v[c] : v[c + 1];  // the node away from the front
    ++count;
  }
  s.strain /= count;
  s.velocity /= count;
  s.stress = stress(part.law, s.strain);
  return s;
}

struct Slope {
  double value = 0;
  bool known = false;
};

Slope slope(const std::vector<double>& t, const std::vector<double>& x) {
  if (t.size() < 2) return {};
  double mean_t = 0, mean_x = 0, tt = 0, tx = 0;
  for (std::size_t k = 0; k < t.size(); ++k) mean_t += t[k] - t[0], mean_x += x[k] - x[0];
  mean_t /= static_cast<double>(t.size());
  mean_x /= static_cast<double>(t.size());
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double dt = t[k] - t[0] - mean_t;
    tt += dt * dt;
    tx += dt * (x[k] - x[0] - mean_x);
  }
  return {tx / tt, tt > 0};
}

}  // namespace

Front find_front(const Bar& bar, const Part& part, const double* u, const double* v) {
  const auto strain = [&](std::size_t c) { return (u[c + 1] - u[c]) * bar.inverse_dx[c]; };
  Front front;
  if (part.cells < 4) return front;
  double steepest = 0, before = strain(part.first), size = std::abs(before);
  std::size_t at = part.first;
  for (std::size_t c = part.first; c + 1 < part.last(); ++c) {
    const double next = strain(c + 1);
    size = std::fmax(size, std::abs(next));
    if (std::abs(next - before) > steepest) steepest = std::abs(next - before), at = c;
    before = next;
  }
  if (!(steepest > 1e-9 * size)) return front;  // level up to round-off
  // Outwards to where two neighbours in a row differ by less than a fiftieth of that.
  std::size_t left = at, right = at + 1;
  const auto flat = [&](std::size_t c) { return std::abs(strain(c + 1) - strain(c)) < 0.02 * steepest; };
  while (left >= part.first + 2 && !(flat(left - 1) && flat(left - 2))) --left;
  while (right + 3 <= part.last() - 1 && !(flat(right) && flat(right + 1))) ++right;
  front.left = plateau(bar, part, u, v, left, -1);
  front.right = plateau(bar, part, u, v, right, 1);
  const double middle = 0.5 * (front.left.strain + front.right.strain);
  for (std::size_t c = left; c < right; ++c) {
    const double e = strain(c) - middle, f = strain(c + 1) - middle;
    if ((e > 0) == (f > 0)) continue;
    const double x = 0.5 * (bar.X[c] + bar.X[c + 1]), y = 0.5 * (bar.X[c + 1] + bar.X[c + 2]);
    front.position = x + (y - x) * e / (e - f);
    front.found = true;
    break;
  }
  return front;
}

Probes::Probes(const Bar& bar, const std::vector<Probe>& probes) : bar_(bar) {
  for (const Probe& p : probes) {
    const std::string key = fmt::format("continuum.probe.{}", p.name);
    const auto body = [&](const std::string& name, const char* what) {
      const int part = bar.part_named(name);
      if (part < 0) throw ModelError(key + "." + what, fmt::format("there is no body '{}'", name));
      return part;
    };
    State s;
    s.probe = p;
    if (!p.interface) {
      s.part = body(p.body, "body");
    } else {
      s.part = body(p.a, "between");
      s.right = body(p.b, "between");
      if (bar.X[bar.parts[s.part].first] > bar.X[bar.parts[s.right].first]) std::swap(s.part, s.right);
      for (std::size_t k = 0; k < bar.touches.size(); ++k)
        if (bar.touches[k].a == bar.parts[s.part].last() && bar.touches[k].b == bar.parts[s.right].first)
          s.touch = static_cast<int>(k);
      if (s.touch < 0 && bar.parts[s.part].last() != bar.parts[s.right].first)
        throw ModelError(key + ".between", fmt::format("'{}' and '{}' are neither bonded nor in contact", p.a, p.b));
    }
    probes_.push_back(std::move(s));
  }
}

void Probes::look(double t, const Integrator& now) {
  if (probes_.empty()) return;
  now.bring_to(t, u_);
  const std::vector<double>& v = now.velocities();
  for (State& s : probes_) {
    const Part& part = bar_.parts[s.part];
    if (!s.probe.interface) {
      const Front front = find_front(bar_, part, u_.data(), v.data());
      if (!front.found) continue;
      const double cell = (bar_.X[part.last()] - bar_.X[part.first]) / static_cast<double>(part.cells);
      const std::size_t n = s.x.size();
      const double moved = n > 0 ? front.position - s.x[n - 1] : 0;
      const bool turned = n > 1 && std::abs(moved) > 0.1 * cell && moved * (s.x[n - 1] - s.x[0]) < 0;
      if (turned || std::abs(moved) > 4 * cell) s.t.clear(), s.x.clear();  // reflected, or another front
      if (s.t.size() == remembered) s.t.erase(s.t.begin()), s.x.erase(s.x.begin());
      s.t.push_back(t);
      s.x.push_back(front.position);
      s.last = front;
    } else if (s.touch < 0 || now.contacts()[s.touch].closed) {
      const Part& other = bar_.parts[s.right];
      const std::size_t a = part.last() - 1, b = other.first;
      const auto P = [&](const Part& p, std::size_t c) {
        return stress(p.law, (u_[c + 1] - u_[c]) * bar_.inverse_dx[c]);
      };
      s.last_velocity_jump = std::abs(v[b] - v[a + 1]);
      s.last_traction_jump = std::abs(P(other, b) - P(part, a));
      s.velocity_jump = std::fmax(s.velocity_jump, s.last_velocity_jump);
      s.traction_jump = std::fmax(s.traction_jump, s.last_traction_jump);
    }
  }
}

std::vector<std::string> Probes::value_names(bool interface) {
  if (interface) return {"velocity_jump", "traction_jump", "last_velocity_jump", "last_traction_jump"};
  return {"position",
          "speed",
          "time",
          "ahead.strain",
          "ahead.stress",
          "ahead.velocity",
          "behind.strain",
          "behind.stress",
          "behind.velocity",
          "residuals.momentum",
          "residuals.energy",
          "residuals.configurational",
          "residuals.maxwell"};
}

std::vector<ProbeReport> Probes::report() const {
  std::vector<ProbeReport> reports;
  for (const State& s : probes_) {
    const std::vector<std::string> names = value_names(s.probe.interface);
    std::vector<double> values(names.size(), std::numeric_limits<double>::quiet_NaN());
    const Slope speed = slope(s.t, s.x);
    if (s.probe.interface) {
      values = {s.velocity_jump, s.traction_jump, s.last_velocity_jump, s.last_traction_jump};
    } else if (speed.known && speed.value != 0) {
      const Part& part = bar_.parts[s.part];
      const double U = std::abs(speed.value), N = speed.value > 0 ? 1 : -1, rho = part.rho;
      const FrontState &ahead = N > 0 ? s.last.right : s.last.left, &behind = N > 0 ? s.last.left : s.last.right;
      const auto jump = [&](auto&& f) { return f(ahead) - f(behind); };
      const auto kinetic = [&](const FrontState& x) { return 0.5 * rho * x.velocity * x.velocity; };
      const auto W = [&](const FrontState& x) { return energy(part.law, x.strain); };
      values = {s.x.back(),
                U,
                s.t.back(),
                ahead.strain,
                ahead.stress,
                ahead.velocity,
                behind.strain,
                behind.stress,
                behind.velocity,
                rho * U * jump([](const FrontState& x) { return x.velocity; }) +
                    N * jump([](const FrontState& x) { return x.stress; }),
                U * jump([&](const FrontState& x) { return kinetic(x) + W(x); }) +
                    N * jump([](const FrontState& x) { return x.stress * x.velocity; }),
                rho * U * jump([](const FrontState& x) { return (1 + x.strain) * x.velocity; }) +
                    N * jump([&](const FrontState& x) { return kinetic(x) - W(x) + (1 + x.strain) * x.stress; }),
                U * jump([](const FrontState& x) { return x.strain; }) +
                    N * jump([](const FrontState& x) { return x.velocity; })};
    }
    ProbeReport report{s.probe.name, {}};
    for (std::size_t k = 0; k < names.size(); ++k) report.values.emplace_back(names[k], values[k]);
    reports.push_back(std::move(report));
  }
  return reports;
}

void Probes::save(std::vector<double>& out) const {
  for (const State& s : probes_) {
    const Front& f = s.last;
    for (const double x : {static_cast<double>(s.t.size()), f.found ? 1.0 : 0.0, f.position, f.left.strain,
                           f.left.stress, f.left.velocity, f.right.strain, f.right.stress, f.right.velocity,
                           s.velocity_jump, s.traction_jump, s.last_velocity_jump, s.last_traction_jump})
      out.push_back(x);
    put(out, s.t);
    put(out, s.x);
  }
}

void Probes::load(std::span<const double>& in) {
  for (State& s : probes_) {
    double x[13];
    take(in, x);
    if (!(x[0] >= 0) || x[0] > static_cast<double>(remembered)) throw InputError("a saved probe cannot be read");
    s.t.resize(static_cast<std::size_t>(x[0]));
    s.x.resize(s.t.size());
    s.last = {x[1] != 0, x[2], {x[3], x[4], x[5]}, {x[6], x[7], x[8]}};
    s.velocity_jump = x[9], s.traction_jump = x[10], s.last_velocity_jump = x[11], s.last_traction_jump = x[12];
    take(in, s.t);
    take(in, s.x);
  }
}

}  // namespace ricochet::continuum
