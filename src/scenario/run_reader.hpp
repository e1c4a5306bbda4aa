#pragma once
// [run], [output] and [contact.rest]: how long, what is recorded, and what happens when impacts pile up.

#include "ricochet/scenario/scenario.hpp"
#include "toml_reader.hpp"

namespace ricochet {

// Takes the step of the integrator and sets its direction; the run needs a contact if impacts alone are to end it.
RunSettings read_run(TableReader run, IntegratorOptions& integrator, bool has_contacts);
void read_output(TableReader output, RunSettings& settings);
ContactRest read_contact(TableReader contact);

}  // namespace ricochet
