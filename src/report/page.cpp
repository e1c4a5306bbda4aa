#include "ricochet/report/page.hpp"

#include <stdexcept>

// The file is put into the object as it is: no compiler reads a literal of its size with joy.
__asm__(
    ".section .rodata\n"
    ".global ricochet_page_begin\n"
    ".global ricochet_page_end\n"
    "ricochet_page_begin:\n"
    ".incbin \"" RICOCHET_PAGE_TEMPLATE
    "\"\n"
    "ricochet_page_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const char ricochet_page_begin[], ricochet_page_end[];

namespace ricochet {

std::string_view page_template() {
  return {ricochet_page_begin, static_cast<std::size_t>(ricochet_page_end - ricochet_page_begin)};
}

namespace {

struct Parts {
  std::string_view before, between, after;
};

Parts split(std::string_view text, std::string_view first, std::string_view second) {
  const std::size_t a = text.find(first), b = text.find(second, a == std::string_view::npos ? 0 : a);
  if (a == std::string_view::npos || b == std::string_view::npos)
    throw std::logic_error("the page template has no " + std::string(first));
  return {text.substr(0, a), text.substr(a, b - a), text.substr(b)};
}

}  // namespace

std::string make_page(const std::string& json, bool space) {
  constexpr std::string_view mark = "__RICOCHET_DATA__";
  const Parts data = split(page_template(), mark, "</script>");
  const Parts scripts = split(data.after, "<!--3d-->", "<!--/3d-->");
  std::string page(data.before);
  page.reserve(page_template().size() + json.size() + json.size() / 16);
  for (const char c : json) {  // in JSON these stand in strings only, where \u may stand for them
    switch (c) {
      case '<': page += "\\u003c"; break;
      case '>': page += "\\u003e"; break;
      case '&': page += "\\u0026"; break;
      default: page += c;
    }
  }
  page += scripts.before;
  if (space) page += scripts.between;
  page += scripts.after;
  return page;
}

}  // namespace ricochet
