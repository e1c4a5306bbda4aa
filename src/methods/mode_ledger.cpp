#include "mode_ledger.hpp"

#include <algorithm>
#include <cmath>

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
  unsigned lines = 0;
  for (int c = 0; c < static_cast<int>(now_.size()); ++c) {
    if (now_[c] == before_[c]) continue;
    changed_.push_back(c);
    gaps_now_[c] = -1;
    lines |= lines_of(c);
  }
  if (changed_.empty()) return;
  v_now_ = nullptr;
  for (const ImpactLaw law : {ImpactLaw::release, ImpactLaw::rest, ImpactLaw::stick, ImpactLaw::slide})
    if ((lines & bit(law)) != 0) write(law, moment, report);
  for (const int c : changed_) {
    begun_ += before_[c] == open;
    if (now_[c] == open) left_[c] = before_[c];
    before_[c] = now_[c];
  }
}

unsigned ModeLedger::lines_of(int contact) const {
  const Kind before = before_[contact], now = now_[contact];
  return (now == open ? bit(ImpactLaw::release) : 0) | (before == open ? bit(ImpactLaw::rest) : 0) |
         (now == sticks ? bit(ImpactLaw::stick) : 0) | (now == slides ? bit(ImpactLaw::slide) : 0);
}

// The state after an impact is on its line already, and the gap where it is that of one piece.
void ModeLedger::measure(const Moment& moment, const Workspace& report) {
  if (!report.impacts.empty()) {
    const Impact& last = report.impacts.back();
    if (last.time == moment.t && last.v_after.size() == v_.size() &&
        std::equal(last.q.begin(), last.q.end(), moment.q)) {
      v_now_ = &last.v_after;
      energy_ = last.energy_after;
      if (last.contacts.size() != 1) return;
      const int contact = last.contacts.front().contact;
      if (system_.gaps()[contact].count == 1) gaps_now_[contact] = last.gap;
      return;
    }
  }
  lagrangian_.velocity(moment.q, moment.p, moment.t, v_.data());
  energy_ = lagrangian_.energy(moment.q, v_.data(), moment.t);
  v_now_ = &v_;
}

double ModeLedger::gap(int contact, const Moment& moment) {
  double& size = gaps_now_[contact];
  if (size < 0)
    size = std::abs(gaps_.fold(contact, [&](int piece) { return gaps_.value_of(piece, moment.q, moment.t); }));
  return size;
}

void ModeLedger::write(ImpactLaw law, const Moment& moment, Workspace& report) {
  if (v_now_ == nullptr) measure(moment, report);  // once for all lines of the moment
  Impact& line = report.changes.add();
  line.time = moment.t;
  line.alpha = moment.alpha;
  line.law = law;
  line.after = report.impacts.size();
  line.requested_restitution = line.obtained_restitution = 0;
  line.energy_before = line.energy_after = line.discrete_energy_before = line.discrete_energy_after = energy_;
  line.q.assign(moment.q, moment.q + system_.n());
  line.v_before = line.v_after = *v_now_;
  for (const int c : changed_) {
    if ((lines_of(c) & bit(law)) == 0) continue;
    line.gap = std::fmax(line.gap, gap(c, moment));
    line.contacts.push_back({.contact = c, .lambda = 0, .law = law});
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
