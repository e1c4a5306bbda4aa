#pragma once
// ledger.csv: one line for each impact, written as the run goes. Numbers are the shortest that read back to the same
// bits.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

// The first line, without its end: fixed columns, then the state at the impact.
std::string ledger_header(const Labels& labels);
// One line without its end. `lambda` is name=value of each contact, `tangential` name=value or name=value:value of each
// with a tangential impulse, joined by +. What a method does not tell of the state is left empty.
std::string ledger_line(std::int64_t step, const Impact& impact, const Labels& labels);
std::string ledger_line(const Episode& episode, const Labels& labels);

class Ledger {
 public:
  // With `keep` bytes of the file that is there (a resumed run), or anew with the header (keep = 0).
  Ledger(const std::filesystem::path& path, Labels labels, std::int64_t keep = 0);
  void add(std::int64_t step, const Impact& impact);
  void add(const Episode& episode);
  void flush();
  std::int64_t bytes() const { return bytes_; }  // written and buffered

 private:
  void write(const std::string& text);
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::filesystem::path path_;
  Labels labels_;
  std::unique_ptr<std::FILE, Close> file_;
  std::int64_t bytes_ = 0;
};

}  // namespace ricochet
