#include "ricochet/simulation/archive.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "hdf5.hpp"
#include "hdf5_driver.hpp"
#include "ricochet/simulation/run_directory.hpp"

namespace ricochet {

using hdf5::check;
using hdf5::Column;
using hdf5::Handle;
namespace fs = std::filesystem;

namespace {

// Appends rows to one dataset, in whole chunks except at a flush. Numbers of both kinds are kept as 64 bits.
class Appender {
 public:
  Appender(hid_t file, const hdf5::Driver& driver, const fs::path& path, const Column& column)
      : driver_(&driver), path_(path), column_(column) {
    // Chunks of at most 64 kB: small enough for short runs, large enough for long ones.
    chunk_ = std::clamp<std::size_t>(8192 / std::max<std::size_t>(column.width, 1), 1, 1024);
    // A dimension of length 0 must be extendible, as chunks have at least one entry.
    const hsize_t zero[2] = {0, column.width};
    const hsize_t most[2] = {H5S_UNLIMITED, column.width == 0 ? H5S_UNLIMITED : column.width};
    const hsize_t chunk[2] = {chunk_, std::max<hsize_t>(column.width, 1)};
    const int rank = column.vector ? 2 : 1;
    const Handle space(H5Screate_simple(rank, zero, most), H5Sclose);
    const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_chunk(create, rank, chunk), path_, "set the chunk size");
    dataset_ = Handle(check(H5Dcreate2(file, column.name.c_str(), column.integer ? H5T_STD_I64LE : H5T_IEEE_F64LE,
                                       space, H5P_DEFAULT, create, H5P_DEFAULT),
                            path_, "make a dataset"),
                      H5Dclose);
    buffer_.reserve(chunk_ * column.width);
  }

  void add(std::int64_t value) { put(std::bit_cast<std::uint64_t>(value)), end_row(); }
  void add(double value) { put(std::bit_cast<std::uint64_t>(value)), end_row(); }
  void add(std::span<const double> row) {
    for (const double x : row) put(std::bit_cast<std::uint64_t>(x));
    end_row();
  }
  void add(std::span<const std::int64_t> row) {
    for (const std::int64_t x : row) put(std::bit_cast<std::uint64_t>(x));
    end_row();
  }

  void write() {
    if (pending_ == 0) return;
    const hsize_t start[2] = {rows_, 0};
    const hsize_t count[2] = {pending_, column_.width};
    const hsize_t size[2] = {rows_ + pending_, column_.width};
    const int rank = column_.vector ? 2 : 1;
    check(H5Dset_extent(dataset_, size), path_, "extend a dataset");
    if (column_.width > 0) {
      const Handle target(check(H5Dget_space(dataset_), path_, "extend a dataset"), H5Sclose);
      check(H5Sselect_hyperslab(target, H5S_SELECT_SET, start, nullptr, count, nullptr), path_, "select rows");
      const Handle source(H5Screate_simple(rank, count, nullptr), H5Sclose);
      check(H5Dwrite(dataset_, column_.integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, source, target, H5P_DEFAULT,
                     buffer_.data()),
            path_, "write rows");
    }
    driver_->throw_failure();
    rows_ += pending_;
    pending_ = 0;
    buffer_.clear();
  }

  std::uint64_t row_hash() const { return row_hash_; }  // of the last row

  const Column& column() const { return column_; }
  std::int64_t rows() const { return static_cast<std::int64_t>(rows_ + pending_); }
  void close() { check(dataset_.close(), path_, "close a dataset"); }

 private:
  void put(std::uint64_t bits) {
    buffer_.push_back(bits);
    hash_ = mixed(hash_, bits);
  }
  void end_row() {
    row_hash_ = std::exchange(hash_, checksum_start);
    if ((rows_ + ++pending_) % chunk_ == 0) write();
  }

  const hdf5::Driver* driver_;
  fs::path path_;
  Column column_;
  Handle dataset_;
  std::uint64_t hash_ = checksum_start, row_hash_ = 0;
  std::size_t chunk_ = 1;
  std::vector<std::uint64_t> buffer_;
  std::size_t rows_ = 0, pending_ = 0;
};

void write_strings(hid_t file, const fs::path& path, const char* name, std::span<const std::string> texts,
                   bool scalar) {
  std::size_t length = 1;
  for (const std::string& s : texts) length = std::max(length, s.size());
  std::vector<char> bytes(std::max<std::size_t>(length * texts.size(), 1), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) std::memcpy(&bytes[i * length], texts[i].data(), texts[i].size());
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, length);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const hsize_t count = texts.size();
  const Handle space(scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute(
      check(H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT), path, "make an attribute"), H5Aclose);
  if (count > 0) check(H5Awrite(attribute, type, bytes.data()), path, "write an attribute");
}

void write_string(hid_t file, const fs::path& path, const char* name, const std::string& text) {
  write_strings(file, path, name, std::span(&text, 1), true);
}

void write_integers(hid_t where, const fs::path& path, const std::string& name,
                    const std::vector<std::int64_t>& values) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute(
      check(H5Acreate2(where, name.c_str(), H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT), path, "make an attribute"),
      H5Aclose);
  check(H5Awrite(attribute, H5T_NATIVE_INT64, values.data()), path, "write an attribute");
}

// The group of the fields: their names, those of the bodies, and where each body begins in each field; in the plane the
// numbers at a node or cell and the nodes of the triangles too.
void write_fields(hid_t file, const fs::path& path, const Labels& labels) {
  if (labels.fields.empty()) return;
  const Handle group(check(H5Gcreate2(file, "fields", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), path, "make a group"),
                     H5Gclose);
  std::vector<std::string> names;
  for (const FieldLabel& f : labels.fields) names.push_back(f.name);
  write_strings(group, path, "names", names, false);
  write_strings(group, path, "bodies", labels.bodies, false);
  std::vector<std::int64_t> components;
  for (const FieldLabel& f : labels.fields) {
    write_integers(group, path, "offsets." + f.name, f.offsets);
    components.push_back(f.components);
  }
  if (labels.triangles.empty()) return;
  write_integers(group, path, "components", components);
  const hsize_t size[2] = {labels.triangles.size() / 3, 3};
  const Handle space(H5Screate_simple(2, size, nullptr), H5Sclose),
      set(check(H5Dcreate2(group, "triangles", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), path,
                "make a dataset"),
          H5Dclose);
  check(H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, labels.triangles.data()), path,
        "write a dataset");
}

// The group of the sections: their names, which are at impacts, and the quantities of each.
void write_sections(hid_t file, const fs::path& path, const Labels& labels) {
  if (labels.sections.empty()) return;
  const Handle group(check(H5Gcreate2(file, "sections", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), path, "make a group"),
                     H5Gclose);
  std::vector<std::string> names;
  std::vector<std::int64_t> at_impacts;
  for (const SectionLabel& s : labels.sections) {
    write_strings(group, path, fmt::format("quantities.{}", names.size()).c_str(), s.quantities, false);
    names.push_back(s.name);
    at_impacts.push_back(s.at_impacts);
  }
  write_strings(group, path, "names", names, false);
  write_integers(group, path, "at_impacts", at_impacts);
}

// One row of a dataset of impacts.
class ImpactRow {
 public:
  using Field = LedgerField;
  ImpactRow(const LedgerLine& line, Appender& column, std::vector<double>& numbers, std::vector<std::int64_t>& integers)
      : line_(line), column_(column), numbers_(numbers), integers_(integers) {}
  void operator()(const Field::Number& of) { column_.add(of(line_.impact)); }
  void operator()(Field::EpisodeNumber of) { column_.add(line_.episode->*of); }
  void operator()(Field::Integer of) { column_.add(of(line_)); }
  void operator()(Field::Text) {}  // only in the ledger
  void operator()(Field::State of) {
    const std::vector<double>& state = line_.impact.*of;
    numbers_.assign(column_.column().width, 0);  // where nobody tells
    column_.add(state.size() == numbers_.size() ? state : numbers_);
  }
  void operator()(const Field::OfContacts& field) {
    numbers_.assign(column_.column().width, 0);
    for (const ContactImpulse& c : line_.impact.contacts)
      for (std::size_t d = 0; d < field.each; ++d) numbers_.at(place(c) * field.each + d) += field.of(c)[d];
    column_.add(numbers_);
  }
  void operator()(Field::LawOfContacts of) {
    integers_.assign(column_.column().width, -1);
    for (const ContactImpulse& c : line_.impact.contacts) integers_.at(place(c)) = of(line_.impact, c);
    column_.add(integers_);
  }

 private:
  static std::size_t place(const ContactImpulse& c) { return static_cast<std::size_t>(c.contact); }

  const LedgerLine& line_;
  Appender& column_;
  std::vector<double>& numbers_;
  std::vector<std::int64_t>& integers_;
};

// The last column, when the others have their row.
void add_check(std::vector<Appender>& columns) {
  RowChecksum check;
  for (std::size_t k = 0; k + 1 < columns.size(); ++k) check.add(columns[k].row_hash());
  columns.back().add(check.value());
}

}  // namespace

struct Archive::Impl {
  Impl(const fs::path& p, const Labels& l) : path(p), labels(l), driver(OutputFile(p)) {}
  fs::path path;
  Labels labels;
  hdf5::Driver driver;  // outlives what is open
  Handle file;
  std::vector<Appender> trajectory, impacts, sections;
  std::vector<double> numbers;  // of one row
  std::vector<std::int64_t> integers;

  void add(const LedgerLine& line) {
    auto column = impacts.begin();
    for (const LedgerField& f : ledger_fields())
      if (f.dataset && f.exists(labels)) std::visit(ImpactRow(line, *column++, numbers, integers), f.value);
    add_check(impacts);
  }
};

Archive::Archive(const fs::path& path, const RunDescription& about, const Labels& labels) {
  hdf5::quiet();
  impl_ = std::make_unique<Impl>(path, labels);
  Impl& a = *impl_;
  const Handle create(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_attr_phase_change(create, 64, 0);  // keep the attributes together in the root's header
  // A process killed within a write leaves whole pages of memory: what HDF5 has a checksum for must lie inside one.
  H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_PAGE, false, 1);
  const Handle access = hdf5::file_access();
  a.driver.use_in(access);
  a.file = Handle(check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, create, access), path, "write"), H5Fclose);
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle format(H5Acreate2(a.file, "format", H5T_STD_I64LE, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const std::int64_t one = 1;
  check(H5Awrite(format, H5T_NATIVE_INT64, &one), path, "write an attribute");
  write_string(a.file, path, "version", RICOCHET_VERSION);
  write_string(a.file, path, "state_hash", std::string(16, '\0'));
  write_string(a.file, path, "title", about.title);
  write_string(a.file, path, "method", about.method);
  write_string(a.file, path, "discretization", about.discretization);
  write_string(a.file, path, "scenario_name", about.scenario_name);
  write_string(a.file, path, "scenario", about.scenario_text);
  write_strings(a.file, path, "overrides", about.overrides, false);
  write_strings(a.file, path, "coordinates", labels.coordinates, false);
  write_strings(a.file, path, "momenta", labels.momenta, false);
  write_strings(a.file, path, "contacts", labels.contacts, false);
  write_strings(a.file, path, "lasting", labels.lasting, false);
  write_strings(a.file, path, "contact_forces", labels.contact_forces, false);
  write_strings(a.file, path, "scalars", labels.scalars, false);
  write_strings(a.file, path, "treatments", labels.treatments, false);
  write_fields(a.file, path, labels);
  write_sections(a.file, path, labels);
  write_string(a.file, path, "check", hdf5::header_checksum(RICOCHET_VERSION, about, labels));
  Handle group(check(H5Gcreate2(a.file, "impacts", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), path, "make a group"),
               H5Gclose);
  group.close();
  for (const Column& c : hdf5::trajectory_columns(labels)) a.trajectory.emplace_back(a.file, a.driver, path, c);
  for (const Column& c : hdf5::impact_columns(labels)) a.impacts.emplace_back(a.file, a.driver, path, c);
  for (const Column& c : hdf5::section_columns(labels)) a.sections.emplace_back(a.file, a.driver, path, c);
  a.driver.throw_failure();
}

Archive::~Archive() = default;
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;

void Archive::record(std::int64_t step, const Observables& o) {
  auto column = impl_->trajectory.begin();
  column++->add(step);
  for (const RecordField& f : record_fields()) std::visit([&](auto member) { column++->add(o.*member); }, f.value);
  for (const std::vector<double>& field : o.fields) column++->add(field);
  add_check(impl_->trajectory);
}

void Archive::add(std::int64_t step, const Impact& impact) { impl_->add({step, impact, impl_->labels}); }
void Archive::add(const Episode& e) { impl_->add({e.step, e, impl_->labels, &e}); }

void Archive::add(std::int64_t step, const SectionPoint& point) {
  std::vector<Appender>& columns = impl_->sections;
  impl_->numbers = point.values;
  impl_->numbers.resize(columns[3].column().width, 0);
  columns[0].add(step);
  columns[1].add(point.t);
  columns[2].add(point.section);
  columns[3].add(impl_->numbers);
  add_check(columns);
}

void Archive::copy(const ArchiveReader& from, ArchiveSizes sizes) {
  const auto copy_columns = [&](std::vector<Appender>& columns, std::int64_t rows) {
    for (Appender& a : columns) {
      const Column& c = a.column();
      if (from.width(c.name) != static_cast<std::int64_t>(c.width))
        throw InputError(fmt::format("{}: dataset {} has {} columns, {} expected; the scenario has changed",
                                     impl_->path.string(), c.name, from.width(c.name), c.width));
      const std::int64_t block = 4096 / static_cast<std::int64_t>(std::max<std::size_t>(c.width, 1)) + 1;
      for (std::int64_t first = 0; first < rows; first += block) {
        const std::int64_t count = std::min(block, rows - first);
        if (c.integer) {
          const std::vector<std::int64_t> values = from.read_integers(c.name, first, count);
          for (std::int64_t i = 0; i < count; ++i)
            a.add(std::span(values).subspan(static_cast<std::size_t>(i) * c.width, c.width));
        } else {
          const std::vector<double> values = from.read(c.name, first, count);
          for (std::int64_t i = 0; i < count; ++i)
            a.add(std::span(values).subspan(static_cast<std::size_t>(i) * c.width, c.width));
        }
      }
    }
  };
  const ArchiveSizes there = from.sizes();
  if (there.rows < sizes.rows || there.impacts < sizes.impacts || there.sections < sizes.sections)
    throw InputError(fmt::format("{}: only {} of {} rows, {} of {} impacts and {} of {} points of sections are there",
                                 impl_->path.string(), there.rows, sizes.rows, there.impacts, sizes.impacts,
                                 there.sections, sizes.sections));
  copy_columns(impl_->trajectory, sizes.rows);
  copy_columns(impl_->impacts, sizes.impacts);
  copy_columns(impl_->sections, sizes.sections);
}

void Archive::flush() {
  for (Appender& a : impl_->trajectory) a.write();
  for (Appender& a : impl_->impacts) a.write();
  for (Appender& a : impl_->sections) a.write();
  check(H5Fflush(impl_->file, H5F_SCOPE_LOCAL), impl_->path, "flush");
  impl_->driver.throw_failure();
  impl_->driver.file().sync();
}

void Archive::appear() {
  check(H5Fstart_swmr_write(impl_->file), impl_->path, "start SWMR writing");
  flush();
  impl_->driver.file().appear();
}

ArchiveSizes Archive::sizes() const {
  return {impl_->trajectory.front().rows(), impl_->impacts.front().rows(),
          impl_->sections.empty() ? 0 : impl_->sections.front().rows()};
}

void Archive::add(const DesignSummary& design) {
  if (design.sensitivities.empty()) return;
  Impl& a = *impl_;
  std::vector<std::string> outputs, unknowns;
  std::vector<double> values;
  for (const auto& [name, value] : design.sensitivities.front().second) unknowns.push_back(name);
  for (const auto& [output, row] : design.sensitivities) {
    outputs.push_back(output);
    for (const auto& [name, value] : row) values.push_back(value);
  }
  const Handle group(
      check(H5Gcreate2(a.file, "sensitivities", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), a.path, "make a group"),
      H5Gclose);
  write_strings(group, a.path, "outputs", outputs, false);
  write_strings(group, a.path, "unknowns", unknowns, false);
  const hsize_t size[2] = {outputs.size(), unknowns.size()};
  const Handle space(H5Screate_simple(2, size, nullptr), H5Sclose),
      set(check(H5Dcreate2(group, "values", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), a.path,
                "make a dataset"),
          H5Dclose);
  if (!values.empty())
    check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), a.path, "write a dataset");
}

void Archive::close(const std::string& state_hash) {
  Impl& a = *impl_;
  flush();
  {
    std::string bytes = state_hash;
    bytes.resize(16, '\0');
    const Handle attribute(check(H5Aopen(a.file, "state_hash", H5P_DEFAULT), a.path, "open an attribute"), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    check(H5Awrite(attribute, type, bytes.data()), a.path, "write an attribute");
  }
  for (Appender& c : a.trajectory) c.close();
  for (Appender& c : a.impacts) c.close();
  for (Appender& c : a.sections) c.close();
  check(a.file.close(), a.path, "close");
  a.driver.throw_failure();
  a.driver.file().appear();
}

bool clear_swmr_flag(const fs::path& path) {
  hdf5::quiet();
  if (Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, hdf5::file_access()), H5Fclose) >= 0) return false;
  const DirectoryLock lock(path.parent_path());
  if (!lock.held()) return false;
  const ArchiveReader from(path);
  Archive fresh(path, from.header().about, from.header().labels);
  fresh.copy(from, from.sizes());
  fresh.close(from.header().state_hash);
  return true;
}

void write_sensitivities(const fs::path& path, const DesignSummary& design) {
  const ArchiveReader from(path);
  Archive fresh(path, from.header().about, from.header().labels);
  fresh.copy(from, from.sizes());
  fresh.add(design);
  fresh.close(from.header().state_hash);
}

}  // namespace ricochet
