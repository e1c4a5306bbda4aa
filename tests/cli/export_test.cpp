#include <sys/stat.h>

#include "cli/program.hpp"

namespace ricochet::export_test {
namespace {

using Export = test::Workplace;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST_F(Export, CsvHasNamesAndEveryRecord) {
  ASSERT_EQ(program({"run", "kepler", "-o", "k", "--set", "run.duration=1", "--quiet"}).exit_code, 0);
  const test::Outcome o = program({"export", "k", "--csv"});
  ASSERT_EQ(o.exit_code, 0) << o.err;
  const auto lines = lines_of(test::text_of(here() / "k/trajectory.csv"));
  ASSERT_EQ(lines.size(), 102u);  // header, start and 100 steps
  EXPECT_EQ(lines[0], "t,q.x,q.y,v.x,v.y,p.x,p.y,energy,momentum.angular momentum");
  EXPECT_EQ(lines[1].rfind("0,0.4,0,", 0), 0u) << lines[1];
  const std::string last = lines.back();
  EXPECT_EQ(std::stod(last), 1.0);
  // numbers are the shortest that read back to the same bits: the final x is that of the summary
  const double x = std::stod(last.substr(last.find(',') + 1));
  EXPECT_EQ(x, summary("k")["final"]["position"][0].get<double>());
}

// A floor that shakes: one point at each impact, with phase and speed; a run without sections has no such file.
TEST_F(Export, SectionsHaveALineForEachQuantity) {
  ASSERT_EQ(program({"run", "vibrating-floor", "-o", "v", "--set", "run.duration=5", "--quiet"}).exit_code, 0);
  ASSERT_EQ(program({"export", "v", "--csv"}).exit_code, 0);
  const auto lines = lines_of(test::text_of(here() / "v/sections.csv"));
  const auto impacts = summary("v")["impacts"].get<std::size_t>();
  EXPECT_GE(impacts, 4u);
  ASSERT_EQ(lines.size(), 1 + 2 * impacts);
  EXPECT_EQ(lines[0], "section,step,t,quantity,value");
  EXPECT_EQ(lines[1].rfind("bounces,", 0), 0u) << lines[1];
  EXPECT_NE(lines[1].find(",\"atan2("), std::string::npos) << lines[1];  // the formula has a comma
  EXPECT_NE(lines[2].find(",y',"), std::string::npos) << lines[2];
  ASSERT_EQ(program({"run", "kepler", "-o", "k", "--set", "run.duration=1", "--quiet"}).exit_code, 0);
  ASSERT_EQ(program({"export", "k", "--csv"}).exit_code, 0);
  EXPECT_FALSE(test::fs::exists(here() / "k/sections.csv"));
}

TEST_F(Export, VtkHasThePathsOfMovingShapes) {
  ASSERT_EQ(program({"run", "double-pendulum", "-o", "d", "--set", "run.duration=0.05", "--quiet"}).exit_code, 0);
  ASSERT_EQ(program({"export", "d", "--vtk", "-o", "paths.vtk"}).exit_code, 0);
  const auto lines = lines_of(test::text_of(here() / "paths.vtk"));
  // two bobs (the trail follows the second: one path), 11 records each
  EXPECT_EQ(lines[4], "POINTS 22 double");
  EXPECT_EQ(lines[27], "LINES 2 24");
  EXPECT_EQ(lines[28].rfind("11 0 2 4", 0), 0u) << lines[28];
  EXPECT_EQ(lines[30], "POINT_DATA 22");
  EXPECT_EQ(lines.size(), 33u + 22u);
  const double x = std::stod(lines[5]);
  EXPECT_NEAR(x, std::sin(2.0), 1e-15);  // l1 sin(a) at the start, to round-off
}

TEST_F(Export, VtkWithoutShapesTakesTheCoordinates) {
  std::string text = test::text_of(RICOCHET_SOURCE_DIR "/scenarios/kepler.toml");
  file("plain.toml", text.substr(0, text.find("[[view.shape]]")));
  ASSERT_EQ(program({"run", "plain.toml", "-o", "p", "--set", "run.duration=0.05", "--quiet"}).exit_code, 0);
  ASSERT_EQ(program({"export", "p", "--vtk"}).exit_code, 0);
  EXPECT_EQ(lines_of(test::text_of(here() / "p/trajectory.vtk"))[5], "0.4 0 0");
}

TEST_F(Export, AnUnwritableFileIsNamed) {
  ASSERT_EQ(program({"run", "kepler", "-o", "k", "--set", "run.duration=1", "--quiet"}).exit_code, 0);
  const test::Outcome o = program({"export", "k", "--csv", "-o", "no/such/place.csv"});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_NE(o.err.find("no/such/place.csv: cannot be written"), std::string::npos) << o.err;
}

TEST_F(Export, NeverOverWhatItReads) {
  ASSERT_EQ(program({"run", "kepler", "-o", "k", "--set", "run.duration=1", "--quiet"}).exit_code, 0);
  const std::string before = test::text_of(here() / "k/trajectory.h5");
  test::fs::create_hard_link(here() / "k/trajectory.h5", here() / "other name");
  for (const std::string target : {"k/trajectory.h5", "k/../k/summary.json", "other name"}) {
    const test::Outcome o = program({"export", "k", "--csv", "-o", target});
    EXPECT_EQ(o.exit_code, 2) << target << o.err;
  }
  EXPECT_EQ(program({"plot", "k", "-o", "k/trajectory.h5"}).exit_code, 2);
  EXPECT_EQ(test::text_of(here() / "k/trajectory.h5"), before);
}

TEST_F(Export, DevicesAndPipesAreWrittenAsTheyAre) {
  ASSERT_EQ(program({"run", "kepler", "-o", "k", "--set", "run.duration=1", "--quiet"}).exit_code, 0);
  ASSERT_EQ(mkfifo((here() / "pipe").c_str(), 0600), 0);
  const pid_t writer = start({"export", "k", "--csv", "-o", "pipe", "--quiet"});
  EXPECT_EQ(lines_of(test::text_of(here() / "pipe")).size(), 102u);
  EXPECT_EQ(wait(writer).exit_code, 0);
  EXPECT_TRUE(test::fs::is_fifo(here() / "pipe"));
  test::fs::create_symlink("/dev/full", here() / "full");
  const test::Outcome o = program({"export", "k", "--csv", "-o", "full"});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_NE(o.err.find("full: cannot be written: No space left"), std::string::npos) << o.err;
  EXPECT_TRUE(test::fs::is_symlink(here() / "full"));
}

}  // namespace
}  // namespace ricochet::export_test
