// Reading trajectory.h5, finished or not: opened in SWMR mode, which suits closed files too.

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "hdf5.hpp"
#include "ricochet/error.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet {

using hdf5::Column;
using hdf5::Handle;
namespace fs = std::filesystem;

namespace {

// HDF5 repeats a read of its structures whose checksum does not fit, as a living run may be writing them, and waits
// twice as long each time: by its default of 100 attempts for ever.
constexpr unsigned read_attempts = 16;

constexpr std::int64_t most_rows = 1024;       // verified at once,
constexpr std::size_t most_numbers = 1 << 20;  // or fewer, so that memory stays bounded
constexpr std::size_t longest_attribute = 1 << 30;

template <class Result>
Result checked(Result result, const fs::path& path, const std::string& what) {
  return hdf5::check<InputError>(result, path, what);
}

std::vector<std::string> read_strings(hid_t file, const fs::path& path, const char* name) {
  const std::string what = fmt::format("read the attribute {}", name);
  const Handle attribute(checked(H5Aopen(file, name, H5P_DEFAULT), path, what), H5Aclose);
  const Handle type(checked(H5Aget_type(attribute), path, what), H5Tclose);
  const Handle space(checked(H5Aget_space(attribute), path, what), H5Sclose);
  const std::size_t length = H5Tget_size(type);
  const auto count = static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0));
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || length == 0 ||
      count > longest_attribute / length)
    throw InputError(fmt::format("{}: cannot {}: it is no text of an archive", path.string(), what));
  std::vector<char> bytes(length * count);
  if (count > 0) checked(H5Aread(attribute, type, bytes.data()), path, what);
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
  const Handle group(checked(H5Gopen2(file, "fields", H5P_DEFAULT), path, "open a group"), H5Gclose);
  labels.bodies = read_strings(group, path, "bodies");
  for (const std::string& name : read_strings(group, path, "names")) {
    const Handle attribute(checked(H5Aopen(group, ("offsets." + name).c_str(), H5P_DEFAULT), path, "read an attribute"),
                           H5Aclose);
    std::vector<std::int64_t> offsets(labels.bodies.size() + 1);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(offsets.size()))
      throw std::runtime_error(fmt::format("{}: the offsets of field {} do not fit the bodies", path.string(), name));
    checked(H5Aread(attribute, H5T_NATIVE_INT64, offsets.data()), path, "read an attribute");
    labels.fields.push_back({name, offsets});
  }
  if (H5Lexists(group, "triangles", H5P_DEFAULT) <= 0) return;
  const auto misfit = [&] { return InputError(fmt::format("{}: the triangles do not fit the fields", path.string())); };
  const Handle components(checked(H5Aopen(group, "components", H5P_DEFAULT), path, "read an attribute"), H5Aclose),
      numbers(H5Aget_space(components), H5Sclose);
  std::vector<std::int64_t> each(labels.fields.size());
  if (H5Sget_simple_extent_npoints(numbers) != static_cast<hssize_t>(each.size())) throw misfit();
  checked(H5Aread(components, H5T_NATIVE_INT64, each.data()), path, "read an attribute");
  for (std::size_t k = 0; k < each.size(); ++k) {
    if (each[k] < 1 || each[k] > 9) throw misfit();
    labels.fields[k].components = each[k];
  }
  const Handle set(checked(H5Dopen2(group, "triangles", H5P_DEFAULT), path, "open a dataset"), H5Dclose),
      space(H5Dget_space(set), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (labels.fields.empty() || count != 3 * labels.fields.back().offsets.back()) throw misfit();
  labels.triangles.resize(static_cast<std::size_t>(count));
  checked(H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, labels.triangles.data()), path,
          "read a dataset");
  for (const std::int64_t node : labels.triangles)
    if (node < 0 || node >= labels.fields.front().offsets.back()) throw misfit();
}

void read_sections(hid_t file, const fs::path& path, Labels& labels) {
  if (H5Lexists(file, "sections", H5P_DEFAULT) <= 0) return;
  const Handle group(checked(H5Gopen2(file, "sections", H5P_DEFAULT), path, "open a group"), H5Gclose);
  const std::vector<std::string> names = read_strings(group, path, "names");
  const Handle attribute(checked(H5Aopen(group, "at_impacts", H5P_DEFAULT), path, "read an attribute"), H5Aclose),
      space(H5Aget_space(attribute), H5Sclose);
  std::vector<std::int64_t> at_impacts(names.size());
  if (H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(names.size()))
    throw InputError(fmt::format("{}: the attributes of the sections do not fit each other", path.string()));
  checked(H5Aread(attribute, H5T_NATIVE_INT64, at_impacts.data()), path, "read an attribute");
  for (std::size_t k = 0; k < names.size(); ++k)
    labels.sections.push_back(
        {names[k], at_impacts[k] != 0, read_strings(group, path, fmt::format("quantities.{}", k).c_str())});
}

}  // namespace

struct ArchiveReader::Impl {
  struct Group;
  struct Dataset {
    Handle id;
    std::string name;
    std::size_t width;
    bool vector, integer;
    std::int64_t rows;
    Group* group;
  };
  // Datasets whose rows belong together; the last holds their checksums.
  struct Group {
    std::vector<const Dataset*> datasets;
    std::int64_t rows = std::numeric_limits<std::int64_t>::max();  // that all have
    std::int64_t block = most_rows;
    std::vector<bool> verified{};  // blocks
  };
  fs::path path;
  Handle file;
  ArchiveHeader header;
  Group trajectory, impacts, sections;
  std::map<std::string, Dataset> datasets;

  std::string text(const char* name) const {
    const std::vector<std::string> all = read_strings(file, path, name);
    return all.empty() ? std::string() : all.front();
  }

  void open(const std::vector<Column>& columns, Group& group) {
    std::size_t numbers = 0;
    for (const Column& c : columns) {
      const std::string what = fmt::format("open the dataset {}", c.name);
      Handle id(checked(H5Dopen2(file, c.name.c_str(), H5P_DEFAULT), path, what), H5Dclose);
      const Handle space(checked(H5Dget_space(id), path, what), H5Sclose),
          type(checked(H5Dget_type(id), path, what), H5Tclose);
      hsize_t size[2] = {0, 1};
      if (H5Sget_simple_extent_ndims(space) != (c.vector ? 2 : 1) || H5Tget_size(type) != 8)
        throw InputError(fmt::format("{}: dataset {} has not the shape of an archive", path.string(), c.name));
      checked(H5Sget_simple_extent_dims(space, size, nullptr), path, what);
      if (size[1] != c.width && c.vector)
        throw InputError(
            fmt::format("{}: dataset {} has {} columns, {} expected", path.string(), c.name, size[1], c.width));
      const auto found = static_cast<std::int64_t>(size[0]);
      group.rows = std::min(group.rows, found);
      numbers += c.width;
      const auto [place, fresh] = datasets.insert_or_assign(
          c.name, Dataset{std::move(id), c.name, c.width, c.vector, c.integer, found, &group});
      group.datasets.push_back(&place->second);
    }
    group.block = std::clamp<std::int64_t>(static_cast<std::int64_t>(most_numbers / numbers), 1, most_rows);
    group.verified.resize(static_cast<std::size_t>((group.rows + group.block - 1) / group.block));
  }

  // Throws if one of the rows first … first+count is damaged.
  void verify(Group& group, std::int64_t first, std::int64_t count) const {
    for (std::int64_t k = first / group.block; k * group.block < std::min(first + count, group.rows); ++k) {
      if (group.verified[static_cast<std::size_t>(k)]) continue;
      verify_block(group, k * group.block, std::min(group.block, group.rows - k * group.block));
      group.verified[static_cast<std::size_t>(k)] = true;
    }
  }

  void verify_block(const Group& group, std::int64_t first, std::int64_t count) const {
    std::vector<RowChecksum> found(static_cast<std::size_t>(count));
    for (std::size_t d = 0; d + 1 < group.datasets.size(); ++d) {
      const std::vector<std::uint64_t> bits = read_bits(*group.datasets[d], first, count);
      const std::size_t width = group.datasets[d]->width;
      for (std::size_t row = 0; row < found.size(); ++row) {
        std::uint64_t hash = checksum_start;
        for (std::size_t k = 0; k < width; ++k) hash = mixed(hash, bits[row * width + k]);
        found[row].add(hash);
      }
    }
    const std::vector<std::uint64_t> stored = read_bits(*group.datasets.back(), first, count);
    for (std::size_t row = 0; row < found.size(); ++row)
      if (const auto right = static_cast<std::int64_t>(stored[row]); found[row].value() != right)
        fail_row(group, first + static_cast<std::int64_t>(row), found[row].damaged(right));
  }

  [[noreturn]] void fail_row(const Group& group, std::int64_t row, int damaged) const {
    const Dataset& time = *group.datasets[1];
    const std::string at =
        damaged == 1 ? "" : fmt::format(", t = {}", std::bit_cast<double>(read_bits(time, row, 1).front()));
    throw InputError(fmt::format("{}: row {}{} of {} is damaged: its checksum does not fit", path.string(), row, at,
                                 damaged >= 0 ? "dataset " + group.datasets[static_cast<std::size_t>(damaged)]->name
                                 : &group == &impacts  ? "several datasets of impacts or their check"
                                 : &group == &sections ? "several datasets of sections or their check"
                                                       : "several datasets or their check"));
  }

  const Dataset& dataset(const std::string& name) const {
    const auto found = datasets.find(name);
    if (found == datasets.end()) throw std::invalid_argument(fmt::format("{}: no dataset {}", path.string(), name));
    return found->second;
  }

  void read_rows(const Dataset& d, std::int64_t first, std::int64_t count, void* out) const {
    if (count * static_cast<std::int64_t>(d.width) == 0) return;
    const std::string what = fmt::format("read the rows {} to {} of dataset {}", first, first + count - 1, d.name);
    const hsize_t start[2] = {static_cast<hsize_t>(first), 0};
    const hsize_t extent[2] = {static_cast<hsize_t>(count), d.width};
    const Handle source(checked(H5Dget_space(d.id), path, what), H5Sclose);
    checked(H5Sselect_hyperslab(source, H5S_SELECT_SET, start, nullptr, extent, nullptr), path, what);
    const Handle target(H5Screate_simple(d.vector ? 2 : 1, extent, nullptr), H5Sclose);
    checked(H5Dread(d.id, d.integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, target, source, H5P_DEFAULT, out), path,
            what);
  }

  std::vector<std::uint64_t> read_bits(const Dataset& d, std::int64_t first, std::int64_t count) const {
    std::vector<std::uint64_t> out(static_cast<std::size_t>(count) * d.width);
    read_rows(d, first, count, out.data());
    return out;
  }

  template <class Number>
  std::vector<Number> read(const std::string& name, std::int64_t first, std::int64_t count) const {
    const Dataset& d = dataset(name);
    if (first < 0 || count < 0 || first > d.rows - count)
      throw std::out_of_range(fmt::format("{}: {} has {} rows", path.string(), name, d.rows));
    if (d.integer != std::is_same_v<Number, std::int64_t>)
      throw std::invalid_argument(fmt::format("{}: {} holds numbers of the other kind", path.string(), name));
    verify(*d.group, first, count);
    std::vector<Number> out(static_cast<std::size_t>(count) * d.width);
    read_rows(d, first, count, out.data());
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
  H5Pset_metadata_read_attempts(access, read_attempts);
  r.file = Handle(checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), path, "open"), H5Fclose);
  ArchiveHeader& h = r.header;
  h.about = {r.text("title"),         r.text("method"),   r.text("discretization"),
             r.text("scenario_name"), r.text("scenario"), read_strings(r.file, path, "overrides")};
  h.labels = {read_strings(r.file, path, "coordinates"), read_strings(r.file, path, "momenta"),
              read_strings(r.file, path, "contacts"), read_strings(r.file, path, "scalars"),
              read_strings(r.file, path, "treatments")};
  h.labels.lasting = read_strings(r.file, path, "lasting");
  h.labels.contact_forces = read_strings(r.file, path, "contact_forces");
  read_fields(r.file, path, h.labels);
  read_sections(r.file, path, h.labels);
  h.version = r.text("version");
  h.state_hash = r.text("state_hash");
  if (r.text("check") != hdf5::header_checksum(h.version, h.about, h.labels))
    throw InputError(fmt::format("{}: the attributes are damaged: their checksum does not fit", path.string()));
  r.open(hdf5::trajectory_columns(h.labels), r.trajectory);
  r.open(hdf5::impact_columns(h.labels), r.impacts);
  if (h.labels.sections.empty())
    r.sections.rows = 0;
  else
    r.open(hdf5::section_columns(h.labels), r.sections);
}

ArchiveReader::~ArchiveReader() = default;
ArchiveReader::ArchiveReader(ArchiveReader&&) noexcept = default;
ArchiveReader& ArchiveReader::operator=(ArchiveReader&&) noexcept = default;

const ArchiveHeader& ArchiveReader::header() const { return impl_->header; }
ArchiveSizes ArchiveReader::sizes() const {
  return {impl_->trajectory.rows, impl_->impacts.rows, impl_->sections.rows};
}
void ArchiveReader::verify() const {
  for (Impl::Group* group : {&impl_->trajectory, &impl_->impacts, &impl_->sections})
    impl_->verify(*group, 0, group->rows);
}
std::int64_t ArchiveReader::width(const std::string& dataset) const {
  return static_cast<std::int64_t>(impl_->dataset(dataset).width);
}
std::vector<double> ArchiveReader::read(const std::string& dataset, std::int64_t first, std::int64_t count) const {
  return impl_->read<double>(dataset, first, count);
}
std::vector<std::int64_t> ArchiveReader::read_integers(const std::string& dataset, std::int64_t first,
                                                       std::int64_t count) const {
  return impl_->read<std::int64_t>(dataset, first, count);
}

}  // namespace ricochet
