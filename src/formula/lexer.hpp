#pragma once
// Text to tokens.

#include <string>
#include <string_view>
#include <vector>

namespace ricochet::formula {

struct Token {
  enum class Kind { number, name, symbol, end };
  Kind kind = Kind::end;
  std::string_view text;  // of a symbol: one of  + - * / ^ ( ) [ ] , ' ..
  std::size_t column = 1;
  double value = 0;  // of a number

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
  std::string found() const;  // for messages: "'x'" or "the end of the formula"
};

bool is_letter(char c);
bool is_digit(char c);

// Throws FormulaError. The last token is the end.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace ricochet::formula
