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

std::string make_page(const std::string& json) {
  constexpr std::string_view mark = "__RICOCHET_DATA__";
  const std::string_view whole = page_template();
  const std::size_t at = whole.find(mark);
  if (at == std::string_view::npos) throw std::logic_error("the page template has no place for data");
  std::string page(whole.substr(0, at));
  page.reserve(whole.size() + json.size() + json.size() / 16);
  for (const char c : json) {  // in JSON these stand in strings only, where \u may stand for them
    switch (c) {
      case '<': page += "\\u003c"; break;
      case '>': page += "\\u003e"; break;
      case '&': page += "\\u0026"; break;
      default: page += c;
    }
  }
  page += whole.substr(at + mark.size());
  return page;
}

}  // namespace ricochet
