// What the program says of hostile texts, and to a standard output that is full.

#include "cli/program.hpp"

namespace ricochet::terminal_test {
namespace {

using test::Outcome;

class Terminal : public test::Workplace {
 protected:
  test::fs::path scenario(const std::string& name, const std::string& title) const {
    return file(name, "title = \"" + title + R"("
[system]
coordinates = ["x"]
lagrangian = "x'^2/2"
[initial]
position = [0]
velocity = [1]
[integrator]
method = "variational"
step = 0.1
[run]
duration = 1
)");
  }
  static bool steers(const std::string& text) {
    for (const char c : text)
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) return true;
    return text.find("\xc2\x9b") != std::string::npos || text.find("\xe2\x80\xae") != std::string::npos;
  }
};

TEST_F(Terminal, ControlCharactersAreShownAndNotSent) {
  const std::string title = "red \\u001b[31m, \\u009b31m, reversed \\u202e, bell \\u0007, line\\nend";
  scenario("a\x1b[2J.toml", title);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"run", "a\x1b[2J.toml", "-o", "r"},
                                             {"check", "a\x1b[2J.toml"},
                                             {"run", "a\x1b[2J.toml", "--set", "system.\x1b]52;c=1"},
                                             {"run", "\x1b[5m"},
                                             {"\x1b[5m"},
                                             {"run", "pendulum", "--\x1b[5m"},
                                             {"export", "\x1b[5m", "--csv"},
                                             {"audit", "a\x1b[2J.toml", "-o", "r"},
                                             {"compare", "a\x1b[2J.toml", "--methods", "variational", "-o", "r"}}) {
    const Outcome o = program(words);
    EXPECT_FALSE(steers(o.out)) << o.out;
    EXPECT_FALSE(steers(o.err)) << o.err;
  }
  const Outcome o = program({"run", "a\x1b[2J.toml", "-o", "r"});
  ASSERT_EQ(o.exit_code, 0) << o.err;
  EXPECT_NE(o.out.find("red \\x1b[31m, \\x9b31m, reversed \\u202e, bell \\x07, line\\nend"), std::string::npos)
      << o.out;
}

TEST_F(Terminal, LongMessagesAreCut) {
  const Outcome o = program({"run", "pendulum", "--set", "system.lagrangian=" + std::string(100000, 'q')});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_LT(o.err.size(), 1200u);
  EXPECT_NE(o.err.find("bytes left out"), std::string::npos) << o.err;
}

TEST_F(Terminal, AFullStandardOutputIsAFailure) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"list"},
                                             {"methods"},
                                             {"laws"},
                                             {"--help"},
                                             {"--version"},
                                             {"check", "pendulum"},
                                             {"run", "pendulum", "-o", "r", "--json", "--set", "run.duration=1"}}) {
    const Outcome o = wait(start(words, {}, "/dev/full"));
    EXPECT_NE(o.exit_code, 0) << words[0];
    EXPECT_NE(o.err.find("standard output: cannot be written"), std::string::npos) << words[0] << o.err;
  }
  EXPECT_TRUE(test::fs::exists(here() / "r/report.html")) << "the files are there nonetheless";
}

TEST_F(Terminal, OneBadFileDoesNotEmptyTheList) {
  test::fs::create_directory(here() / "gallery");
  scenario("gallery/good.toml", "Good");
  file("gallery/bad.toml", "title = [");
  setenv("RICOCHET_SCENARIOS", (here() / "gallery").c_str(), 1);
  const Outcome o = program({"list"});
  unsetenv("RICOCHET_SCENARIOS");
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_NE(o.out.find("Good"), std::string::npos) << o.out;
  EXPECT_NE(o.err.find("bad.toml:1:"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace ricochet::terminal_test
