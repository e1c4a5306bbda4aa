#include "mode_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ricochet {

ModeLedger::ModeLedger(const System& system, Gaps& gaps)
    : system_(system),
      lagrangian_(system),
      gaps_(gaps),
      before_(system.gaps().size(), open),
      now_(before_),
      left_(before_),
      v_(system.n()),
      gaps_now_(system.gaps().size()) {
  changed_.reserve(now_.size());
}

void ModeLedger::start(const State& state) {
  begun_ = 0;
  if (any_) std::fill(before_.begin(), before_.end(), open);
  any_ = false;
  for (std::size_t piece = 0; piece < state.modes.size(); ++piece) {
    const double mode = state.modes[piece];
    if (mode == 0) continue;
    Kind& kind = before_[system_.contact_of(static_cast<int>(piece))];
    kind = std::max(kind, mode >= 3 ? slides : mode == 2 ? sticks : closed);
    any_ = true;
  }
}

void ModeLedger::note(std::span<const int> pieces, std::span<const Rub> rubs, const Moment& moment, Workspace& report) {
  if (!any_ && pieces.empty()) return;
  std::fill(now_.begin(), now_.end(), open);
  for (const int piece : pieces) {
    Kind& kind = now_[system_.contact_of(piece)];
    const bool rough = !rubs.empty() && rubs[piece].tangents > 0;
    kind = std::max(kind, !rough ? closed : rubs[piece].sticks ? sticks : slides);
  }
  any_ = !pieces.empty();
  changed_.clear();
  for (std::size_t c = 0; c < now_.size(); ++c)
    if (now_[c] != before_[c]) changed_.push_back(static_cast<int>(c)), gaps_now_[c] = -1;
  if (changed_.empty()) return;
  measured_ = false;
  using Holds = bool (*)(Kind, Kind);
  constexpr std::pair<ImpactLaw, Holds> lines[] = {
      {ImpactLaw::release, [](Kind before, Kind now) { return before != open && now == open; }},
      {ImpactLaw::rest, [](Kind before, Kind now) { return before == open && now != open; }},
      {ImpactLaw::stick, [](Kind before, Kind now) { return before != sticks && now == sticks; }},
      {ImpactLaw::slide, [](Kind before, Kind now) { return before != slides && now == slides; }}};
  for (const auto& [law, holds] : lines) write(law, holds, moment, report);
  for (const int c : changed_) {
    begun_ += before_[c] == open;
    if (now_[c] == open) left_[c] = before_[c];
    before_[c] = now_[c];
  }
}

// The state after an impact is on its line already.
void ModeLedger::measure(const Moment& moment, const Workspace& report) {
  measured_ = true;
  if (!report.impacts.empty()) {
    const Impact& last = report.impacts.back();
    if (last.time == moment.t && last.v_after.size() == v_.size() &&
        std::equal(last.q.begin(), last.q.end(), moment.q)) {
      v_ = last.v_after;
      energy_ = last.energy_after;
      return;
    }
  }
  lagrangian_.velocity(moment.q, moment.p, moment.t, v_.data());
  energy_ = lagrangian_.energy(moment.q, v_.data(), moment.t);
}

double ModeLedger::gap(int contact, const Moment& moment) {
  double& size = gaps_now_[contact];
  if (size < 0)
    size = std::abs(gaps_.fold(contact, [&](int piece) { return gaps_.value_of(piece, moment.q, moment.t); }));
  return size;
}

// A line for the contacts of which it holds, if there is one.
void ModeLedger::write(ImpactLaw law, bool (*holds)(Kind before, Kind now), const Moment& moment, Workspace& report) {
  Impact* line = nullptr;
  for (const int c : changed_) {
    if (!holds(before_[c], now_[c])) continue;
    if (line == nullptr) {
      line = &report.changes.add();
      const int n = system_.n();
      line->time = moment.t;
      line->alpha = moment.alpha;
      line->law = law;
      line->after = report.impacts.size();
      line->requested_restitution = line->obtained_restitution = 0;
      if (!measured_) measure(moment, report);  // once for all lines of the moment
      line->energy_before = line->energy_after = energy_;
      line->discrete_energy_before = line->discrete_energy_after = line->energy_before;
      line->q.assign(moment.q, moment.q + n);
      line->v_before = line->v_after = v_;
    }
    line->gap = std::fmax(line->gap, gap(c, moment));
    line->contacts.push_back({.contact = c, .lambda = 0, .law = law});
  }
}

void ModeLedger::captured(int contact) {
  if (before_[contact] != open) return;
  before_[contact] = closed;
  any_ = true;
  ++begun_;
}

void ModeLedger::take_back_release(int piece, Workspace& report) {
  const int contact = system_.contact_of(piece);
  if (before_[contact] != open) return;
  for (std::size_t k = report.changes.size(); k-- > 0;) {
    Impact& line = report.changes[k];
    if (line.law != ImpactLaw::release) continue;
    const auto of_it = std::find_if(line.contacts.begin(), line.contacts.end(),
                                    [&](const ContactImpulse& c) { return c.contact == contact; });
    if (of_it == line.contacts.end()) continue;
    line.contacts.erase(of_it);
    if (line.contacts.empty()) report.changes.erase(k);
    before_[contact] = left_[contact];
    any_ = true;
    return;
  }
}

}  // namespace ricochet
