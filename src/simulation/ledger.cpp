#include "ricochet/simulation/ledger.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

// RFC 4180: a field with a comma, quote or line end is quoted, its quotes doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

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
      header += fmt::format(",{}", field(fmt::format("{}{}", part, name)));
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
  std::string line = fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", step, i.time,
                                 i.alpha, field(names), i.gap, i.impulse(), i.energy_before, i.energy_after,
                                 law_of(i, labels), i.requested_restitution, i.obtained_restitution, i.residual,
                                 i.iterations, field(lambdas), i.discrete_energy_before, i.discrete_energy_after,
                                 i.momentum_change, i.constraint_impulse, field(tangentials), i.loss, i.obstacle_work);
  for (const auto* part : {&i.q, &i.v_before, &i.v_after})
    for (std::size_t k = 0; k < labels.coordinates.size(); ++k)
      line += k < part->size() ? fmt::format(",{}", (*part)[k]) : ",";
  return line;
}

std::string ledger_line(const Episode& e, const Labels& labels) {
  return fmt::format("{},{},{}", ledger_line(e.step, e, labels), e.end_time, e.largest_force);
}

Ledger::Ledger(const std::filesystem::path& path, Labels labels, std::int64_t keep)
    : path_(path), labels_(std::move(labels)), bytes_(keep) {
  if (keep > 0) std::filesystem::resize_file(path, static_cast<std::uintmax_t>(keep));
  file_.reset(std::fopen(path.c_str(), keep > 0 ? "ab" : "wb"));
  if (!file_) throw InputError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  if (keep == 0) write(ledger_header(labels_) + "\n");
}

void Ledger::add(std::int64_t step, const Impact& impact) { write(ledger_line(step, impact, labels_) + "\n"); }

void Ledger::add(const Episode& episode) { write(ledger_line(episode, labels_) + "\n"); }

void Ledger::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(errno)));
  bytes_ += static_cast<std::int64_t>(text.size());
}

void Ledger::flush() {
  if (std::fflush(file_.get()) != 0)
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(errno)));
}

}  // namespace ricochet
