#include "ricochet/continuum/episodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet::continuum {

Encounters encounters(const Bar& bar) {
  Encounters who;
  who.mass = bar.mass;
  who.start = bar.v;
  for (const Part& part : bar.parts) {
    if (static_cast<std::size_t>(part.chain) >= who.chains.size()) who.chains.resize(part.chain + 1, {part.first, 0});
    Chain& chain = who.chains[part.chain];
    chain.first = std::min(chain.first, part.first);
    chain.last = std::max(chain.last, part.last());
  }
  for (const Touch& touch : bar.touches) {
    double longest = 0;
    for (const std::size_t cell : {touch.a == Touch::none ? Touch::none : touch.a - 1, touch.b})
      if (cell != Touch::none) longest = std::fmax(longest, bar.element_step(bar.part_of(cell), cell));
    who.meetings.push_back({touch.name, touch.chain_a, touch.chain_b, 2 * longest});
  }
  return who;
}

Episodes::Episodes(Encounters encounters)
    : who_(std::move(encounters)), open_(who_.meetings.size()), totals_(who_.meetings.size()) {
  for (Chain& chain : who_.chains)
    for (std::size_t i = chain.first; i <= chain.last; ++i) chain.mass += who_.mass[i];
  for (Meeting& m : who_.meetings) m.pause *= 1 + 1e-9;  // times are sums of steps
}

// A sum of n numbers is known to n ε times the sum of their sizes: bodies that rest against each other approach by 0,
// and not by what the velocities after the first step, less the impulses, leave.
Episodes::Vector Episodes::approach(const Meeting& m, const std::vector<double>& v,
                                    std::span<const ContactForce> contacts) const {
  double size = 0;
  const int d = who_.dimension;
  for (const int chain : {m.a, m.b}) {
    if (chain < 0) continue;
    const auto& [first, last, mass] = who_.chains[chain];
    for (std::size_t i = first; i <= last; ++i)
      for (int k = 0; k < d; ++k) size += who_.mass[i] * std::abs(v[d * i + k]) / mass;
    for (const ContactForce& f : contacts) size += std::abs(f.impulse) / mass;
  }
  Vector w = relative_velocity(m, v);
  const Vector change = change_by_contacts(m, contacts);
  const double round_off = static_cast<double>(who_.mass.size()) * std::numeric_limits<double>::epsilon() * size;
  for (int k = 0; k < 2; ++k) {
    w[k] -= change[k];
    if (!(std::abs(w[k]) > round_off)) w[k] = 0;
  }
  return w;
}

Episodes::Vector Episodes::relative_velocity(const Meeting& m, const std::vector<double>& v) const {
  const int d = who_.dimension;
  const auto centre = [&](int number, int k) {
    if (number < 0) return 0.0;
    const Chain& chain = who_.chains[number];
    double momentum = 0;
    for (std::size_t i = chain.first; i <= chain.last; ++i) momentum += who_.mass[i] * v[d * i + k];
    return momentum / chain.mass;
  };
  return {centre(m.b, 0) - centre(m.a, 0), d > 1 ? centre(m.b, 1) - centre(m.a, 1) : 0};
}

Episodes::Vector Episodes::impulse(const ContactForce& f) const {
  return who_.dimension == 1 ? Vector{f.impulse, 0} : Vector{f.x, f.y};
}

Episodes::Vector Episodes::change_by_contacts(const Meeting& m, std::span<const ContactForce> contacts) const {
  Vector sum{};
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    const Meeting& other = who_.meetings[j];
    const Vector push = impulse(contacts[j]);
    for (const int chain : {m.a, m.b})
      if (chain >= 0) {
        const double sign = chain == m.b ? 1 : -1, on_chain = (other.b == chain) - (other.a == chain);
        for (int k = 0; k < 2; ++k) sum[k] += sign * on_chain * push[k] / who_.chains[chain].mass;
      }
  }
  return sum;
}

void Episodes::before_step(const Integrator& now) {
  works_ = now.balance().works();
  ended_.clear();
}

void Episodes::after_step(const Integrator& now, std::int64_t step, double t0, double h) {
  for (std::size_t k = 0; k < open_.size(); ++k) {
    Open& o = open_[k];
    const Meeting& meeting = who_.meetings[k];
    const ContactForce& contact = now.contacts()[k];
    const Vector push = impulse(contact);
    if (o.open) o.impulse += contact.impulse, o.total[0] += push[0], o.total[1] += push[1];
    if (contact.closed) {
      if (!o.open) {
        o = {};
        o.open = true;
        o.step = static_cast<double>(step);
        o.begin = t0;
        o.gap = now.gap(k);
        o.impulse = contact.impulse;
        o.total = push;
        o.energy_before = now.energies().total() - (now.balance().works() - works_);
        // what is pressed from the start approaches with the velocities that were given
        o.approach =
            step == 0 ? approach(meeting, who_.start, {}) : approach(meeting, now.velocities(), now.contacts());
      }
      o.pressing = true;
      o.end = t0 + h;
      o.largest = std::fmax(o.largest, contact.force);
    } else if (o.open) {
      if (o.pressing) {
        o.pressing = false;
        o.energy_after = now.energies().total();
        o.separation = relative_velocity(meeting, now.velocities());
      }
      if (t0 + h - o.end > meeting.pause) {
        ended_.push_back(episode(k, o));
        totals_[k].add(ended_.back());
        o = {};
      }
    }
  }
}

std::vector<Episode> Episodes::still_open(const Integrator& now) const {
  std::vector<Episode> result;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    if (!open_[k].open) continue;
    Open o = open_[k];
    if (o.pressing) {
      o.energy_after = now.energies().total();
      o.separation = relative_velocity(who_.meetings[k], now.velocities());
    }
    result.push_back(episode(k, o));
  }
  return result;
}

Episode Episodes::episode(std::size_t touch, const Open& o) const {
  Episode e;
  e.step = static_cast<std::int64_t>(o.step);
  e.time = o.begin;
  e.end_time = o.end;
  e.largest_force = o.largest;
  e.contacts = {{static_cast<int>(touch), o.impulse}};
  e.gap = std::abs(o.gap);
  e.energy_before = e.discrete_energy_before = o.energy_before;
  e.energy_after = e.discrete_energy_after = o.energy_after;
  e.momentum_change = std::hypot(o.total[0], o.total[1]);
  e.loss = o.energy_after - o.energy_before;
  const auto along = [&](const Vector& w) { return w[0] * o.total[0] + w[1] * o.total[1]; };
  e.obtained_restitution = along(o.approach) != 0 ? -along(o.separation) / along(o.approach) : 0;
  return e;
}

void Episodes::Total::add(const Episode& e) {
  ++episodes;
  impulse += e.impulse();
  largest = std::fmax(largest, e.largest_force);
  begin = e.time;
  end = e.end_time;
  restitution = e.obtained_restitution;
}

std::vector<std::string> Episodes::value_names() {
  return {"episodes", "impulse", "largest_force", "begin", "duration", "restitution"};
}

std::vector<ProbeReport> Episodes::report(const Integrator& now) const {
  std::vector<Total> totals = totals_;
  for (const Episode& e : still_open(now)) totals[static_cast<std::size_t>(e.contacts.front().contact)].add(e);
  std::vector<ProbeReport> reports;
  for (std::size_t k = 0; k < totals.size(); ++k) {
    const Total& x = totals[k];
    const double values[] = {x.episodes, x.impulse, x.largest, x.begin, x.end - x.begin, x.restitution};
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    ProbeReport& report = reports.emplace_back(ProbeReport{who_.meetings[k].name, {}});
    const std::vector<std::string> names = value_names();
    for (std::size_t i = 0; i < names.size(); ++i)
      report.values.emplace_back(names[i], x.episodes > 0 || i == 0 ? values[i] : nothing);
  }
  return reports;
}

void Episodes::save(std::vector<double>& out) const {
  for (const Open& o : open_)
    for (const double x : {o.open ? 1.0 : 0.0, o.pressing ? 1.0 : 0.0, o.step, o.begin, o.end, o.gap, o.impulse,
                           o.largest, o.energy_before, o.energy_after, o.total[0], o.total[1], o.approach[0],
                           o.approach[1], o.separation[0], o.separation[1]})
      out.push_back(x);
  for (const Total& x : totals_)
    for (const double y : {x.episodes, x.impulse, x.largest, x.begin, x.end, x.restitution}) out.push_back(y);
}

void Episodes::load(std::span<const double>& in) {
  for (Open& o : open_) {
    double x[16];
    take(in, x);
    o = {x[0] != 0, x[1] != 0, x[2], x[3],           x[4],           x[5],          x[6],
         x[7],      x[8],      x[9], {x[10], x[11]}, {x[12], x[13]}, {x[14], x[15]}};
  }
  for (Total& total : totals_) {
    double x[6];
    take(in, x);
    total = {x[0], x[1], x[2], x[3], x[4], x[5]};
  }
  ended_.clear();
}

}  // namespace ricochet::continuum
