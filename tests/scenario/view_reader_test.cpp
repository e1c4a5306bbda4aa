#include "../src/scenario/view_reader.hpp"

#include <gtest/gtest.h>

#include "scenario/bad_scenarios.hpp"

namespace ricochet::view_reader_test {
namespace {

Scenario with(const std::string& text) { return read_scenario_text(test::scenario_with(0, text), "s.toml"); }

TEST(ViewReader, EveryKindWithItsKeys) {
  const std::vector<std::string> bodies{"kind='point'\nat=['x','y']",
                                        "kind='circle'\nat=['x','y']\nradius=1",
                                        "kind='ellipse'\nat=['x','y']\nradii=[1,'m']\nangle='x'",
                                        "kind='polygon'\npoints=[[0,0],[1,0],['m',1]]\nat=['x','y']\nangle='y'",
                                        "kind='segment'\nfrom=[0,0]\nto=['x','y']",
                                        "kind='spring'\nfrom=[0,0]\nto=['x','y']\ncoils=3",
                                        "kind='plane'\nat=[0,0]\nnormal=[0,1]",
                                        "kind='sphere'\nat=['x','y',0]\nradius='m'",
                                        "kind='box'\nat=['x','y',0]\nsize=[1,2,3]\nrotation=[0,0,'x']",
                                        "kind='trail'\nat=['x','y']\nlength=100"};
  std::string text;
  for (const std::string& body : bodies) text += "[[view.shape]]\n" + body + "\ncolor='#ff0000'\nlabel='it'\n";
  const Scenario scenario = with(text);
  const std::vector<Shape>& all = scenario.shapes;
  ASSERT_EQ(all.size(), bodies.size());
  EXPECT_EQ(all[1].kind, "circle");
  EXPECT_EQ(all[1].color, "#ff0000");
  EXPECT_EQ(all[1].label, "it");
  EXPECT_EQ(all[2].formulas.at("radii").size(), 2u);
  EXPECT_EQ(all[3].points[2], (std::vector<double>{1, 1}));
  EXPECT_EQ(all[5].coils, 3);
  EXPECT_EQ(all[8].formulas.at("rotation").size(), 3u);
}

TEST(ViewReader, ForExpands) {
  const Scenario scenario = with("[[view.shape]]\nkind='point'\nfor='k in 1..3'\nat=['x + k','y']");
  const std::vector<Shape>& all = scenario.shapes;
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(to_string(all[2].formulas.at("at")[0]), "x+3");
}

TEST(ViewReader, RefusesMixedDimensions) {
  EXPECT_THROW(with("[[view.shape]]\nkind='segment'\nfrom=[0,0]\nto=['x','y',0]"), InputError);
  EXPECT_THROW(with("[[view.shape]]\nkind='polygon'\npoints=[[0,0],[1,0,0]]"), InputError);
}

}  // namespace
}  // namespace ricochet::view_reader_test
