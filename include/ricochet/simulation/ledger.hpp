#pragma once
// ledger.csv: one line for each impact, written as the run goes. Numbers are the shortest that read back to the same
// bits.

#include <cstdint>
#include <filesystem>
#include <string>

#include "ricochet/simulation/output_file.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

// The first line, without its end: the columns of ledger_fields().
std::string ledger_header(const Labels& labels);
// One line without its end. `lambda` is name=value of each contact, `tangential` name=value or name=value:value of each
// with a tangential impulse, joined by +. What a method does not tell of the state is left empty.
std::string ledger_line(std::int64_t step, const Impact& impact, const Labels& labels);
std::string ledger_line(const Episode& episode, const Labels& labels);

// The line with its end and a last cell, `check`: the lower 32 bits of checksum() of what stands before it.
std::string checked_line(const std::string& line);

class Ledger {
 public:
  Ledger(const std::filesystem::path& path, Labels labels);
  // Goes on with the first `keep` bytes of the ledger `from` (a resumed run), which may be the same file.
  Ledger(const std::filesystem::path& path, Labels labels, const std::filesystem::path& from, std::int64_t keep);
  void add(std::int64_t step, const Impact& impact);
  void add(const Episode& episode);
  void flush() { file_.sync(); }
  std::int64_t bytes() const { return bytes_; }  // written and buffered

 private:
  void write(const std::string& text);

  Labels labels_;
  OutputFile file_;
  std::int64_t bytes_ = 0;
};

}  // namespace ricochet
