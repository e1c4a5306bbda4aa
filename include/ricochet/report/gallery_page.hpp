#pragma once
// The gallery as a page: every scenario with its picture and its title.

#include <string>
#include <vector>

#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

// The beginning of a run as one picture (SVG), without running it to its end. Throws InputError; a method that fails on
// the way ends the picture.
std::string scenario_picture(const Scenario& scenario);

struct GalleryEntry {
  std::string name, title, reference, method;
  std::string picture;  // file beside the page
  std::string report;   // page to go to; may be empty
  std::string error;    // why there is no picture
  std::string verb = "run";
};

std::string gallery_page(const std::vector<GalleryEntry>& entries);

}  // namespace ricochet
