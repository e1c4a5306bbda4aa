#include "hdf5_driver.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "ricochet/error.hpp"

namespace ricochet::hdf5 {

namespace {

struct OpenFile {
  H5FD_t base{};  // first: HDF5 sees this part only
  Driver* driver = nullptr;
  haddr_t allocated = 0, end = 0;
};

OpenFile& of(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
const OpenFile& of(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file); }

// Nothing may be thrown through HDF5.
template <class Body>
herr_t guarded(const Body& body) {
  try {
    body();
    return 0;
  } catch (...) {
    return -1;
  }
}

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* driver = static_cast<Driver* const*>(H5Pget_driver_info(access));
  if (driver == nullptr) return nullptr;
  auto* file = new (std::nothrow) OpenFile;
  if (file == nullptr) return nullptr;
  file->driver = *driver;
  return &file->base;
}

herr_t close_file(H5FD_t* file) {
  delete &of(file);
  return 0;
}

herr_t features(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }
herr_t allocate_to(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  of(file).allocated = end;
  return 0;
}
haddr_t file_end(const H5FD_t* file, H5FD_mem_t) { return of(file).end; }

herr_t read_file(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* data) {
  return guarded([&] { of(file).driver->read(address, static_cast<char*>(data), size); });
}

herr_t write_file(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* data) {
  return guarded([&] {
    of(file).driver->write(address, static_cast<const char*>(data), size);
    of(file).end = std::max<haddr_t>(of(file).end, address + size);
  });
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
  if (of(file).allocated == of(file).end) return 0;
  of(file).driver->resize(of(file).allocated);
  of(file).end = of(file).allocated;
  return 0;
}

// OutputFile and the folder of the run are locked. HDF5 marks a file as open for writing only if its driver has locks.
herr_t lock_file(H5FD_t*, hbool_t) { return 0; }
herr_t unlock_file(H5FD_t*) { return 0; }

const H5FD_class_t driver_class = [] {
  H5FD_class_t c = {};
  c.name = "ricochet";
  c.maxaddr = (haddr_t{1} << 63) - 1;
  c.fc_degree = H5F_CLOSE_WEAK;
  c.fapl_size = sizeof(void*);  // a Driver*
  c.open = open_file;
  c.close = close_file;
  c.query = features;
  c.get_eoa = allocated_end;
  c.set_eoa = allocate_to;
  c.get_eof = file_end;
  c.read = read_file;
  c.write = write_file;
  c.truncate = truncate_file;
  c.lock = lock_file;
  c.unlock = unlock_file;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(c.fl_map));
  return c;
}();

}  // namespace

void Driver::use_in(std::int64_t access) {
  Driver* self = this;
  const hid_t id = H5FDregister(&driver_class);
  const bool set = id >= 0 && H5Pset_driver(access, id, &self) >= 0;
  if (id >= 0) H5FDunregister(id);  // the property list holds it
  if (!set) throw std::runtime_error("HDF5 does not take a file driver");
}

void Driver::write(std::uint64_t address, const char* data, std::size_t size) {
  if (!failure_) {
    try {
      return file_.write_at(address, data, size);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  keep(address, data, size);
}

void Driver::keep(std::uint64_t address, const char* data, std::size_t size) {
  while (size > 0) {
    const std::uint64_t number = address / page, offset = address % page;
    const std::size_t part = std::min<std::size_t>(page - offset, size);
    const auto [place, fresh] = kept_.try_emplace(number, page, '\0');
    if (fresh) file_.read_at(number * page, place->second.data(), page);
    std::memcpy(place->second.data() + offset, data, part);
    address += part;
    data += part;
    size -= part;
  }
}

void Driver::read(std::uint64_t address, char* data, std::size_t size) const {
  file_.read_at(address, data, size);
  for (auto kept = kept_.lower_bound(address / page); kept != kept_.end() && kept->first * page < address + size;
       ++kept) {
    const std::uint64_t at = kept->first * page;
    const std::uint64_t begin = std::max(at, address), end = std::min(at + page, address + size);
    std::memcpy(data + (begin - address), kept->second.data() + (begin - at), end - begin);
  }
}

void Driver::resize(std::uint64_t size) {
  if (failure_) return;
  try {
    file_.resize(size);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

}  // namespace ricochet::hdf5
