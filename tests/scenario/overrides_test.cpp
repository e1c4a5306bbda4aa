#include "../src/scenario/overrides.hpp"

#include <gtest/gtest.h>

namespace ricochet::overrides_test {
namespace {

Document with(const std::vector<std::string>& assignments) {
  Document d(
      "d.toml",
      "a = 1\n[s]\nb = 2\nv = [1, 2]\n[[s.contact]]\nname = 'floor'\nlaw = 'elastic'\n[[s.contact]]\nname = 'wall'\n");
  for (const std::string& assignment : assignments) apply_override(d, assignment);
  return d;
}

std::string error_of(const std::string& assignment) {
  try {
    with({assignment});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Overrides, ValuesAreTomlOrElseText) {
  const Document d =
      with({"s.b=3", "s.c=newton", "s.d=[1, \"x\"]", "s.e=1 # one", "s.f=", "s.g=a\"b\\c\n[x]", "s.h=true"});
  EXPECT_EQ(d.root()["s"]["b"].value<int>(), 3);
  EXPECT_EQ(d.root()["s"]["c"].value<std::string>(), "newton");
  EXPECT_EQ(d.root()["s"]["d"][1].value<std::string>(), "x");
  EXPECT_EQ(d.root()["s"]["e"].value<int>(), 1);
  EXPECT_EQ(d.root()["s"]["f"].value<std::string>(), "");
  EXPECT_EQ(d.root()["s"]["g"].value<std::string>(), "a\"b\\c\n[x]");
  EXPECT_EQ(d.root()["s"]["h"].value<bool>(), true);
}

TEST(Overrides, ReachAnyKey) {
  const Document d =
      with({"s.contact.wall.law=newton", "new.table.key=5", "s.v.2=9", "s.'x y'.\"z=w\"=1", "s.contact.1.name=up"});
  EXPECT_EQ(d.root()["s"]["contact"][1]["law"].value<std::string>(), "newton");
  EXPECT_EQ(d.root()["new"]["table"]["key"].value<int>(), 5);
  EXPECT_EQ(d.root()["s"]["v"][1].value<int>(), 9);
  EXPECT_EQ(d.root()["s"]["x y"]["z=w"].value<int>(), 1);
  EXPECT_EQ(d.root()["s"]["contact"][0]["name"].value<std::string>(), "up");
}

TEST(Overrides, CarryTheirPlaceAndComeLast) {
  const Document d = with({"s.b=3", "s.aa=4"});
  EXPECT_EQ(d.place(d.root()["s"]["b"].node()->source()), "--set s.b=3");
  EXPECT_EQ(d.line_place(d.root()["s"]["b"].node()->source()), "--set s.b=3");
  EXPECT_EQ(d.place_in_text(d.root()["s"]["b"].node()->source(), 4), "--set s.b=3");
  EXPECT_EQ(d.place(d.root()["s"]["v"].node()->source()), "d.toml:4:5");
  EXPECT_EQ(keys_in_order(*d.root()["s"].as_table()).back()->str(), "aa");
  EXPECT_EQ(keys_in_order(*d.root()["s"].as_table()).front()->str(), "b");  // where the file has it
}

TEST(Overrides, Errors) {
  EXPECT_NE(error_of("nothing").find("--set nothing: expected key=value"), std::string::npos);
  EXPECT_NE(error_of("=1").find("expected key=value"), std::string::npos);
  EXPECT_NE(error_of("a..b=1").find("expected key=value"), std::string::npos);
  EXPECT_NE(error_of("'a=1").find("expected key=value"), std::string::npos);
  EXPECT_NE(error_of("s.contact.flor.law=x").find("did you mean \"floor\"?"), std::string::npos);
  EXPECT_NE(error_of("s.v.3=1").find("2 elements"), std::string::npos);
  EXPECT_NE(error_of("s.v.x=1").find("no element named"), std::string::npos);
  EXPECT_NE(error_of("a.b.c=1").find("a number, which has no keys"), std::string::npos);
}

TEST(Overrides, SplitKey) {
  EXPECT_EQ(split_key("a.b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(split_key("a.'b.c'.d"), (std::vector<std::string>{"a", "b.c", "d"}));
  EXPECT_TRUE(split_key("a.'b'c").empty());
  EXPECT_TRUE(split_key("").empty());
  EXPECT_TRUE(split_key("a.").empty());
}

}  // namespace
}  // namespace ricochet::overrides_test
