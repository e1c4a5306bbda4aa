#include "ricochet/simulation/csv_cell.hpp"

#include <gtest/gtest.h>

namespace ricochet::csv_cell_test {
namespace {

TEST(CsvCell, QuotesAsInRfc4180) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"c\""), "\"say \"\"c\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
}

TEST(CsvCell, NothingThatASpreadsheetWouldRun) {
  for (const std::string first : {"=", "+", "-", "@", "\t"}) EXPECT_EQ(csv_cell(first + "1"), "'" + first + "1");
  EXPECT_EQ(csv_cell("=1,2"), "\"'=1,2\"");
  EXPECT_EQ(csv_cell("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(csv_cell("a=1"), "a=1");
}

}  // namespace
}  // namespace ricochet::csv_cell_test
