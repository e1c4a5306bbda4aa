#include "ricochet/simulation/summary_fields.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ricochet/simulation/summary.hpp"
#include "toy_stepper.hpp"

namespace ricochet::summary_fields_test {
namespace {

struct Names {
  std::vector<std::string>& out;
  void operator()(const char* path, const auto&, double = 0) const { out.push_back(path); }
};

TEST(SummaryFields, EachIsWrittenInOrderAndDescribed) {
  std::vector<std::string> paths;
  const Summary summary;
  each_field(summary, Names{paths});
  const std::string docs = text_of(std::filesystem::path(RICOCHET_SOURCE_DIR) / "docs" / "files.md");
  const auto written = nlohmann::ordered_json::parse(summary_json(summary));
  std::vector<std::string> tables{"format"};
  for (const std::string& path : paths) {
    const std::string table = path.substr(0, path.find('.')), last = path.substr(path.rfind('.') + 1);
    if (tables.back() != table) tables.push_back(table);
    EXPECT_TRUE(docs.find("`" + path) != std::string::npos ||
                (docs.find("`" + table + ".") != std::string::npos && docs.find("`" + last + "`") != std::string::npos))
        << path;
    EXPECT_TRUE(table == path ? written.contains(path) : written.at(table).contains(last)) << path;
  }
  std::vector<std::string> keys;
  for (const auto& [key, value] : written.items()) keys.push_back(key);
  EXPECT_EQ(std::vector<std::string>(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(tables.size())), tables);
}

}  // namespace
}  // namespace ricochet::summary_fields_test
