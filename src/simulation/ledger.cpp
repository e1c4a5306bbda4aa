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

}  // namespace

std::string ledger_line(std::int64_t step, const Impact& i, const std::vector<std::string>& contact_names) {
  std::string names, lambdas;
  for (const ContactImpulse& c : i.contacts) {
    const std::string& name = contact_names.at(static_cast<std::size_t>(c.contact));
    const char* plus = names.empty() ? "" : "+";
    names += plus + name;
    lambdas += fmt::format("{}{}={}", plus, name, c.lambda);
  }
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", step, i.time, i.alpha, field(names),
                     i.gap, i.impulse(), i.energy_before, i.energy_after, name(i.law), i.requested_restitution,
                     i.obtained_restitution, i.residual, i.iterations, field(lambdas), i.discrete_energy_before,
                     i.discrete_energy_after, i.momentum_change, i.constraint_impulse);
}

Ledger::Ledger(const std::filesystem::path& path, std::vector<std::string> contact_names, std::int64_t keep)
    : path_(path), contact_names_(std::move(contact_names)), bytes_(keep) {
  if (keep > 0) std::filesystem::resize_file(path, static_cast<std::uintmax_t>(keep));
  file_.reset(std::fopen(path.c_str(), keep > 0 ? "ab" : "wb"));
  if (!file_) throw InputError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  if (keep == 0) write(std::string(ledger_header) + "\n");
}

void Ledger::add(std::int64_t step, const Impact& impact) { write(ledger_line(step, impact, contact_names_) + "\n"); }

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
