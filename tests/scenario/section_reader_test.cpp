#include "../src/scenario/section_reader.hpp"

#include <gtest/gtest.h>

#include "ricochet/scenario/scenario.hpp"
#include "scenario/bad_scenarios.hpp"

namespace ricochet::section_reader_test {
namespace {

std::vector<Section> read(const std::string& text) {
  return read_scenario_text(test::scenario_with(0, text), "s.toml").sections;
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string floor = "[[system.contact]]\nname='floor'\ngap='y'\n",
                  pairs = "[[system.contact]]\nname='pair'\nfor='i in 1..2'\ngap='y+i'\n";

TEST(SectionReader, reads_both_kinds) {
  const std::vector<Section> s =
      read(floor + pairs +
           "[[output.section]]\ncrosses='x'\nquantities=['y', \"y'\", 1]\n"
           "[[output.section]]\nname='down'\ncrosses=\"y'\"\ndirection='down'\nquantities=['t']\n"
           "[[output.section]]\nname='hits'\nimpact=true\nquantities=['x']\n"
           "[[output.section]]\nname='floor'\nimpact='floor'\nside='after'\nquantities=['x']\n"
           "[[output.section]]\nname='pairs'\nimpact='pair'\nquantities=['x']\n");
  ASSERT_EQ(s.size(), 5u);
  EXPECT_EQ(s[0].name, "section 1");
  EXPECT_TRUE(s[0].crosses);
  EXPECT_EQ(s[0].direction, Section::Direction::up);
  EXPECT_EQ(s[0].quantity_names, (std::vector<std::string>{"y", "y'", "1"}));
  EXPECT_EQ(s[1].direction, Section::Direction::down);
  EXPECT_FALSE(s[2].crosses);
  EXPECT_TRUE(s[2].contacts.empty());
  EXPECT_FALSE(s[2].after);
  EXPECT_EQ(s[3].contacts, std::vector<int>{0});
  EXPECT_TRUE(s[3].after);
  EXPECT_EQ(s[4].contacts, (std::vector<int>{1, 2}));
}

TEST(SectionReader, refuses_with_the_reason) {
  const std::string head = floor + "[[output.section]]\n";
  const std::pair<std::string, std::string> bad[] = {
      {"quantities=['x']\n", "expected one of both"},
      {"crosses='x'\nimpact=true\nquantities=['x']\n", "expected one of both"},
      {"crosses='x'\n", "output.section.quantities"},
      {"crosses='x'\nquantities=[]\n", "expected 1 to 16 entries, got 0"},
      {"crosses='z'\nquantities=['x']\n", "unknown name 'z'"},
      {"crosses='x'\nside='after'\nquantities=['x']\n", "belong to an impact"},
      {"impact='flor'\nquantities=['x']\n", "did you mean \"floor\"?"},
      {"impact=false\nquantities=['x']\n", "expected true or a name"},
      {"impact=true\ndirection='up'\nquantities=['x']\n", "belong to a formula"},
      {"crosses='x'\ndirection='left'\nquantities=['x']\n", "output.section.direction"},
      {"crosses='x'\nquantities=['x']\n[[output.section]]\nname='section 1'\nimpact=true\nquantities=['x']\n",
       "given twice"},
      {"crosses='x'\nquantity=['x']\nquantities=['x']\n", "did you mean \"quantities\"?"}};
  for (const auto& [text, reason] : bad)
    EXPECT_NE(refusal(head + text).find(reason), std::string::npos) << text << refusal(head + text);
  EXPECT_NE(refusal("[[output.section]]\nimpact=true\nquantities=['x']\n").find("no contact"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::section_reader_test
