#pragma once
// The page: the template that is built from viewer/ and linked into this library, with the data of a report in it.

#include <string>
#include <string_view>

namespace ricochet {

std::string_view page_template();

// The template with the data. `json` may hold any text: no character of it can end the element it stands in. The
// scripts of 3D scenes are left out if `space` is false.
std::string make_page(const std::string& json, bool space);

}  // namespace ricochet
