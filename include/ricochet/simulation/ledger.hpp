#pragma once
// ledger.csv: one line for each impact, written as the run goes. Numbers are the shortest that read back to the same
// bits.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/contact/impact.hpp"

namespace ricochet {

inline constexpr const char* ledger_header =
    "step,time,alpha,contacts,gap,impulse,energy_before,energy_after,law,requested_restitution,obtained_restitution,"
    "residual,iterations,lambda,discrete_energy_before,discrete_energy_after,momentum_change,"
    "constraint_impulse";

// One line without its end. `lambda` is name=value of each contact, joined by +.
std::string ledger_line(std::int64_t step, const Impact& impact, const std::vector<std::string>& contact_names);

class Ledger {
 public:
  // With `keep` bytes of the file that is there (a resumed run), or anew with the header (keep = 0).
  Ledger(const std::filesystem::path& path, std::vector<std::string> contact_names, std::int64_t keep = 0);
  void add(std::int64_t step, const Impact& impact);
  void flush();
  std::int64_t bytes() const { return bytes_; }  // written and buffered

 private:
  void write(const std::string& text);
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::filesystem::path path_;
  std::vector<std::string> contact_names_;
  std::unique_ptr<std::FILE, Close> file_;
  std::int64_t bytes_ = 0;
};

}  // namespace ricochet
