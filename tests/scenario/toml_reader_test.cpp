#include "../src/scenario/toml_reader.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace ricochet::toml_reader_test {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TableReader, ReadsTypes) {
  const Document d("d.toml", "t='x'\nn=2\nf=2.5\nb=true\ni=3.0\n[s]\nk=1\n[[l]]\n[[l]]\n");
  TableReader root(d, d.root(), "");
  EXPECT_EQ(root.text("t"), "x");
  EXPECT_EQ(root.number("n"), 2.0);
  EXPECT_EQ(root.number("f"), 2.5);
  EXPECT_EQ(root.boolean("b"), true);
  EXPECT_EQ(root.integer("i"), 3);
  EXPECT_EQ(root.choice("t", {"x", "y"}), "x");
  EXPECT_EQ(root.table("s")->integer("k"), 1);
  EXPECT_EQ(root.list_of_tables("l").size(), 2u);
  EXPECT_FALSE(root.text("none"));
  EXPECT_FALSE(root.table("none"));
  EXPECT_TRUE(root.list_of_tables("none").empty());
  EXPECT_NO_THROW(root.finish());
}

TEST(TableReader, WrongTypesNamePlaceKeyAndKind) {
  const Document d("d.toml", "[s]\nt=1\nn='x'\nb=0\ni=2.5\nl=3\nnan=nan\nbig=1e300\nc='yy'\n");
  TableReader s(d, *d.root()["s"].as_table(), "s");
  EXPECT_EQ(error_of([&] { s.text("t"); }), "d.toml:2:3: s.t: expected text, got a number");
  EXPECT_EQ(error_of([&] { s.number("n"); }), "d.toml:3:3: s.n: expected a number, got text");
  EXPECT_EQ(error_of([&] { s.boolean("b"); }), "d.toml:4:3: s.b: expected true or false, got a number");
  EXPECT_EQ(error_of([&] { s.integer("i"); }), "d.toml:5:3: s.i: expected a whole number, got 2.5");
  EXPECT_EQ(error_of([&] { s.list_of_tables("l"); }),
            "d.toml:6:3: s.l: expected a list of tables, each [[s.l]], got a number");
  EXPECT_EQ(error_of([&] { s.number("nan"); }), "d.toml:7:5: s.nan: expected a finite number");
  EXPECT_NE(error_of([&] { s.integer("big"); }).find("expected a whole number"), std::string::npos);
  EXPECT_EQ(error_of([&] {
              s.choice("c", {"yyy", "zzz"});
            }),
            "d.toml:9:3: s.c: \"yy\" is none of yyy, zzz; did you mean \"yyy\"?");
}

TEST(TableReader, UnknownAndMissingKeys) {
  const Document d("d.toml", "[s]\nfoo = 1\nspeeed = 2\n");
  TableReader s(d, *d.root()["s"].as_table(), "s");
  s.find("foo");
  s.find("speed");
  EXPECT_EQ(error_of([&] { s.finish(); }),
            "d.toml:3:1: s.speeed: unknown key; known here: foo, speed; did you mean \"speed\"?");
  EXPECT_EQ(error_of([&] { s.require("speed", "a number"); }),
            "d.toml:3:1: s.speeed: unknown key; did you mean \"speed\"?");
  EXPECT_EQ(error_of([&] { s.require("bar", "a number"); }), "d.toml:1:1: s.bar: missing; expected a number");
}

}  // namespace
}  // namespace ricochet::toml_reader_test
