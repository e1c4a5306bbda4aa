#include "ricochet/continuum/episodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet::continuum {

namespace {

double works(const Balance& b) { return b.contact + b.moving + b.viscosity; }

}  // namespace

Episodes::Episodes(const Bar& bar) : bar_(bar), open_(bar.touches.size()), totals_(bar.touches.size()) {
  for (const Part& part : bar.parts) {
    if (static_cast<std::size_t>(part.chain) >= chains_.size()) chains_.resize(part.chain + 1, {part.first, 0, 0});
    Chain& chain = chains_[part.chain];
    chain.first = std::min(chain.first, part.first);
    chain.last = std::max(chain.last, part.last());
  }
  for (Chain& chain : chains_)
    for (std::size_t i = chain.first; i <= chain.last; ++i) chain.mass += bar.mass[i];
  for (const Touch& touch : bar.touches) {
    double longest = 0;
    for (const std::size_t cell : {touch.a == Touch::none ? Touch::none : touch.a - 1, touch.b})
      if (cell != Touch::none) longest = std::fmax(longest, bar.element_step(bar.part_of(cell), cell));
    pause_.push_back(2 * longest * (1 + 1e-9));  // times are sums of steps
  }
}

// A sum of n numbers is known to n ε times the sum of their sizes: bodies that rest against each other approach by 0,
// and not by what the velocities after the first step, less the impulses, leave.
double Episodes::approach(const Touch& touch, const std::vector<double>& v,
                          std::span<const ContactForce> contacts) const {
  double size = 0;
  for (const int chain : {touch.chain_a, touch.chain_b}) {
    if (chain < 0) continue;
    const auto& [first, last, mass] = chains_[chain];
    for (std::size_t i = first; i <= last; ++i) size += bar_.mass[i] * std::abs(v[i]) / mass;
    for (const ContactForce& f : contacts) size += std::abs(f.impulse) / mass;
  }
  const double w = relative_velocity(touch, v) - change_by_contacts(touch, contacts);
  const double round_off = static_cast<double>(bar_.nodes()) * std::numeric_limits<double>::epsilon() * size;
  return std::abs(w) > round_off ? w : 0;
}

double Episodes::relative_velocity(const Touch& touch, const std::vector<double>& v) const {
  const auto centre = [&](int number) {
    if (number < 0) return 0.0;
    const Chain& chain = chains_[number];
    double momentum = 0;
    for (std::size_t i = chain.first; i <= chain.last; ++i) momentum += bar_.mass[i] * v[i];
    return momentum / chain.mass;
  };
  return centre(touch.chain_b) - centre(touch.chain_a);
}

double Episodes::change_by_contacts(const Touch& touch, std::span<const ContactForce> contacts) const {
  double sum = 0;
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    const Touch& other = bar_.touches[j];
    for (const int chain : {touch.chain_a, touch.chain_b})
      if (chain >= 0) {
        const double sign = chain == touch.chain_b ? 1 : -1;
        const double on_chain = (other.chain_b == chain) - (other.chain_a == chain);
        sum += sign * on_chain * contacts[j].impulse / chains_[chain].mass;
      }
  }
  return sum;
}

void Episodes::before_step(const Integrator& now) {
  works_ = works(now.balance());
  ended_.clear();
}

void Episodes::after_step(const Integrator& now, std::int64_t step, double t0, double h) {
  for (std::size_t k = 0; k < open_.size(); ++k) {
    Open& o = open_[k];
    const Touch& touch = bar_.touches[k];
    const ContactForce& contact = now.contacts()[k];
    if (o.open) o.impulse += contact.impulse;
    if (contact.closed) {
      if (!o.open) {
        o = {};
        o.open = true;
        o.step = static_cast<double>(step);
        o.begin = t0;
        o.gap = now.gap(k);
        o.impulse = contact.impulse;
        o.energy_before = now.energies().total() - (works(now.balance()) - works_);
        // what is pressed from the start approaches with the velocities that were given
        o.approach = step == 0 ? approach(touch, bar_.v, {}) : approach(touch, now.velocities(), now.contacts());
      }
      o.pressing = true;
      o.end = t0 + h;
      o.largest = std::fmax(o.largest, contact.force);
    } else if (o.open) {
      if (o.pressing) {
        o.pressing = false;
        o.energy_after = now.energies().total();
        o.separation = relative_velocity(touch, now.velocities());
      }
      if (t0 + h - o.end > pause_[k]) {
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
      o.separation = relative_velocity(bar_.touches[k], now.velocities());
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
  e.momentum_change = std::abs(o.impulse);
  e.loss = o.energy_after - o.energy_before;
  e.obtained_restitution = o.approach != 0 ? -o.separation / o.approach : 0;
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
    ProbeReport& report = reports.emplace_back(ProbeReport{bar_.touches[k].name, {}});
    const std::vector<std::string> names = value_names();
    for (std::size_t i = 0; i < names.size(); ++i)
      report.values.emplace_back(names[i], x.episodes > 0 || i == 0 ? values[i] : nothing);
  }
  return reports;
}

void Episodes::save(std::vector<double>& out) const {
  for (const Open& o : open_)
    for (const double x : {o.open ? 1.0 : 0.0, o.pressing ? 1.0 : 0.0, o.step, o.begin, o.end, o.gap, o.impulse,
                           o.largest, o.energy_before, o.energy_after, o.approach, o.separation})
      out.push_back(x);
  for (const Total& x : totals_)
    for (const double y : {x.episodes, x.impulse, x.largest, x.begin, x.end, x.restitution}) out.push_back(y);
}

void Episodes::load(std::span<const double>& in) {
  for (Open& o : open_) {
    double x[12];
    take(in, x);
    o = {x[0] != 0, x[1] != 0, x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11]};
  }
  for (Total& total : totals_) {
    double x[6];
    take(in, x);
    total = {x[0], x[1], x[2], x[3], x[4], x[5]};
  }
  ended_.clear();
}

}  // namespace ricochet::continuum
