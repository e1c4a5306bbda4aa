#include "ricochet/simulation/archive.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toy_stepper.hpp"

namespace ricochet::archive_test {
namespace {

const Labels labels{{"x", "y"}, {"m"}, {"floor", "wall", "roof"}, {"work.drag", "loss.impact"}};

Observables point(int i) {
  return {i * 0.5,   {i + 0.25, i + 0.75}, {-1.0 * i, 1},      {3.0 * i, 2}, i * 1e-3,
          {i * 7.0}, {1, 2, i * 1.0},      {i * 0.5, -1.0 * i}};
}

Impact hit(int i) {
  Impact out;
  out.time = i * 0.1;
  out.alpha = 0.5;
  out.contacts = {{2, 1.5, {0.25, 0.125}, ImpactLaw::newton}, {0, 0.5, {}, ImpactLaw::coulomb}};
  out.loss = -i;
  out.obstacle_work = 2 * i;
  out.q = {1.0 * i, 2};
  out.v_before = {3.0 * i, 4};
  if (i != 5) out.v_after = {5.0 * i, 6};
  out.iterations = i;
  return out;
}

void fill(Archive& archive, int rows, int impacts) {
  for (int i = 0; i < rows; ++i) archive.record(10 * i, point(i));
  for (int i = 0; i < impacts; ++i) archive.add(i, hit(i));
}

void expect_filled(const ArchiveReader& r, int rows, int impacts) {
  ASSERT_EQ(r.sizes().rows, rows);
  ASSERT_EQ(r.sizes().impacts, impacts);
  const auto step = r.read_integers("step", 0, rows);
  const auto t = r.read("t", 0, rows), q = r.read("q", 0, rows), p = r.read("p", 0, rows),
             gaps = r.read("gaps", 0, rows), scalars = r.read("scalars", 0, rows);
  for (int i = 0; i < rows; ++i) {
    const auto u = static_cast<std::size_t>(i);
    ASSERT_EQ(step[u], 10 * i);
    ASSERT_EQ(t[u], i * 0.5);
    ASSERT_EQ(q[2 * u + 1], i + 0.75);
    ASSERT_EQ(p[2 * u], 3.0 * i);
    ASSERT_EQ(gaps[3 * u + 2], i);
    ASSERT_EQ(scalars[2 * u + 1], -i);
  }
  const auto iterations = r.read_integers("impacts/iterations", 0, impacts),
             law = r.read_integers("impacts/law", 0, impacts);
  const auto lambda = r.read("impacts/lambda", 0, impacts), impulse = r.read("impacts/impulse", 0, impacts);
  const auto contact = r.read_integers("impacts/contact", 0, impacts),
             count = r.read_integers("impacts/count", 0, impacts), laws = r.read_integers("impacts/laws", 0, impacts);
  const auto tangential = r.read("impacts/tangential", 0, impacts), loss = r.read("impacts/loss", 0, impacts),
             obstacle = r.read("impacts/obstacle_work", 0, impacts), at = r.read("impacts/q", 0, impacts),
             before = r.read("impacts/v_before", 0, impacts), after = r.read("impacts/v_after", 0, impacts);
  for (int i = 0; i < impacts; ++i) {
    const auto u = static_cast<std::size_t>(i);
    ASSERT_EQ(iterations[u], i);
    ASSERT_EQ(law[u], 1);
    ASSERT_EQ(impulse[u], 2);
    ASSERT_EQ(contact[u], 2);
    ASSERT_EQ(count[u], 2);
    ASSERT_EQ(std::vector<double>(&lambda[3 * u], &lambda[3 * u] + 3), (std::vector<double>{0.5, 0, 1.5}));
    ASSERT_EQ(std::vector<std::int64_t>(&laws[3 * u], &laws[3 * u] + 3), (std::vector<std::int64_t>{2, -1, 1}));
    ASSERT_EQ(std::vector<double>(&tangential[6 * u], &tangential[6 * u] + 6),
              (std::vector<double>{0, 0, 0, 0, 0.25, 0.125}));
    ASSERT_EQ(loss[u], -i);
    ASSERT_EQ(obstacle[u], 2 * i);
    ASSERT_EQ(at[2 * u], i);
    ASSERT_EQ(before[2 * u], 3 * i);
    ASSERT_EQ(after[2 * u], i == 5 ? 0 : 5 * i);
    ASSERT_EQ(after[2 * u + 1], i == 5 ? 0 : 6);
  }
}

TEST(Archive, RowsAndAttributesComeBack) {
  const TemporaryDirectory directory;
  const auto path = directory.path / "trajectory.h5";
  RunDescription about = toy_description();
  about.scenario_text += std::string(200000, 'x');  // more than fits in an object header
  Archive archive(path, about, labels);
  EXPECT_FALSE(std::filesystem::exists(path)) << "not before it is readable";
  archive.appear();
  fill(archive, 2500, 1100);  // over several chunks
  EXPECT_EQ(archive.sizes().rows, 2500);
  archive.close("0123456789abcdef");
  const ArchiveReader r(path);
  expect_filled(r, 2500, 1100);
  EXPECT_EQ(r.header().about.scenario_text, about.scenario_text);
  EXPECT_EQ(r.header().about.scenario_name, "toy.toml");
  EXPECT_EQ(r.header().about.overrides, about.overrides);
  EXPECT_EQ(r.header().labels.contacts, labels.contacts);
  EXPECT_EQ(r.header().labels.scalars, labels.scalars);
  EXPECT_EQ(r.header().state_hash, "0123456789abcdef");
  EXPECT_FALSE(r.header().version.empty());
  EXPECT_THROW(r.read("t", 2400, 200), std::out_of_range);
  EXPECT_THROW(r.read("nothing", 0, 1), std::invalid_argument);
  EXPECT_FALSE(clear_swmr_flag(path));
}

TEST(Archive, NoContactsNoMomentaNoRows) {
  const TemporaryDirectory directory;
  const auto path = directory.path / "trajectory.h5";
  {
    Archive archive(path, {}, {{"x"}, {}, {}});
    archive.record(0, {0, {1}, {2}, {3}, 4, {}, {}, {}});
    archive.appear();
    archive.close("");
  }
  const ArchiveReader r(path);
  EXPECT_EQ(r.sizes().rows, 1);
  EXPECT_EQ(r.sizes().impacts, 0);
  EXPECT_EQ(r.width("gaps"), 0);
  EXPECT_TRUE(r.read("momenta", 0, 1).empty());
  EXPECT_TRUE(r.header().about.overrides.empty());
  EXPECT_EQ(r.header().about.title, "");
}

TEST(Archive, ReadWhileItIsWritten) {
  ASSERT_EQ(std::system("/usr/bin/python3 -c 'import h5py'"), 0) << "./setup test installs python3-h5py";
  const TemporaryDirectory directory;
  const auto path = directory.path / "trajectory.h5";
  Archive archive(path, toy_description(), labels);
  archive.appear();
  fill(archive, 10, 3);
  archive.flush();
  // Another process, as a reader in the same one would share the writer's open file.
  const pid_t child = fork();
  if (child == 0) {
    const std::string python =
        "import h5py,sys\nf = h5py.File('" + path.string() +
        "', 'r', swmr=True)\nsys.exit(0 if f['t'].shape == (10,) and f['impacts/lambda'].shape == (3, 3) else 1)";
    execl("/usr/bin/python3", "python3", "-c", python.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Archive, FileOfAKilledRunBecomesOrdinary) {
  const TemporaryDirectory directory;
  const auto path = directory.path / "trajectory.h5";
  const pid_t child = fork();
  if (child == 0) {
    Archive archive(path, toy_description(), labels);
    archive.appear();
    fill(archive, 3000, 20);
    archive.flush();
    fill(archive, 5, 5);  // never flushed
    _exit(0);             // as a kill: nothing is closed
  }
  int status = 0;
  waitpid(child, &status, 0);
  expect_filled(ArchiveReader(path), 3000, 20);
  EXPECT_TRUE(clear_swmr_flag(path));
  EXPECT_FALSE(clear_swmr_flag(path)) << "once is enough";
  expect_filled(ArchiveReader(path), 3000, 20);
  EXPECT_EQ(ArchiveReader(path).header().about.scenario_text, toy_description().scenario_text);
}

TEST(Archive, DamageIsRecognisedWithItsPlace) {
  const TemporaryDirectory directory;
  const auto path = directory.path / "trajectory.h5";
  {
    Archive archive(path, toy_description(), labels);
    fill(archive, 2500, 3);
    archive.close("0123456789abcdef");
  }
  std::string text = text_of(path);
  const double numbers[] = {2017.25, 2017.75};  // q of row 2017
  const std::size_t at = text.find(std::string(reinterpret_cast<const char*>(numbers), sizeof numbers));
  ASSERT_NE(at, std::string::npos);
  text[at + 3] ^= 1;
  std::ofstream(path, std::ios::binary) << text;
  const ArchiveReader r(path);
  EXPECT_EQ(r.read("q", 0, 1000).size(), 2000u) << "elsewhere all is well";
  for (const char* dataset : {"q", "t"}) {
    try {
      r.read(dataset, 1500, 1000);
      ADD_FAILURE();
    } catch (const InputError& e) {
      EXPECT_EQ(e.what(), path.string() + ": row 2017, t = 1008.5 of dataset q is damaged: its checksum does not fit");
    }
  }
  EXPECT_THROW(r.verify(), InputError);
}

TEST(Archive, ErrorsNameThePathAndPrintNothing) {
  testing::internal::CaptureStderr();
  try {
    Archive("/nowhere/trajectory.h5", {}, labels);
    ADD_FAILURE();
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("/nowhere/trajectory.h5"), std::string::npos) << e.what();
  }
  const TemporaryDirectory directory;
  std::ofstream(directory.path / "text.h5") << "no HDF5";
  EXPECT_THROW(ArchiveReader(directory.path / "text.h5"), std::runtime_error);
  EXPECT_THROW(ArchiveReader(directory.path / "none.h5"), InputError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace ricochet::archive_test
