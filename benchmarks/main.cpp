// Runs the benchmarks and prints, for each problem and size, the time per step and its ratio to the first row, which is
// the hand-written loop where there is one.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

struct Row {
  std::string problem, variant;
  double nanoseconds;  // per step
};

class Table : public benchmark::ConsoleReporter {
 public:
  Table() : ConsoleReporter(OO_None) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      failed_ = failed_ || run.error_occurred;
      // With repetitions the median stands for all.
      if (run.error_occurred || (run.repetitions > 1 && run.aggregate_name != "median")) continue;
      if (!run.counters.contains("items_per_second")) continue;  // it has a counter of its own, printed above
      const std::string& name = run.run_name.function_name;
      const std::size_t slash = name.find('/');
      const std::string problem = name.substr(0, slash) + (run.run_name.args.empty() ? "" : " " + run.run_name.args);
      const auto same = [&](const Row& row) { return row.problem == problem; };
      const auto last = std::find_if(rows_.rbegin(), rows_.rend(), same).base();  // sizes stay together
      rows_.insert(last == rows_.begin() ? rows_.end() : last,
                   {problem, name.substr(slash + 1), 1e9 / run.counters.at("items_per_second")});
    }
  }
  int print() const {
    fmt::print("\n| problem | stepping | ns per step | ratio |\n|---|---|---:|---:|\n");
    double reference = 0;
    std::string problem;
    for (const Row& row : rows_) {
      if (row.problem != problem) reference = row.nanoseconds;
      problem = row.problem;
      fmt::print("| {} | {} | {:.1f} | {:.2f} |\n", row.problem, row.variant, row.nanoseconds,
                 row.nanoseconds / reference);
    }
    return failed_ ? 1 : 0;
  }

 private:
  std::vector<Row> rows_;
  bool failed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Table table;
  benchmark::RunSpecifiedBenchmarks(&table);
  return table.print();
}
