#pragma once
// HDF5's C interface with owned handles and exceptions; and the layout of an archive, shared by its writer and reader.

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/error.hpp"
#include "ricochet/simulation/checksum.hpp"
#include "ricochet/simulation/ledger_fields.hpp"
#include "ricochet/simulation/record_fields.hpp"
#include "ricochet/simulation/run.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet::hdf5 {

// The innermost reason on HDF5's error stack.
inline std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* e, void* out) -> herr_t {
        if (e->desc && *e->desc) *static_cast<std::string*>(out) = e->desc;
        return 0;
      },
      &text);
  return text.empty() ? "unknown HDF5 error" : text;
}

// Every call of HDF5 that returns a number goes through here: negative is failure.
template <class Error = WriteError, class Result>
Result check(Result result, const std::filesystem::path& path, const std::string& what) {
  if (result < 0) throw Error(fmt::format("{}: cannot {}: {}", path.string(), what, reason()));
  return result;
}

class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& o) noexcept : id_(std::exchange(o.id_, -1)), close_(o.close_) {}
  Handle& operator=(Handle&& o) noexcept {
    std::swap(id_, o.id_);
    std::swap(close_, o.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  herr_t close() { return id_ >= 0 ? close_(std::exchange(id_, -1)) : 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// HDF5 prints its error stack unless told not to; the messages of our exceptions replace it.
inline void quiet() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

inline Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_file_locking(access, true, true);  // where the file system has locks
  return access;
}

// One dataset: a row is `width` numbers, or a single number (vector = false). The last of each list holds checksums of
// the rows of the others (RowChecksum).
struct Column {
  std::string name;
  bool integer = false, vector = false;
  std::size_t width = 1;
};

inline std::vector<Column> trajectory_columns(const Labels& l) {
  std::vector<Column> columns{{"step", true}};
  for (const RecordField& f : record_fields())
    columns.push_back(f.names ? Column{f.dataset, false, true, (l.*f.names).size()} : Column{f.dataset});
  for (const FieldLabel& f : l.fields)
    columns.push_back({"fields/" + f.name, false, true, static_cast<std::size_t>(f.offsets.back() * f.components)});
  columns.push_back({"check", true});
  return columns;
}

inline std::vector<Column> impact_columns(const Labels& l) {
  using Field = LedgerField;
  std::vector<Column> columns;
  for (const LedgerField& f : ledger_fields()) {
    if (!f.dataset || !f.exists(l)) continue;
    Column& c = columns.emplace_back(Column{fmt::format("impacts/{}", f.dataset)});
    const std::size_t contacts = l.contacts.size();
    c.integer =
        std::holds_alternative<Field::Integer>(f.value) || std::holds_alternative<Field::LawOfContacts>(f.value);
    if (std::holds_alternative<Field::State>(f.value)) c.vector = true, c.width = l.coordinates.size();
    if (std::holds_alternative<Field::LawOfContacts>(f.value)) c.vector = true, c.width = contacts;
    if (const auto* of = std::get_if<Field::OfContacts>(&f.value)) c.vector = true, c.width = of->each * contacts;
  }
  columns.push_back({"impacts/check", true});
  return columns;
}

// Points of all sections in the order of time; values beyond those of a section are 0.
inline std::vector<Column> section_columns(const Labels& l) {
  if (l.sections.empty()) return {};
  std::size_t width = 0;
  for (const SectionLabel& s : l.sections) width = std::max(width, s.quantities.size());
  return {{"sections/step", true},
          {"sections/t"},
          {"sections/section", true},
          {"sections/values", false, true, width},
          {"sections/check", true}};
}

// Of the attributes that do not change: HDF5 checks its own structures, but not long texts.
inline std::string header_checksum(const std::string& version, const RunDescription& about, const Labels& labels) {
  std::uint64_t hash = checksum(version);
  const std::vector<std::string> single{about.title, about.method, about.discretization, about.scenario_name,
                                        about.scenario_text};
  for (const auto* list : {&single, &about.overrides, &labels.coordinates, &labels.momenta, &labels.contacts,
                           &labels.lasting, &labels.contact_forces, &labels.scalars}) {
    hash = checksum("\n", hash);
    for (const std::string& text : *list) hash = checksum("\x1f", checksum(text, hash));
  }
  for (const auto* list : {&labels.treatments, &labels.bodies})
    for (const std::string& text : *list) hash = checksum("\x1e", checksum(text, hash));
  for (const FieldLabel& field : labels.fields) {
    hash = checksum(field.name, hash);
    for (const std::int64_t offset : field.offsets) hash = checksum(fmt::format(" {}", offset), hash);
  }
  for (const SectionLabel& section : labels.sections) {
    hash = checksum(section.at_impacts ? "\x1d" : "\x1c", checksum(section.name, hash));
    for (const std::string& quantity : section.quantities) hash = checksum("\x1b", checksum(quantity, hash));
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace ricochet::hdf5
