#pragma once
// A run as one picture: the shapes at evenly spaced times, the later the darker, and the paths of what moves. Scenes in
// space are seen from a corner above.

#include <string>
#include <vector>

#include "ricochet/report/drawing.hpp"

namespace ricochet {

struct StrobeFrame {
  double t;
  std::vector<double> values;  // of all tracks
};

struct StrobeOptions {
  std::string title;  // none: nothing is written
  double width = 760, height = 420;
  int flashes = 12;  // shapes are drawn at so many frames
};

// How many of the frames make a readable picture: what runs away along one axis is shown at its beginning.
std::size_t readable_frames(const Drawing& drawing, const std::vector<StrobeFrame>& frames);

std::string svg_strobe(const Drawing& drawing, const std::vector<StrobeFrame>& frames, const StrobeOptions& options);

}  // namespace ricochet
