#include "ricochet/simulation/ledger.hpp"

#include <fmt/format.h>

#include "ricochet/simulation/checksum.hpp"
#include "ricochet/simulation/csv_cell.hpp"
#include "ricochet/simulation/ledger_reader.hpp"

namespace ricochet {

namespace {

// An episode's law is how its contact is treated.
std::string law_of(const Impact& i, const Labels& labels) {
  return labels.treatments.empty() || i.contacts.empty()
             ? law_names(i)
             : labels.treatments.at(static_cast<std::size_t>(i.contacts.front().contact));
}

}  // namespace

std::string ledger_header(const Labels& labels) {
  std::string header =
      "step,time,alpha,contacts,gap,impulse,energy_before,energy_after,law,requested_restitution,obtained_restitution,"
      "residual,iterations,lambda,discrete_energy_before,discrete_energy_after,momentum_change,constraint_impulse,"
      "tangential,loss,obstacle_work";
  for (const char* part : {"q.", "v.", "v_after."})
    for (const std::string& name : labels.coordinates)
      header += fmt::format(",{}", csv_cell(fmt::format("{}{}", part, name)));
  if (!labels.treatments.empty()) header += ",end_time,largest_force";
  return header;
}

std::string ledger_line(std::int64_t step, const Impact& i, const Labels& labels) {
  std::string names, lambdas, tangentials;
  for (const ContactImpulse& c : i.contacts) {
    const std::string& name = labels.contacts.at(static_cast<std::size_t>(c.contact));
    const char* plus = names.empty() ? "" : "+";
    names += plus + name;
    lambdas += fmt::format("{}{}={}", plus, name, c.lambda);
    if (c.tangential[0] == 0 && c.tangential[1] == 0) continue;
    tangentials += fmt::format("{}{}={}", tangentials.empty() ? "" : "+", name, c.tangential[0]);
    if (c.tangential[1] != 0) tangentials += fmt::format(":{}", c.tangential[1]);
  }
  std::string line = fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", step, i.time, i.alpha, csv_cell(names), i.gap,
      i.impulse(), i.energy_before, i.energy_after, law_of(i, labels), i.requested_restitution, i.obtained_restitution,
      i.residual, i.iterations, csv_cell(lambdas), i.discrete_energy_before, i.discrete_energy_after, i.momentum_change,
      i.constraint_impulse, csv_cell(tangentials), i.loss, i.obstacle_work);
  for (const auto* part : {&i.q, &i.v_before, &i.v_after})
    for (std::size_t k = 0; k < labels.coordinates.size(); ++k)
      line += k < part->size() ? fmt::format(",{}", (*part)[k]) : ",";
  return line;
}

std::string ledger_line(const Episode& e, const Labels& labels) {
  return fmt::format("{},{},{}", ledger_line(e.step, e, labels), e.end_time, e.largest_force);
}

std::string checked_line(const std::string& line) {
  return fmt::format("{},{:08x}\n", line, static_cast<std::uint32_t>(checksum(line)));
}

Ledger::Ledger(const std::filesystem::path& path, Labels labels) : labels_(std::move(labels)), file_(path) {
  write(ledger_header(labels_) + ",check\n");
  file_.appear();
}

Ledger::Ledger(const std::filesystem::path& path, Labels labels, const std::filesystem::path& from, std::int64_t keep)
    : labels_(std::move(labels)), file_(path) {
  read_ledger(from, labels_, keep, [&](const std::string& line) { write(line); });
  file_.appear();
}

void Ledger::add(std::int64_t step, const Impact& impact) { write(checked_line(ledger_line(step, impact, labels_))); }

void Ledger::add(const Episode& episode) { write(checked_line(ledger_line(episode, labels_))); }

void Ledger::write(const std::string& text) {
  file_.write(text);
  bytes_ += static_cast<std::int64_t>(text.size());
}

}  // namespace ricochet
