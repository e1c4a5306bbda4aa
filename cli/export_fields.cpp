#include "export_fields.hpp"

#include <fmt/format.h>

#include "ricochet/error.hpp"
#include "ricochet/simulation/output_file.hpp"

namespace ricochet::cli {

namespace {

namespace fs = std::filesystem;

struct Row {  // the fields of one record
  double t;
  std::vector<double> x, v, stress;
};

Row read_row(const ArchiveReader& archive, std::int64_t row) {
  return {archive.read("t", row, 1).front(), archive.read("fields/x", row, 1), archive.read("fields/v", row, 1),
          archive.read("fields/stress", row, 1)};
}

std::string numbers(const std::vector<double>& values) { return fmt::format("{}", fmt::join(values, " ")); }

// Bodies on a line are lines (VTK's type 3) along x, those in the plane triangles (type 5).
std::string vtu(const Labels& labels, const Row& row) {
  std::string points, connections, offsets, types, bodies, velocities;
  const auto d = static_cast<std::size_t>(labels.fields.front().components);
  const auto in_space = [d](const std::vector<double>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); i += d)
      text += fmt::format("{} {} 0 ", values[i], d > 1 ? values[i + 1] : 0.0);
    return text;
  };
  std::int64_t cells = 0;
  const std::vector<std::int64_t>&nodes = labels.fields.front().offsets, &cell_offsets = labels.fields.back().offsets;
  const auto cell = [&](std::initializer_list<std::int64_t> corners, std::size_t body) {
    connections += fmt::format("{} ", fmt::join(corners, " "));
    offsets += fmt::format("{} ", static_cast<std::int64_t>(corners.size()) * ++cells);
    types += d > 1 ? "5 " : "3 ";
    bodies += fmt::format("{} ", body);
  };
  for (std::size_t b = 0; b + 1 < nodes.size(); ++b) {
    if (d > 1)
      for (std::int64_t c = cell_offsets[b]; c < cell_offsets[b + 1]; ++c) {
        const std::int64_t* t = &labels.triangles[static_cast<std::size_t>(3 * c)];
        cell({t[0], t[1], t[2]}, b);
      }
    else
      for (std::int64_t i = nodes[b]; i + 1 < nodes[b + 1]; ++i) cell({i, i + 1}, b);
  }
  const auto array = [](const char* type, const char* name, const std::string& extra, const std::string& content) {
    return fmt::format("<DataArray type=\"{}\" Name=\"{}\"{} format=\"ascii\">{}</DataArray>\n", type, name, extra,
                       content);
  };
  const std::string three = " NumberOfComponents=\"3\"";
  return fmt::format(
             "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
             "byte_order=\"LittleEndian\">\n"
             "<UnstructuredGrid><Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
             row.x.size() / d, cells) +
         "<Points>" + array("Float64", "points", three, in_space(row.x)) + "</Points>\n<Cells>" +
         array("Int64", "connectivity", "", connections) + array("Int64", "offsets", "", offsets) +
         array("UInt8", "types", "", types) + "</Cells>\n<PointData>" +
         (d > 1 ? array("Float64", "v", three, in_space(row.v)) : array("Float64", "v", "", numbers(row.v))) +
         "</PointData>\n<CellData>" +
         array("Float64", "stress",
               d > 1 ? three + " ComponentName0=\"xx\" ComponentName1=\"yy\" ComponentName2=\"xy\"" : "",
               numbers(row.stress)) +
         array("Int64", "body", "", bodies) + "</CellData>\n</Piece></UnstructuredGrid></VTKFile>\n";
}

}  // namespace

std::int64_t write_vtk_series(const ArchiveReader& archive, const fs::path& folder, const std::string& name) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw WriteError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  std::string list = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\"><Collection>\n";
  const std::int64_t rows = archive.sizes().rows;
  for (std::int64_t k = 0; k < rows; ++k) {
    const Row row = read_row(archive, k);
    const std::string file = fmt::format("{}_{:05}.vtu", name, k);
    write_atomically(folder / file, vtu(archive.header().labels, row));
    list += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", row.t, file);
  }
  write_atomically(folder / (name + ".pvd"), list + "</Collection></VTKFile>\n");
  return rows;
}

void write_fields_csv(const ArchiveReader& archive, const fs::path& file) {
  const Labels& labels = archive.header().labels;
  const bool plane = labels.fields.front().components > 1;
  OutputFile out(file);
  out.write(plane ? "t,body,node,x,y,vx,vy\n" : "t,body,node,x,v,stress\n");
  const std::vector<std::int64_t>& nodes = labels.fields.front().offsets;
  for (std::int64_t k = 0; k < archive.sizes().rows; ++k) {
    const Row row = read_row(archive, k);
    std::size_t node = 0, cell = 0;
    for (std::size_t b = 0; b + 1 < nodes.size(); ++b)
      for (std::int64_t i = nodes[b]; i < nodes[b + 1]; ++i, ++node) {
        if (plane) {
          out.write(fmt::format("{},{},{},{},{},{},{}\n", row.t, labels.bodies[b], i - nodes[b], row.x[2 * node],
                                row.x[2 * node + 1], row.v[2 * node], row.v[2 * node + 1]));
          continue;
        }
        const bool last = i + 1 == nodes[b + 1];  // the stress is that of the cell on the right
        out.write(fmt::format("{},{},{},{},{},{}\n", row.t, labels.bodies[b], i - nodes[b], row.x[node], row.v[node],
                              last ? "" : fmt::format("{}", row.stress[cell])));
        cell += last ? 0 : 1;
      }
  }
  out.appear();
}

}  // namespace ricochet::cli
