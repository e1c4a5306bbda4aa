#pragma once
// What the program says. Texts come from files that anyone may have written, so control characters, which could steer a
// terminal, are shown and not sent. Whether standard output took it all is asked once, at the end.

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace ricochet::cli {

// Control characters (with line ends, unless they are kept), marks that reverse the reading direction, and what is no
// UTF-8, as \n, \x1b, \u202e …
std::string printable(std::string_view text, bool keep_lines = false);

// A long text with its middle left out: the place stands in front, the advice at the end.
std::string shortened(std::string_view text, std::size_t most = 1000);

// Colours and links are for terminals, and not where NO_COLOR is set (no-color.org) or TERM is dumb.
enum class Colour { red, yellow, green };
std::string coloured(int file, Colour colour, std::string_view text);
// The path, on a terminal as a link to the file.
std::string link_to(int file, const std::filesystem::path& path);

void say_text(std::string_view text);       // on standard output
void complain_text(std::string_view text);  // on standard error, at a readable length; the name in front has a colour

template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  say_text(printable(fmt::format(format, std::forward<T>(values)...), true));
}
template <class... T>
void complain(fmt::format_string<T...> format, T&&... values) {
  complain_text(printable(shortened(fmt::format(format, std::forward<T>(values)...)), true));
}

// Throws WriteError if something said did not get through.
void finish_saying();

}  // namespace ricochet::cli
