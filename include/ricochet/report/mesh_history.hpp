#pragma once
// The fields of bodies in the plane over time, for pictures: places in 16 bits of the room they take, mean in-plane
// stresses (xx + yy)/2 in 8 bits of the largest, at as many records as fit a page.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/continuum/model.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/run.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

struct MeshFrame {
  double t = 0;
  std::vector<float> x;       // two for each node
  std::vector<float> stress;  // of each cell
};

struct MeshHistory {
  explicit MeshHistory(const Labels& labels);
  void add(double t, const double* x, const double* stress);

  std::vector<std::string> bodies;
  std::vector<std::int64_t> cells;      // where each body begins, and the end
  std::vector<std::int64_t> triangles;  // three nodes for each cell
  std::vector<std::int64_t> outline;    // two nodes for each segment of the boundaries
  std::vector<MeshFrame> frames;
  std::vector<continuum::PlaneWall> walls;
  double largest = 0;                         // |stress|
  std::array<float, 4> box() const;           // x from, y from, x to, y to: of all frames
  std::vector<std::uint16_t> places() const;  // frame after frame, 0 … 65535 in the box
  std::vector<std::int8_t> levels() const;    // −127 … 127 of the largest
};

std::vector<continuum::PlaneWall> plane_walls(const RunDescription& about);  // of the scenario, if it can be read

// Evenly chosen records, the first and the last among them.
MeshHistory read_mesh_history(const ArchiveReader& archive, const std::vector<continuum::PlaneWall>& walls);
// So many records of n nodes and cells in all fit.
std::int64_t mesh_frames(std::size_t nodes, std::size_t cells);

// The start, the record of the largest stress and the end, side by side or below each other.
std::string svg_mesh_history(const MeshHistory& history, const std::string& title, int width, int height);

}  // namespace ricochet
