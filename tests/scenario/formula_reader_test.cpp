#include "../src/scenario/formula_reader.hpp"

#include <gtest/gtest.h>

namespace ricochet::formula_reader_test {
namespace {

// x, and the array u[0..2]; the parameter k = 2.
struct FormulaReaderTest : testing::Test {
  Document document{
      "d.toml",
      "f = \"x + k\"\nlist = [1, \"k\", 3, 4]\nelement = { x = 5, \"u[k-1]\" = \"7\" }\nwhole = { u = \"10*i\" }\n"
      "parts = { u = [1, 2, 3] }\nconstant = { u = 4 }\ntwice = { u = 1, \"u[0]\" = 2 }\n"
      "outside = { \"u[3]\" = 1 }\nbad = '''\nx +\n  q'''\n[loop]\nfor = \"a in 1..2, b in a..2\"\n[single]\n"};
  std::shared_ptr<formula::Graph> graph = std::make_shared<formula::Graph>();
  FormulaReader reader{document, graph};
  const Purpose any{"a test"};

  FormulaReaderTest() {
    std::vector<Expr> q;
    for (std::uint32_t k = 0; k < 4; ++k) q.push_back(graph->coordinate(k, "q" + std::to_string(k)));
    reader.scope.add_coordinate("x", q[0]);
    reader.scope.add_coordinate_array("u", 0, {q[1], q[2], q[3]});
    reader.scope.add_name("k", graph->constant(2));
    reader.blocks = {{"x", false, 0, 0, 1}, {"u", true, 0, 1, 3}};
    reader.coordinate_count = 4;
  }
  const toml::node& node(const char* key) const { return *document.root().get(key); }
  std::vector<double> vector(const char* key) {
    std::vector<double> values;
    for (const Expr& e : reader.build_vector(node(key), key, any)) values.push_back(e.value());
    return values;
  }
  std::string error_of(const char* key, bool as_vector) {
    try {
      if (as_vector)
        reader.build_vector(node(key), key, any);
      else
        reader.build(node(key), key, any);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(FormulaReaderTest, BuildsFormulas) {
  EXPECT_EQ(to_string(reader.build(node("f"), "f", any)), "q0+2");
  EXPECT_THROW(reader.build(node("f"), "f", {"a constant", false}), InputError);
  EXPECT_THROW(reader.evaluate(node("f"), "f", any), InputError);
}

TEST_F(FormulaReaderTest, VectorsAsListOrTable) {
  EXPECT_EQ(vector("list"), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(vector("element"), (std::vector<double>{5, 0, 7, 0}));
  EXPECT_EQ(vector("whole"), (std::vector<double>{0, 0, 10, 20}));  // i is the index of the element
  EXPECT_EQ(vector("parts"), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(vector("constant"), (std::vector<double>{0, 4, 4, 4}));
  EXPECT_FALSE(reader.scope.knows("i"));
}

TEST_F(FormulaReaderTest, Errors) {
  EXPECT_NE(error_of("twice", true).find("given twice"), std::string::npos);
  EXPECT_NE(error_of("outside", true).find("index 3 is outside 0..2"), std::string::npos);
  EXPECT_EQ(error_of("bad", false).rfind("d.toml:11:3: bad: unknown name 'q'", 0), 0u) << error_of("bad", false);
}

TEST_F(FormulaReaderTest, ForSetsIndicesAndNamesInstances) {
  TableReader loop(document, *document.root()["loop"].as_table(), "loop");
  std::string seen;
  reader.for_each(loop, [&](const std::string& suffix) { seen += suffix + (reader.scope.knows("b") ? "" : "?"); });
  EXPECT_EQ(seen, "[1,1][1,2][2,2]");
  EXPECT_FALSE(reader.scope.knows("a"));
  TableReader single(document, *document.root()["single"].as_table(), "single");
  int calls = 0;
  reader.for_each(single, [&](const std::string& suffix) { calls += suffix.empty(); });
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace ricochet::formula_reader_test
