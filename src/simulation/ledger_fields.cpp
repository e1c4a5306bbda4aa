#include "ricochet/simulation/ledger_fields.hpp"

#include <fmt/format.h>

namespace ricochet {

namespace {

using Line = LedgerLine;
using Number = LedgerField::Number;
using OfContacts = LedgerField::OfContacts;

const std::string& name_of(const Line& line, const ContactImpulse& c) {
  return line.labels.contacts.at(static_cast<std::size_t>(c.contact));
}

template <class Part>  // of each contact, joined by +
std::string joined(const Line& line, Part part) {
  std::string text;
  for (const ContactImpulse& c : line.impact.contacts)
    if (const std::string one = part(c); !one.empty()) text += (text.empty() ? "" : "+") + one;
  return text;
}

std::string names(const Line& line) {
  return joined(line, [&](const ContactImpulse& c) { return name_of(line, c); });
}

std::string lambdas(const Line& line) {
  return joined(line, [&](const ContactImpulse& c) { return fmt::format("{}={}", name_of(line, c), c.lambda); });
}

std::string tangentials(const Line& line) {
  return joined(line, [&](const ContactImpulse& c) -> std::string {
    if (c.tangential[0] == 0 && c.tangential[1] == 0) return "";
    const std::string first = fmt::format("{}={}", name_of(line, c), c.tangential[0]);
    return c.tangential[1] == 0 ? first : fmt::format("{}:{}", first, c.tangential[1]);
  });
}

std::int64_t first_contact(const Line& line) {
  return line.impact.contacts.empty() ? -1 : line.impact.contacts.front().contact;
}
std::int64_t contact_count(const Line& line) { return static_cast<std::int64_t>(line.impact.contacts.size()); }

std::int64_t law_of_contact(const Impact& i, const ContactImpulse& c) {
  return static_cast<std::int64_t>(i.law != ImpactLaw::elastic ? i.law : c.law);
}
std::int64_t first_law(const Line& line) {
  const Impact& i = line.impact;
  return i.contacts.empty() ? static_cast<std::int64_t>(i.law) : law_of_contact(i, i.contacts.front());
}

}  // namespace

std::string law_of(const Line& line) {
  return line.labels.treatments.empty() || line.impact.contacts.empty()
             ? law_names(line.impact)
             : line.labels.treatments.at(static_cast<std::size_t>(first_contact(line)));
}

std::span<const LedgerField> ledger_fields() {
  constexpr bool on_page = true;
  // Texts are for the ledger, their numbers for the archive. Columns and datasets are written in this order.
  static const LedgerField fields[] = {
      {"step", "step", [](const Line& l) { return l.step; }, on_page},
      {"time", "time", Number(&Impact::time), on_page},
      {"alpha", "alpha", Number(&Impact::alpha), on_page},
      {"contacts", nullptr, names},
      {nullptr, "contact", first_contact},
      {nullptr, "count", contact_count},
      {"gap", "gap", Number(&Impact::gap), on_page},
      {"impulse", "impulse", Number(&Impact::impulse), on_page},
      {nullptr, "lambda",
       OfContacts{1,
                  [](const ContactImpulse& c) {
                    return std::array{c.lambda, 0.0};
                  }}},
      {"energy_before", "energy_before", Number(&Impact::energy_before), on_page},
      {"energy_after", "energy_after", Number(&Impact::energy_after), on_page},
      {"law", nullptr, law_of},
      {"requested_restitution", "requested_restitution", Number(&Impact::requested_restitution), on_page},
      {"obtained_restitution", "obtained_restitution", Number(&Impact::obtained_restitution), on_page},
      {"residual", "residual", Number(&Impact::residual), on_page},
      {"iterations", "iterations", [](const Line& l) { return std::int64_t{l.impact.iterations}; }, on_page},
      {"lambda", nullptr, lambdas},
      {nullptr, "law", first_law},
      {"discrete_energy_before", "discrete_energy_before", Number(&Impact::discrete_energy_before)},
      {"discrete_energy_after", "discrete_energy_after", Number(&Impact::discrete_energy_after)},
      {"momentum_change", "momentum_change", Number(&Impact::momentum_change)},
      {"constraint_impulse", "constraint_impulse", Number(&Impact::constraint_impulse)},
      {nullptr, "laws", law_of_contact},
      {"tangential", nullptr, tangentials},
      {nullptr, "tangential", OfContacts{2, [](const ContactImpulse& c) { return c.tangential; }}},
      {"loss", "loss", Number(&Impact::loss)},
      {"obstacle_work", "obstacle_work", Number(&Impact::obstacle_work)},
      {"q", "q", &Impact::q},
      {"v", "v_before", &Impact::v_before},
      {"v_after", "v_after", &Impact::v_after},
      {"end_time", "end_time", &Episode::end_time, on_page},
      {"largest_force", "largest_force", &Episode::largest_force, on_page}};
  return fields;
}

}  // namespace ricochet
