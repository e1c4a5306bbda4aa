#include "ricochet/simulation/ledger_reader.hpp"

#include <gtest/gtest.h>

#include "ricochet/simulation/ledger.hpp"
#include "toy_stepper.hpp"

namespace ricochet::ledger_reader_test {
namespace {

const Labels labels{{"x"}, {}, {"floor", "two\nlines"}};

class LedgerReader : public testing::Test {
 protected:
  LedgerReader() {
    Ledger ledger(path, labels);
    for (int k = 0; k < 3; ++k) {
      Impact impact;
      impact.time = 0.5 * k;
      impact.contacts = {{0, 1.0}, {1, 2.0}};
      ledger.add(10 * k, impact);
    }
    ledger.flush();
    bytes = ledger.bytes();
  }
  std::string error(std::int64_t until) const {
    try {
      read_ledger(path, labels, until, [](const std::string&) {});
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }
  TemporaryDirectory directory;
  std::filesystem::path path = directory.path / "ledger.csv";
  std::int64_t bytes = 0;
};

TEST_F(LedgerReader, GivesTheLinesAsTheyAre) {
  std::string all;
  int lines = 0;
  read_ledger(path, labels, -1, [&](const std::string& line) { all += line, ++lines; });
  EXPECT_EQ(all, text_of(path));
  EXPECT_EQ(lines, 4) << "a header and three impacts, whose names hold line ends";
}

TEST_F(LedgerReader, NamesTheDamagedLine) {
  std::string text = text_of(path);
  const std::size_t at = text.find("floor", text.find("\n10,"));
  text[at] = 'F';
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(error(bytes), path.string() + ":3: the line (step 10, time 0.5) is damaged: its checksum does not fit");
}

TEST_F(LedgerReader, MissesLines) {
  std::ofstream(path, std::ios::binary) << "";
  EXPECT_NE(error(-1).find("lines are missing"), std::string::npos) << error(-1);
  write_atomically(path, ledger_header(labels) + ",check\n");
  EXPECT_EQ(error(-1), "");
  EXPECT_NE(error(bytes).find("lines are missing"), std::string::npos) << error(bytes);
  write_atomically(path, ledger_header(labels) + ",check");
  EXPECT_NE(error(-1).find(":1: the line is damaged"), std::string::npos) << error(-1);
}

}  // namespace
}  // namespace ricochet::ledger_reader_test
