#include "subject.hpp"

#include <fmt/format.h>

#include "ricochet/error.hpp"
#include "ricochet/simulation/output_file.hpp"

namespace ricochet::cli {

Subject subject_of(const Scenario& s) {
  if (s.continuum)
    throw InputError(fmt::format("{}: audits are of methods on a [system]; what bodies keep is in the summary of a run",
                                 s.place("continuum")));
  return make_subject(s.model, s.integrator,
                      {s.run.start, s.position, s.velocity_or_momentum, s.momentum_given, s.project}, s.run);
}

void write_result(const std::filesystem::path& directory, const char* name, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw WriteError(fmt::format("{}: cannot be made: {}", directory.string(), error.message()));
  write_atomically(directory / name, text);
}

}  // namespace ricochet::cli
