#include "lexer.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "ricochet/formula/parser.hpp"

namespace ricochet::formula {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string Token::found() const {
  if (kind == Kind::end) return "the end of the formula";
  return text.size() <= 40 ? fmt::format("'{}'", text) : fmt::format("'{}...'", text.substr(0, 40));
}

namespace {

// The length of the number at the beginning of s. "1..6" begins with the number 1, and "1e-3" is one number.
std::size_t number_length(std::string_view s) {
  std::size_t n = 0;
  const auto digits = [&] {
    while (n < s.size() && is_digit(s[n])) ++n;
  };
  digits();
  if (n < s.size() && s[n] == '.' && !s.substr(n).starts_with("..")) {
    ++n;
    digits();
  }
  if (n < s.size() && (s[n] == 'e' || s[n] == 'E')) {
    std::size_t exponent = n + 1;
    if (exponent < s.size() && (s[exponent] == '+' || s[exponent] == '-')) ++exponent;
    if (exponent < s.size() && is_digit(s[exponent])) {
      n = exponent;
      digits();
    }
  }
  return n;
}

// One character as a message can show it: all bytes of a UTF-8 sequence, or the code of an unprintable byte.
std::string shown(std::string_view s) {
  const auto byte = static_cast<unsigned char>(s[0]);
  const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
  bool whole = length <= s.size() && (byte < 0x80 || byte >= 0xC0);
  for (std::size_t k = 1; whole && k < length; ++k) whole = (static_cast<unsigned char>(s[k]) & 0xC0) == 0x80;
  if (!whole || byte < 0x20 || byte == 0x7F) return fmt::format("byte 0x{:02X}", byte);
  return fmt::format("'{}'", s.substr(0, length));
}

// What was probably meant by a character that no formula has: signs of a text processor, of a comparison, of a
// programming language.
std::string hint(std::string_view rest, bool after_name) {
  if (rest[0] == '.' && after_name) return "functions stand alone: cos(x), not math.cos(x)";
  if (rest[0] == '\\') return "names have no backslash: theta, and x' for the velocity of x";
  if (std::string_view("<>=!").find(rest[0]) != std::string_view::npos)
    return "a formula is a number, not a comparison; where one is 0 or positive, the other side is subtracted: not "
           "a >= b but a - b";
  if (rest[0] == '{') return "the element of an array is written x[i+1], its velocity x[i+1]'";
  if (rest[0] == '"') return "a formula stands in one pair of quotes";
  if (rest[0] == ';') return "entries are separated by commas";
  constexpr std::pair<std::string_view, std::string_view> meant[] = {
      {"−", "the minus sign is -"},
      {"–", "the minus sign is -"},
      {"·", "the sign of a product is *"},
      {"×", "the sign of a product is *"},
      {"²", "a power is written x^2"},
      {"³", "a power is written x^3"},
      {"’", "the velocity of x is x', with a plain quote"},
      {"′", "the velocity of x is x', with a plain quote"},
      {"°", "angles are in radians: 60*pi/180"},
      {"π", "it is written pi"},
      {"½", "it is written 1/2"},
      {"√", "it is written sqrt(x)"}};
  for (const auto& [sign, remedy] : meant)
    if (rest.starts_with(sign)) return std::string(remedy);
  if (static_cast<unsigned char>(rest[0]) >= 0x80) return "names have the letters a to z and A to Z, digits and _";
  return "";
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  if (text.size() > max_text) throw FormulaError(fmt::format("a formula has at most {} characters", max_text), 1);
  std::vector<Token> tokens;
  std::size_t at = 0;
  const auto push = [&](Token::Kind kind, std::size_t length) -> Token& {
    tokens.push_back({kind, text.substr(at, length), at + 1});
    at += length;
    return tokens.back();
  };
  while (at < text.size()) {
    const char c = text[at];
    const std::string_view rest = text.substr(at);
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at;
    } else if (is_letter(c)) {
      std::size_t n = 1;
      while (n < rest.size() && (is_letter(rest[n]) || is_digit(rest[n]))) ++n;
      push(Token::Kind::name, n);
    } else if (is_digit(c) || (c == '.' && rest.size() > 1 && is_digit(rest[1]))) {
      Token& t = push(Token::Kind::number, number_length(rest));
      const auto [end, error] = std::from_chars(t.text.data(), t.text.data() + t.text.size(), t.value);
      if (error != std::errc{} || end != t.text.data() + t.text.size())
        throw FormulaError(fmt::format("{} is not a finite number in double precision", t.found()), t.column);
    } else if (rest.starts_with("..")) {
      push(Token::Kind::symbol, 2);
    } else if (std::string_view("+-*/^()[],'").find(c) != std::string_view::npos) {
      push(Token::Kind::symbol, 1);
    } else {
      const std::string remedy = hint(rest, !tokens.empty() && tokens.back().kind == Token::Kind::name);
      throw FormulaError(fmt::format("unexpected character {}{}{}", shown(rest), remedy.empty() ? "" : "; ", remedy),
                         at + 1);
    }
  }
  push(Token::Kind::end, 0);
  return tokens;
}

}  // namespace ricochet::formula
