#include "../src/scenario/document.hpp"

#include <gtest/gtest.h>

namespace ricochet::document_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    Document("d.toml", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Document, PlacesKeysAndValues) {
  const Document d("d.toml", "a = 1\n[t]\n  b = 'x'\n");
  EXPECT_EQ(d.place(d.root().get("a")->source()), "d.toml:1:5");
  EXPECT_EQ(d.place(d.root()["t"]["b"].node()->source()), "d.toml:3:7");
  EXPECT_EQ(d.line_place(d.root()["t"]["b"].node()->source()), "d.toml:3");
}

TEST(Document, PlacesInsideText) {
  const Document d("d.toml", "a = \"xyz\"\nb = '''\nline1\nline2'''\nc = \"é\\tz\"\nd = \"éz\"\n");
  const auto place = [&](const char* key, std::size_t column) {
    return d.place_in_text(d.root().get(key)->source(), column);
  };
  EXPECT_EQ(place("a", 1), "d.toml:1:6");
  EXPECT_EQ(place("a", 3), "d.toml:1:8");
  EXPECT_EQ(place("b", 8), "d.toml:4:2");  // the value is "line1\nline2"
  EXPECT_EQ(place("c", 5), "d.toml:5:5");  // behind an escape: the text's own place
  EXPECT_EQ(place("d", 3), "d.toml:6:7");  // é is two bytes and one character
}

TEST(Document, KeysInTheOrderWritten) {
  const Document d("d.toml", "z = 1\na = 2\nm = 3\n");
  std::string order;
  for (const toml::key* key : keys_in_order(d.root())) order += key->str();
  EXPECT_EQ(order, "zam");
}

TEST(Document, RefusesDepthButNotLengthOrText) {
  EXPECT_NE(error_of("x = " + std::string(40, '[')).find("d.toml:1:1: brackets nested"), std::string::npos);
  EXPECT_NE(error_of("\n" + std::string(50, '.') + "=1").find("d.toml:2:1: a key with more"), std::string::npos);
  std::string decimals = "x = [0.1";
  for (int k = 0; k < 1000; ++k) decimals += ",0.1";
  EXPECT_EQ(error_of(decimals + "]"), "");
  EXPECT_EQ(error_of("x = \"" + std::string(50, '[') + std::string(50, '.') + "\" # [[[[.....\n"), "");
  EXPECT_EQ(error_of("x = '''\n" + std::string(50, '[') + "\n'''\ny = 1\n"), "");
}

TEST(Document, NamesKinds) {
  const Document d("d.toml", "a=1\nb=1.5\nc='t'\nd=true\ne=[]\nf={}\ng=1979-05-27\n");
  const auto kind = [&](const char* key) { return kind_of(*d.root().get(key)); };
  EXPECT_EQ(kind("a"), "a number");
  EXPECT_EQ(kind("b"), "a number");
  EXPECT_EQ(kind("c"), "text");
  EXPECT_EQ(kind("d"), "true or false");
  EXPECT_EQ(kind("e"), "a list");
  EXPECT_EQ(kind("f"), "a table");
  EXPECT_EQ(kind("g"), "a date or time");
}

}  // namespace
}  // namespace ricochet::document_test
