#pragma once
// ricochet methods --pages DIR: a page for each method and discretization, from its descriptor and audits on scenarios
// of the gallery, so that what is printed is what was measured.

#include <filesystem>

namespace ricochet::cli {

void write_method_pages(const std::filesystem::path& directory);

}  // namespace ricochet::cli
