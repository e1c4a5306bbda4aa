#include "ricochet/simulation/ledger.hpp"

#include <fmt/format.h>

#include "ricochet/simulation/checksum.hpp"
#include "ricochet/simulation/csv_cell.hpp"
#include "ricochet/simulation/ledger_fields.hpp"
#include "ricochet/simulation/ledger_reader.hpp"

namespace ricochet {

namespace {

using Field = LedgerField;

struct Cells {  // of one line, each after its comma
  const LedgerLine& line;
  std::string operator()(const Field::Number& of) const { return fmt::format(",{}", of(line.impact)); }
  std::string operator()(Field::EpisodeNumber of) const { return fmt::format(",{}", line.episode->*of); }
  std::string operator()(Field::Integer of) const { return fmt::format(",{}", of(line)); }
  std::string operator()(Field::Text of) const { return fmt::format(",{}", csv_cell(of(line))); }
  std::string operator()(Field::State of) const {
    const std::vector<double>& state = line.impact.*of;
    std::string cells;
    for (std::size_t k = 0; k < line.labels.coordinates.size(); ++k)
      cells += k < state.size() ? fmt::format(",{}", state[k]) : ",";
    return cells;
  }
  std::string operator()(const auto&) const { return ""; }  // only in the archive
};

std::string text_of(const LedgerLine& line) {
  std::string text;
  for (const LedgerField& field : ledger_fields())
    if (field.column && field.exists(line.labels)) text += std::visit(Cells{line}, field.value);
  return text.substr(1);
}

}  // namespace

std::string ledger_header(const Labels& labels) {
  std::string header;
  for (const LedgerField& field : ledger_fields()) {
    if (!field.column || !field.exists(labels)) continue;
    if (!std::holds_alternative<Field::State>(field.value)) {
      header += fmt::format(",{}", field.column);
      continue;
    }
    for (const std::string& name : labels.coordinates)
      header += fmt::format(",{}", csv_cell(fmt::format("{}.{}", field.column, name)));
  }
  return header.substr(1);
}

std::string ledger_line(std::int64_t step, const Impact& impact, const Labels& labels) {
  return text_of({step, impact, labels});
}
std::string ledger_line(const Episode& e, const Labels& labels) { return text_of({e.step, e, labels, &e}); }

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
