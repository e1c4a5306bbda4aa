#pragma once
// trajectory.h5: what a run recorded. docs/files.md lists datasets and attributes.
//
// Written in HDF5's SWMR mode: every dataset exists before the first step, rows are appended in whole chunks and
// flushed now and then, so that a killed run can be read to its last flush. A file left open by a killed run is never
// written again: what goes on (resume) or wants an ordinary file (export, report) copies its rows into a fresh one.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/simulation/design_summary.hpp"
#include "ricochet/simulation/run.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

struct ArchiveSizes {
  std::int64_t rows = 0, impacts = 0, sections = 0;
};

struct ArchiveHeader {
  RunDescription about;
  Labels labels;
  std::string version;     // of the program that wrote it
  std::string state_hash;  // empty until the run has ended
};

// A finished, running or killed archive. Rows are read in blocks, so that memory stays bounded, and checked before
// anyone gets them: a damaged one is an InputError that names file, dataset, row and time.
class ArchiveReader {
 public:
  explicit ArchiveReader(const std::filesystem::path& path);
  ~ArchiveReader();
  ArchiveReader(ArchiveReader&&) noexcept;
  ArchiveReader& operator=(ArchiveReader&&) noexcept;

  const ArchiveHeader& header() const;
  ArchiveSizes sizes() const;  // rows that every dataset has
  void verify() const;         // all of them
  std::int64_t width(const std::string& dataset) const;
  // Rows first … first+count of "t", "q", "impacts/time" …, row after row. Integer datasets are read as integers.
  std::vector<double> read(const std::string& dataset, std::int64_t first, std::int64_t count) const;
  std::vector<std::int64_t> read_integers(const std::string& dataset, std::int64_t first, std::int64_t count) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class Archive {
 public:
  // The file has its name from appear() on, or from close(): under its own name it is always readable.
  Archive(const std::filesystem::path& path, const RunDescription& about, const Labels& labels);
  ~Archive();
  Archive(Archive&&) noexcept;
  Archive& operator=(Archive&&) noexcept;

  void record(std::int64_t step, const Observables& o);
  void add(std::int64_t step, const Impact& impact);
  void add(const Episode& episode);
  void add(std::int64_t step, const SectionPoint& point);
  void copy(const ArchiveReader& from, ArchiveSizes sizes);  // so many first rows of each
  void add(const DesignSummary& design);                     // its sensitivities, before close()
  void flush();
  void appear();  // to be read while it is written
  ArchiveSizes sizes() const;
  void close(const std::string& state_hash);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Makes the file of a killed run an ordinary one, which any HDF5 program opens without SWMR; rows that only some
// datasets have are dropped. Nothing happens to a file that is closed, or that a living run writes. True if it was
// rewritten.
bool clear_swmr_flag(const std::filesystem::path& path);

// A finished archive with the group `sensitivities` beside its rows.
void write_sensitivities(const std::filesystem::path& path, const DesignSummary& design);

}  // namespace ricochet
