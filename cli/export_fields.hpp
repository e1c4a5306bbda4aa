#pragma once
// The fields of bodies in formats that others read: a series NAME_00000.vtu with NAME.pvd for ParaView, or one CSV
// table.

#include <filesystem>

#include "ricochet/simulation/archive.hpp"

namespace ricochet::cli {

// Returns how many files of the series were written.
std::int64_t write_vtk_series(const ArchiveReader& archive, const std::filesystem::path& folder,
                              const std::string& name);
void write_fields_csv(const ArchiveReader& archive, const std::filesystem::path& file);

}  // namespace ricochet::cli
