#include "terminal.hpp"

#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ricochet/error.hpp"

namespace ricochet::cli {

namespace {

// The character at the front of a text: its code and length in bytes. What is no UTF-8 is a byte with code −1.
struct Character {
  long code = -1;
  std::size_t length = 1;
};
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return {};
  long code = byte(0) & (0xFF >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3F);
  }
  const long least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, length};
}

bool steers(long code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool fancy(int file) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::string_view(value) : std::string_view();
  };
  return isatty(file) != 0 && set("NO_COLOR").empty() && set("TERM") != "dumb";
}

}  // namespace

std::string coloured(int file, Colour colour, std::string_view text) {
  if (!fancy(file)) return std::string(text);
  const int code = colour == Colour::red ? 31 : colour == Colour::yellow ? 33 : 32;
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string link_to(int file, const std::filesystem::path& path) {
  const std::string shown = printable(path.string());
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error).lexically_normal();
  if (!fancy(file) || error) return shown;
  std::string address = "file://";
  for (const unsigned char c : whole.string())
    address += std::isalnum(c) != 0 || std::string_view("/-._~").find(static_cast<char>(c)) != std::string_view::npos
                   ? std::string(1, static_cast<char>(c))
                   : fmt::format("%{:02X}", c);
  return fmt::format("\x1b]8;;{}\x1b\\{}\x1b]8;;\x1b\\", address, shown);
}

std::string printable(std::string_view text, bool keep_lines) {
  std::string out;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.code < 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (c.code == '\n')
      out += keep_lines ? "\n" : "\\n";
    else if (!steers(c.code))
      out += text.substr(0, c.length);
    else
      out += c.code < 0x100 ? fmt::format("\\x{:02x}", c.code) : fmt::format("\\u{:04x}", c.code);
    text.remove_prefix(c.length);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const auto inside = [&](std::size_t k) { return (static_cast<unsigned char>(text[k]) & 0xC0) == 0x80; };
  std::size_t head = most * 7 / 10, tail = text.size() - most * 2 / 10;
  while (head > 0 && inside(head)) --head;  // characters stay whole
  while (tail < text.size() && inside(tail)) ++tail;
  return fmt::format("{} … ({} bytes left out) … {}", text.substr(0, head), tail - head, text.substr(tail));
}

void say_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void complain_text(std::string_view text) {
  std::string front;
  for (const auto& [words, colour] : {std::pair{"ricochet: warning:", Colour::yellow}, {"ricochet:", Colour::red}})
    if (front.empty() && text.starts_with(words)) {
      front = coloured(STDERR_FILENO, colour, words);
      text.remove_prefix(std::string_view(words).size());
    }
  std::fwrite(front.data(), 1, front.size(), stderr);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void finish_saying() {
  const bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  if (std::fflush(stdout) != 0 || failed_before)
    throw WriteError(fmt::format("standard output: cannot be written: {}", std::strerror(errno != 0 ? errno : EIO)));
}

}  // namespace ricochet::cli
