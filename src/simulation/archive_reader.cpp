// Reading trajectory.h5, finished or not: opened in SWMR mode, which suits closed files too.

#include <algorithm>
#include <limits>
#include <map>

#include "hdf5.hpp"
#include "ricochet/error.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet {

using hdf5::check;
using hdf5::Column;
using hdf5::Handle;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> read_strings(hid_t file, const fs::path& path, const char* name) {
  const Handle attribute(check(H5Aopen(file, name, H5P_DEFAULT), path, "read an attribute"), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  const std::size_t length = H5Tget_size(type);
  const auto count = static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0));
  std::vector<char> bytes(length * count);
  if (count > 0) check(H5Aread(attribute, type, bytes.data()), path, "read an attribute");
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    const char* begin = &bytes[i * length];
    out.emplace_back(begin, std::find(begin, begin + length, '\0'));
  }
  return out;
}

// The fields of a continuum; older files and other runs have none.
void read_fields(hid_t file, const fs::path& path, Labels& labels) {
  if (H5Lexists(file, "fields", H5P_DEFAULT) <= 0) return;
  const Handle group(check(H5Gopen2(file, "fields", H5P_DEFAULT), path, "open a group"), H5Gclose);
  labels.bodies = read_strings(group, path, "bodies");
  for (const std::string& name : read_strings(group, path, "names")) {
    const Handle attribute(check(H5Aopen(group, ("offsets." + name).c_str(), H5P_DEFAULT), path, "read an attribute"),
                           H5Aclose);
    std::vector<std::int64_t> offsets(labels.bodies.size() + 1);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(offsets.size()))
      throw std::runtime_error(fmt::format("{}: the offsets of field {} do not fit the bodies", path.string(), name));
    check(H5Aread(attribute, H5T_NATIVE_INT64, offsets.data()), path, "read an attribute");
    labels.fields.push_back({name, offsets});
  }
}

}  // namespace

struct ArchiveReader::Impl {
  struct Dataset {
    Handle id;
    std::size_t width;
    bool vector;
    std::int64_t rows;
  };
  fs::path path;
  Handle file;
  ArchiveHeader header;
  ArchiveSizes sizes{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()};
  std::map<std::string, Dataset> datasets;

  std::string text(const char* name) const {
    const std::vector<std::string> all = read_strings(file, path, name);
    return all.empty() ? std::string() : all.front();
  }

  void open(const std::vector<Column>& columns, std::int64_t& rows) {
    for (const Column& c : columns) {
      Handle id(check(H5Dopen2(file, c.name.c_str(), H5P_DEFAULT), path, "open a dataset"), H5Dclose);
      const Handle space(H5Dget_space(id), H5Sclose);
      hsize_t size[2] = {0, 1};
      if (H5Sget_simple_extent_ndims(space) != (c.vector ? 2 : 1))
        throw std::runtime_error(fmt::format("{}: dataset {} has not the shape of an archive", path.string(), c.name));
      check(H5Sget_simple_extent_dims(space, size, nullptr), path, "read the size of a dataset");
      const auto found = static_cast<std::int64_t>(size[0]);
      rows = std::min(rows, found);
      datasets.insert_or_assign(c.name, Dataset{std::move(id), static_cast<std::size_t>(size[1]), c.vector, found});
    }
  }

  const Dataset& dataset(const std::string& name) const {
    const auto found = datasets.find(name);
    if (found == datasets.end()) throw std::invalid_argument(fmt::format("{}: no dataset {}", path.string(), name));
    return found->second;
  }

  template <class Number>
  std::vector<Number> read(const std::string& name, std::int64_t first, std::int64_t count, hid_t type) const {
    const Dataset& d = dataset(name);
    if (first < 0 || count < 0 || first > d.rows - count)
      throw std::out_of_range(fmt::format("{}: {} has {} rows", path.string(), name, d.rows));
    std::vector<Number> out(static_cast<std::size_t>(count) * d.width);
    if (out.empty()) return out;
    const hsize_t start[2] = {static_cast<hsize_t>(first), 0};
    const hsize_t extent[2] = {static_cast<hsize_t>(count), d.width};
    const Handle source(H5Dget_space(d.id), H5Sclose);
    check(H5Sselect_hyperslab(source, H5S_SELECT_SET, start, nullptr, extent, nullptr), path, "select rows");
    const Handle target(H5Screate_simple(d.vector ? 2 : 1, extent, nullptr), H5Sclose);
    check(H5Dread(d.id, type, target, source, H5P_DEFAULT, out.data()), path, "read rows");
    return out;
  }
};

ArchiveReader::ArchiveReader(const fs::path& path) : impl_(std::make_unique<Impl>()) {
  hdf5::quiet();
  Impl& r = *impl_;
  r.path = path;
  if (!fs::exists(path)) throw InputError(path.string() + ": there is no such archive");
  const Handle access = hdf5::file_access();
  // After a full disk the file is shorter than it says. h5clear's property lets it be read nonetheless; libraries
  // without it refuse the file with a clear message.
  const hbool_t yes = true;
  H5Pset(access, "skip_eof_check", &yes);
  r.file = Handle(check(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), path, "open"), H5Fclose);
  ArchiveHeader& h = r.header;
  h.about = {r.text("title"),         r.text("method"),   r.text("discretization"),
             r.text("scenario_name"), r.text("scenario"), read_strings(r.file, path, "overrides")};
  h.labels = {read_strings(r.file, path, "coordinates"), read_strings(r.file, path, "momenta"),
              read_strings(r.file, path, "contacts"), read_strings(r.file, path, "scalars"),
              read_strings(r.file, path, "treatments")};
  read_fields(r.file, path, h.labels);
  h.version = r.text("version");
  h.state_hash = r.text("state_hash");
  r.open(hdf5::trajectory_columns(h.labels), r.sizes.rows);
  r.open(hdf5::impact_columns(h.labels), r.sizes.impacts);
}

ArchiveReader::~ArchiveReader() = default;
ArchiveReader::ArchiveReader(ArchiveReader&&) noexcept = default;
ArchiveReader& ArchiveReader::operator=(ArchiveReader&&) noexcept = default;

const ArchiveHeader& ArchiveReader::header() const { return impl_->header; }
ArchiveSizes ArchiveReader::sizes() const { return impl_->sizes; }
std::int64_t ArchiveReader::width(const std::string& dataset) const {
  return static_cast<std::int64_t>(impl_->dataset(dataset).width);
}
std::vector<double> ArchiveReader::read(const std::string& dataset, std::int64_t first, std::int64_t count) const {
  return impl_->read<double>(dataset, first, count, H5T_NATIVE_DOUBLE);
}
std::vector<std::int64_t> ArchiveReader::read_integers(const std::string& dataset, std::int64_t first,
                                                       std::int64_t count) const {
  return impl_->read<std::int64_t>(dataset, first, count, H5T_NATIVE_INT64);
}

}  // namespace ricochet
