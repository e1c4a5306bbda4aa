#pragma once
// Runs the built program in a directory of its own and keeps what it said.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace ricochet::test {

namespace fs = std::filesystem;

inline std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

struct Outcome {
  int exit_code = -1;  // 128 + signal if it was killed
  std::string out, err;
};

// A directory that vanishes with the test; programs run in it.
class Workplace : public testing::Test {
 protected:
  explicit Workplace(const fs::path& parent = testing::TempDir()) {
    std::string pattern = (parent / "ricochet-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~Workplace() override {
    std::error_code error;
    fs::remove_all(directory_, error);
  }

  const fs::path& here() const { return directory_; }
  fs::path file(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
    return directory_ / name;
  }

  using Environment = std::vector<std::pair<std::string, std::string>>;
  pid_t start(const std::vector<std::string>& arguments, const Environment& environment = {},
              const std::string& standard_output = ".out") const {
    std::vector<std::string> words{RICOCHET_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    const int out = open((directory_ / standard_output).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = open((directory_ / ".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    alarm(1400);  // ends what hangs, and nothing else
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    if (chdir(directory_.c_str()) == 0) execv(argv[0], argv.data());
    _exit(127);
  }

  Outcome wait(pid_t child) const {
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, text_of(directory_ / ".out"), text_of(directory_ / ".err")};
  }

  Outcome program(const std::vector<std::string>& arguments) const { return wait(start(arguments)); }

  nlohmann::json summary(const std::string& run) const {
    return nlohmann::json::parse(text_of(directory_ / run / "summary.json"));
  }

 private:
  fs::path directory_;
};

}  // namespace ricochet::test
