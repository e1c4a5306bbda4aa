#include "ricochet/audit/method_page.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "ricochet/continuum/integrator.hpp"
#include "ricochet/discrete/tableau.hpp"
#include "support/subjects.hpp"

namespace ricochet::method_page_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(MethodPage, CommittedPagesSayWhatTheDescriptorsSay) {
  // If this fails: ricochet methods --pages docs/methods, and commit.
  const fs::path pages = fs::path(RICOCHET_SOURCE_DIR) / "docs/methods";
  std::set<std::string> known;
  for (const auto& [kind, list] : {std::pair{PageKind::method, &method_descriptors()},
                                   {PageKind::discretization, &discretization_descriptors()},
                                   {PageKind::bodies, &continuum::integrator_descriptors()}})
    for (const Descriptor& d : *list) {
      known.insert(d.name + ".md");
      const std::string page = text_of(pages / (d.name + ".md"));
      EXPECT_TRUE(page.starts_with(descriptor_part(d, kind)))
          << d.name << ": the page is old; run: ricochet methods --pages docs/methods";
      EXPECT_NE(page.find("## Measured"), std::string::npos) << d.name;
    }
  for (const fs::directory_entry& entry : fs::directory_iterator(pages))
    EXPECT_TRUE(known.contains(entry.path().filename().string())) << entry.path() << ": no such method";
}

TEST(MethodPage, HasAColumnForEachAuditAndSaysWhatWasRefused) {
  Descriptor d{.name = "made-up", .doc = "a method", .order = "2", .preserves = "all", .not_preserved = "nothing"};
  d.parameters = {{.name = "gamma", .default_value = 0.5, .doc = "a number", .min = 0, .max = 1}};
  Audit good, refused;
  good.label = "made-up";
  good.order.order = 2;
  good.order.uncertainty = 0.1;
  refused.label = "made-up:other";
  refused.refused = "it cannot";
  const std::string page = method_page(d, PageKind::method, {{"particle", "A particle", 0.01, {good, refused}}});
  for (const char* text :
       {"# made-up\n", "| order | 2 |", "| `gamma` | a number (default 0.5; at least 0; at most 1) |", "### particle",
        "A particle, step 0.01.", "|  | `made-up` |", "| order | 2.00 ± 0.10 |",
        "- made-up:other: cannot do this scenario: it cannot"})
    EXPECT_NE(page.find(text), std::string::npos) << text << "\n" << page;
  EXPECT_TRUE(page.starts_with(descriptor_part(d, PageKind::method)));
}

TEST(MethodPage, BodiesHaveALineForEachRun) {
  const Descriptor d{.name = "made-up", .doc = "an integrator", .order = "2", .preserves = "", .not_preserved = ""};
  const std::string page = bodies_page(d, {{"bar", "courant 0.5", 12, 0.25, 1e-3, 1e-15}});
  EXPECT_TRUE(page.starts_with(descriptor_part(d, PageKind::bodies)));
  EXPECT_NE(page.find("| bar | courant 0.5 | 12 | 0.25 | 0.001 | 1e-15 |\n"), std::string::npos) << page;
}

}  // namespace
}  // namespace ricochet::method_page_test
