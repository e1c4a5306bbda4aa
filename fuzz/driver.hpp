#pragma once
// A small fuzzer: inputs are mutations of a corpus of valid texts, or of texts from a generator that knows the grammar,
// spliced with words of a dictionary.
//
//   x_fuzz [--runs N] [--seed S] [--first K] [--seconds T]
//
// Input number k depends on the seed and k alone, so a failure at k is repeated by --first k --runs 1. The target must
// return; an exception, a sanitizer's complaint or an input that takes longer than T seconds ends the program, which
// prints the input.

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace ricochet::fuzz {

using Generator = std::function<std::string(std::mt19937_64&)>;

class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, const std::vector<std::string>& dictionary, std::uint64_t seed)
      : corpus_(corpus), dictionary_(dictionary), random_(seed) {}

  std::string make(const Generator& generate) {
    const bool generated = generate && below(2) == 0;
    std::string text = generated ? generate(random_) : any(corpus_);
    for (std::size_t n = generated ? below(3) : below(6); n > 0; --n) mutate(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }
  const std::string& any(const std::vector<std::string>& list) { return list[below(list.size())]; }

  void mutate(std::string& text) {
    const std::size_t at = below(text.size() + 1), length = below(std::min<std::size_t>(text.size() - at, 20) + 1);
    switch (below(9)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, any(dictionary_)); break;
      case 3: text.replace(at, length, any(dictionary_)); break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 5:
        if (at < text.size()) text[at] = "0123456789+-*/^()[].,' \n=\"#"[below(27)];
        break;
      case 6: {  // the end of another text
        const std::string& other = any(corpus_);
        text.replace(at, std::string::npos, other.substr(below(other.size())));
        break;
      }
      case 7: text.resize(at); break;
      default:  // rarely long or deep
        std::string repeated;
        const std::string& word = any(dictionary_);
        for (std::size_t n = below(20) == 0 ? 3000 : 3; n > 0; --n) repeated += word;
        text.insert(at, repeated);
    }
  }

  const std::vector<std::string>&corpus_, &dictionary_;
  std::mt19937_64 random_;
};

struct Current {  // what a signal handler can reach
  static inline std::uint64_t number = 0;
  static inline const std::string* text = nullptr;
  static void print() {
    std::fprintf(stderr, "\nfuzz input %llu (repeat with --first %llu --runs 1):\n", (unsigned long long)number,
                 (unsigned long long)number);
    if (text != nullptr) std::fwrite(text->data(), 1, text->size(), stderr);
    std::fputc('\n', stderr);
  }
  static void too_slow(int) {
    std::fputs("fuzz: time limit\n", stderr);
    print();
    std::_Exit(1);
  }
};

inline int run(int argc, char** argv, const std::vector<std::string>& corpus,
               const std::vector<std::string>& dictionary, const std::function<void(const std::string&)>& target,
               const Generator& generate = {}) {
  std::uint64_t runs = 10000, seed = 1, first = 0, seconds = 20;
  for (int k = 1; k < argc; k += 2) {
    const std::string_view option = argv[k];
    std::uint64_t* place = option == "--runs"      ? &runs
                           : option == "--seed"    ? &seed
                           : option == "--first"   ? &first
                           : option == "--seconds" ? &seconds
                                                   : nullptr;
    if (place == nullptr || k + 1 == argc) {
      std::fprintf(stderr, "usage: %s [--runs N] [--seed S] [--first K] [--seconds T]\n", argv[0]);
      return 2;
    }
    *place = std::strtoull(argv[k + 1], nullptr, 10);
  }
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(Current::print);
  std::signal(SIGALRM, Current::too_slow);
  for (std::uint64_t k = first; k < first + runs; ++k) {
    const std::string text = Mutator(corpus, dictionary, seed * 0x9E3779B97F4A7C15ULL + k).make(generate);
    Current::number = k;
    Current::text = &text;
    alarm(static_cast<unsigned>(seconds));
    try {
      target(text);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "fuzz: unexpected exception: %s\n", e.what());
      Current::print();
      return 1;
    }
    Current::text = nullptr;
  }
  alarm(0);
  std::printf("%llu inputs, seed %llu: clean\n", (unsigned long long)runs, (unsigned long long)seed);
  return 0;
}

}  // namespace ricochet::fuzz
