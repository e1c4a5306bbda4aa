#pragma once
// Audits as a table for people and as audit.json. A number without meaning is "-" and null, never NaN.

#include <string>
#include <vector>

#include "ricochet/audit/audit.hpp"

namespace ricochet {

// One row of numbers with its name: the same rows for the table, and for the pages in docs/methods.
struct AuditRow {
  std::string name;
  std::string value;
};
std::vector<AuditRow> audit_rows(const Audit& audit);
// A line for each name, with its value in each audit; "-" where an audit does not have it.
std::vector<std::vector<std::string>> beside(const std::vector<std::vector<AuditRow>>& columns);
// Sentences: why a number is missing, what failed.
std::vector<std::string> audit_notes(const Audit& audit);

// One column for each method, one line for each measurement; sentences (notes, failures) below.
std::string audit_table(const std::string& title, const std::vector<Audit>& audits);
std::string audit_json(const std::string& title, const std::string& scenario, const std::vector<Audit>& audits);

}  // namespace ricochet
