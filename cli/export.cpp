// ricochet export DIR --csv|--vtk: what a run recorded, in formats that others read. Rows are read in blocks.

#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "export_fields.hpp"
#include "output_path.hpp"
#include "paths.hpp"
#include "ricochet/error.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/csv_cell.hpp"
#include "ricochet/simulation/output_file.hpp"
#include "ricochet/simulation/record_fields.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

namespace fs = std::filesystem;
constexpr std::int64_t block = 4096;  // rows read at once

template <class... T>
void print(OutputFile& out, fmt::format_string<T...> format, T&&... values) {
  out.write(fmt::format(format, std::forward<T>(values)...));
}

void for_each_block(const ArchiveReader& archive,
                    const std::function<void(std::int64_t first, std::int64_t count)>& body) {
  const std::int64_t rows = archive.sizes().rows;
  for (std::int64_t first = 0; first < rows; first += block) body(first, std::min(block, rows - first));
}

void write_csv(const ArchiveReader& archive, OutputFile& out) {
  const Labels& labels = archive.header().labels;
  std::vector<std::string> header;
  for (const RecordField& field : record_fields()) {
    const std::string column = field.column;
    if (!field.names) header.push_back(column);
    if (field.names)
      for (const std::string& name : labels.*field.names)
        header.push_back(csv_cell(column.empty() ? name : column + "." + name));
  }
  print(out, "{}\n", fmt::join(header, ","));
  for_each_block(archive, [&](std::int64_t first, std::int64_t count) {
    std::vector<std::vector<double>> columns;
    for (const RecordField& field : record_fields()) columns.push_back(archive.read(field.dataset, first, count));
    for (std::int64_t row = 0; row < count; ++row) {
      std::string line;
      for (const std::vector<double>& values : columns) {
        const std::size_t width = values.size() / static_cast<std::size_t>(count);
        for (std::size_t k = 0; k < width; ++k)
          line += fmt::format("{}{}", line.empty() ? "" : ",", values[static_cast<std::size_t>(row) * width + k]);
      }
      print(out, "{}\n", line);
    }
  });
}

void write_sections_csv(const ArchiveReader& archive, const fs::path& path) {
  const std::vector<SectionLabel>& labels = archive.header().labels.sections;
  OutputFile out(path);
  print(out, "section,step,t,quantity,value\n");
  const std::int64_t rows = archive.sizes().sections;
  for (std::int64_t first = 0; first < rows; first += block) {
    const std::int64_t count = std::min(block, rows - first);
    const auto t = archive.read("sections/t", first, count), values = archive.read("sections/values", first, count);
    const auto step = archive.read_integers("sections/step", first, count),
               section = archive.read_integers("sections/section", first, count);
    const std::size_t width = values.size() / t.size();
    for (std::size_t row = 0; row < t.size(); ++row) {
      const SectionLabel& label = labels.at(static_cast<std::size_t>(section[row]));
      for (std::size_t k = 0; k < label.quantities.size(); ++k)
        print(out, "{},{},{},{},{}\n", csv_cell(label.name), step[row], t[row], csv_cell(label.quantities[k]),
              values[row * width + k]);
    }
  }
  out.appear();
}

// Point row*paths + path, so that one pass over the rows writes them; a line picks each paths-th point.
void write_vtk(const ArchiveReader& archive, OutputFile& out) {
  Paths paths(archive.header());
  const std::int64_t rows = archive.sizes().rows, lines = static_cast<std::int64_t>(paths.size());
  print(out, "# vtk DataFile Version 3.0\nricochet paths\nASCII\nDATASET POLYDATA\nPOINTS {} double\n", rows * lines);
  for_each_block(archive, [&](std::int64_t first, std::int64_t count) {
    const auto t = archive.read("t", first, count), q = archive.read("q", first, count),
               v = archive.read("v", first, count);
    const std::size_t n = q.size() / static_cast<std::size_t>(count);
    for (std::size_t row = 0; row < static_cast<std::size_t>(count); ++row)
      for (const auto& point : paths.at(t[row], q.data() + row * n, v.data() + row * n))
        print(out, "{} {} {}\n", point[0], point[1], point[2]);
  });
  print(out, "LINES {} {}\n", lines, lines * (rows + 1));
  for (std::int64_t line = 0; line < lines; ++line) {
    print(out, "{}", rows);
    for (std::int64_t row = 0; row < rows; ++row) print(out, " {}", row * lines + line);
    print(out, "\n");
  }
  print(out, "POINT_DATA {}\nSCALARS time double 1\nLOOKUP_TABLE default\n", rows * lines);
  for_each_block(archive, [&](std::int64_t first, std::int64_t count) {
    for (const double t : archive.read("t", first, count))
      for (std::int64_t line = 0; line < lines; ++line) print(out, "{}\n", t);
  });
}

}  // namespace

void add_export(CLI::App& app, int&) {
  struct ExportArguments {
    std::string directory, file;
    bool csv = false, vtk = false, quiet = false;
  };
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* verb = app.add_subcommand("export", "write the trajectory of a run as CSV or VTK");
  verb->add_option("DIR", arguments->directory, "the directory of the run")->required();
  CLI::Option* csv = verb->add_flag("--csv", arguments->csv, "one line for each record");
  verb->add_flag("--vtk", arguments->vtk, "the paths of the drawn shapes, as legacy VTK polylines")->excludes(csv);
  verb->add_option("-o,--output", arguments->file, "the file (default: DIR/trajectory.csv or .vtk)")->type_name("FILE");
  verb->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  verb->callback([arguments] {
    if (!arguments->csv && !arguments->vtk) throw UsageError("export needs --csv or --vtk");
    const fs::path directory(arguments->directory), source = directory / archive_name;
    if (!fs::exists(source)) throw InputError(fmt::format("{}: there is no {} here", directory.string(), archive_name));
    clear_swmr_flag(source);
    const ArchiveReader archive(source);
    const fs::path file = !arguments->file.empty() ? fs::path(arguments->file)
                                                   : directory / (arguments->csv ? "trajectory.csv" : "trajectory.vtk");
    const bool fields = !archive.header().labels.fields.empty();
    if (fields && arguments->vtk) {
      const fs::path folder = arguments->file.empty() ? directory / "vtk" : fs::path(arguments->file);
      const std::int64_t files = write_vtk_series(archive, folder, "fields");
      if (!arguments->quiet) say("{}: {} records\n", (folder / "fields.pvd").string(), files);
      return;
    }
    if (fields) write_fields_csv(archive, file.parent_path() / "fields.csv");
    if (arguments->csv && !archive.header().labels.sections.empty())
      write_sections_csv(archive, file.parent_path() / "sections.csv");
    refuse_input(file, run_files(directory));
    OutputFile out(file);
    arguments->csv ? write_csv(archive, out) : write_vtk(archive, out);
    out.appear();
    if (!arguments->quiet) say("{}: {} records\n", file.string(), archive.sizes().rows);
  });
}

}  // namespace ricochet::cli
