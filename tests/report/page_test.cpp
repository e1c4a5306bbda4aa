#include "ricochet/report/page.hpp"

#include <gtest/gtest.h>

#include "report/scenarios.hpp"

namespace ricochet::page_test {
namespace {

TEST(Page, template_is_one_small_file_without_addresses) {
  const std::string page(page_template());
  EXPECT_LT(page.size(), 1500000u);
  EXPECT_EQ(count(page, "__RICOCHET_DATA__"), 1u);
  EXPECT_EQ(count(page, "<!--3d-->"), 1u);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* outside : {"src=\"http", "href=\"http", "@import", "url(http"})
    EXPECT_EQ(count(page, outside), 0u) << outside;
}

TEST(Page, no_text_can_end_the_element_of_the_data) {
  const std::string hostile = R"({"title":"</script><script>alert(1)</script><!-- & ]]>"})";
  const std::string clean = make_page("{}", true), page = make_page(hostile, true);
  EXPECT_EQ(count(page, "<script"), count(clean, "<script"));
  EXPECT_EQ(count(page, "</script"), count(clean, "</script"));
  EXPECT_EQ(count(page, "<!--"), count(clean, "<!--"));
  EXPECT_NE(page.find(R"("\u003c/script\u003e\u003cscript\u003ealert(1))"), std::string::npos);
}

TEST(Page, plane_scenes_do_not_carry_the_scripts_of_space) {
  const std::string plane = make_page("{}", false), space = make_page("{}", true);
  EXPECT_LT(plane.size() + 300000, space.size());
  EXPECT_EQ(count(plane, "</html>"), 1u);
}

}  // namespace
}  // namespace ricochet::page_test
