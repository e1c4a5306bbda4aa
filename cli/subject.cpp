#include "subject.hpp"

#include "ricochet/simulation/output_file.hpp"

namespace ricochet::cli {

Subject subject_of(const Scenario& s) {
  return make_subject(s.model, s.integrator,
                      {s.run.start, s.position, s.velocity_or_momentum, s.momentum_given, s.project}, s.run);
}

void write_result(const std::filesystem::path& directory, const char* name, const std::string& text) {
  make_folder(directory);
  write_atomically(directory / name, text);
}

}  // namespace ricochet::cli
