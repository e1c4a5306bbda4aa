// What a newcomer meets first: messages that say what to write, and where things are.

#include "program.hpp"

namespace ricochet::test::messages_test {
namespace {

class Messages : public Workplace {
 protected:
  std::string scenario(const std::string& lagrangian = "\"x'^2/2 - x^4\"", const std::string& start = "1",
                       const std::string& step = "0.01", const std::string& velocity = "0") const {
    return "[system]\ncoordinates = [\"x\"]\nlagrangian = " + lagrangian + "\n[initial]\nposition = [" + start +
           "]\nvelocity = [" + velocity + "]\n[integrator]\nmethod = \"variational\"\nstep = " + step +
           "\n[run]\nduration = 2\n";
  }
  Outcome run_with(const std::string& text, std::vector<std::string> more = {}) const {
    file("s.toml", text);
    std::vector<std::string> words{"run", "s.toml", "-o", "r"};
    words.insert(words.end(), more.begin(), more.end());
    return program(words);
  }
};

TEST_F(Messages, SayWhatToWrite) {
  const std::pair<const char*, const char*> cases[] = {
      {"\"x'^2/2 - x**4\"", "a power is written with ^"},
      {"\"xdot^2/2 - x^4\"", "did you mean \"x'\""},
      {"\"x_dot^2/2\"", "did you mean \"x'\""},
      {"\"vx^2/2\"", "did you mean \"x'\""},
      {"x^2/2", "stands in quotes: lagrangian = \"x^2/2\""},
      {"x'^2/2 - x^4", "stands in quotes: lagrangian = \"x'^2/2 - x^4\""},
      {"\"x'^2/2 - hypott(x, 1)\"", "did you mean \"hypot\""}};
  for (const auto& [lagrangian, hint] : cases) {
    const Outcome o = run_with(scenario(lagrangian));
    EXPECT_EQ(o.exit_code, 3) << lagrangian;
    EXPECT_NE(o.err.find(hint), std::string::npos) << lagrangian << ": " << o.err;
    EXPECT_NE(o.err.find("s.toml:3:"), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(here() / "r"));
  }
  // A name that only looks like a velocity is left to the nearest spelling.
  EXPECT_EQ(run_with(scenario("\"x'^2/2 + vz\"")).err.find("x'"), std::string::npos);
}

// Each family of mistakes that were made while writing first scenarios, and what the message must say.
TEST_F(Messages, OfMistakesOfFirstScenarios) {
  const std::string good =
      "[system]\ncoordinates = [\"theta\"]\nlagrangian = \"m/2*theta'^2 + g*cos(theta)\"\n"
      "parameters = { m = 1.0, g = 9.81 }\n[[system.contact]]\nname = \"wall\"\ngap = \"sin(theta) + 0.3\"\n"
      "[initial]\nposition = [1.0]\nvelocity = [0.0]\n[integrator]\nmethod = \"variational-collision\"\n"
      "step = 0.01\n[run]\nduration = 0.1\n";
  ASSERT_EQ(run_with(good).exit_code, 0);
  const struct {
    const char *from, *to, *says;
  } mistakes[] = {
      // other languages
      {"cos(theta)", "math.cos(theta)", "functions stand alone: cos(x)"},
      {"cos(theta)", "np.cos(theta)", "functions stand alone"},
      {"cos(theta)", "cos(\\\\theta)", "names have no backslash"},
      {"cos(theta)", "ln(theta)", "did you mean \"log\""},
      {"theta'^2", "pow(theta', 2)", "a power is written x^4"},
      {"theta'^2", "diff(theta)^2", "the velocity of x is written x'"},
      {"theta'^2", "theta''", "no accelerations"},
      {"sin(theta) + 0.3", "sin(theta) >= -0.3", "not a comparison"},
      {"sin(theta) + 0.3", "sin(theta) = 0.3", "not a comparison"},
      // signs of a text processor
      {"theta'^2 + g", "theta'^2 − g", "the minus sign is -"},
      {"theta'^2", "theta’^2", "with a plain quote"},
      {"\"wall\"", "“wall”", "quotes are the plain ones"},
      {"[\"theta\"]", "[\"θ\"]", "names have the letters"},
      // numbers with units, degrees and commas
      {"[1.0]", "[\"60°\"]", "angles are in radians: 60*pi/180"},
      {"[1.0]", "[\"60 deg\"]", "angles are in radians"},
      {"g = 9.81", "g = \"9.81 m/s^2\"", "numbers carry no unit"},
      {"duration = 0.1", "duration = 10 s", "a number stands alone, without a unit: duration = 10"},
      {"step = 0.01", "step = 0,01", "a number has a point, not a comma"},
      // quotes
      {"0.3\"", "0.3", "is the closing quote missing?"},
      {"\"sin(theta) + 0.3\"", "sin(theta) + 0.3\"", "stands in quotes: gap = \"sin(theta) + 0.3\""},
      // names
      {"step = 0.01", "dt = 0.01", "did you mean \"step\""},
      {"duration = 0.1", "t_end = 0.1", "did you mean \"duration\""},
      {"[run]", "[simulation]", "did you mean \"run\""},
      {"[run]\n", "", "it belongs to [run]"},
      {"parameters = ", "[parameters]\nx = ", "it belongs to [system.parameters]"},
      {"[[system.contact]]", "[[contact]]", "[[system.contact]]"},
      {"sin(theta) + 0.3", "x + 0.3", "known here: g, m, theta"},
      {"sin(theta) + 0.3", "sin(thet) + 0.3", "did you mean \"theta\""},
      {"name = \"wall\"", "for = \"k = 1..2\"", "expected a range such as i in 1..n"},
      {"name = \"wall\"", "for = \"k in range(2)\"", "expected a range such as i in 1..n"},
      {"sin(theta) + 0.3", "sin(theta_{1})", "the element of an array is written"},
      {"theta'^2", "theta'[1]", "the velocity of an element is written x[i]'"},
      {"variational-collision", "variational", "has no contact; these have: variational-collision"},
      // the wrong side
      {"sin(theta) + 0.3", "-sin(theta)", "expected >= 0, as where the system may be"},
  };
  for (const auto& [from, to, says] : mistakes) {
    std::string text = good;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    const Outcome o = run_with(text.replace(at, std::string(from).size(), to), {"--quiet"});
    EXPECT_EQ(o.exit_code, 3) << to;
    EXPECT_NE(o.err.find(says), std::string::npos) << to << ": " << o.err;
  }
  // what is no mistake
  std::string windows = "\xef\xbb\xbf";
  for (const char c : good) windows += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(run_with(windows).exit_code, 0);
}

TEST_F(Messages, OfFilesThatAreNone) {
  fs::create_directory(here() / "folder.toml");
  file("empty.toml", "");
  file("utf16.toml", std::string("\xff\xfe[\0s\0", 6));
  const std::pair<const char*, const char*> cases[] = {{"folder.toml", "is a directory"},
                                                       {"empty.toml", "system: missing; expected a table [system]"},
                                                       {"utf16.toml", "save the file as UTF-8"},
                                                       {"nothing.toml", "there is no such file"}};
  for (const auto& [name, says] : cases) {
    const Outcome o = program({"run", name, "-o", "r"});
    EXPECT_EQ(o.exit_code, 3) << name;
    EXPECT_NE(o.err.find(says), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(here() / "r"));
  }
}

TEST_F(Messages, ARunSaysWhereItsReportIsAndThatNoMomentumIsWatched) {
  const Outcome o = run_with(scenario());
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_NE(o.out.find("report: r/report.html"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("[[system.symmetry]]"), std::string::npos) << o.out;
  EXPECT_EQ(o.out.find('\x1b'), std::string::npos);  // no terminal: no colours, no links
}

TEST_F(Messages, TheEnergyOfADrivenOrLossyRunIsABalance) {
  const std::string damped = scenario() + "[[system.force]]\nname = \"drag\"\ncomponents = [\"-x'\"]\n";
  EXPECT_NE(run_with(damped).out.find("works and losses account for all but"), std::string::npos);
  EXPECT_EQ(run_with(scenario()).out.find("works and losses"), std::string::npos);
  const std::string walls = "[[system.contact]]\nname = \"w\"\ngap = \"0.5 + x\"\n";
  const std::vector<std::string> method{"--set", "integrator.method=variational-collision"};
  EXPECT_EQ(run_with(scenario() + walls, method).out.find("works and losses"), std::string::npos);
  EXPECT_NE(run_with(scenario() + walls + "law = \"newton\"\nrestitution = 0.5\n", method)
                .out.find("works and losses account for all but"),
            std::string::npos);
}

TEST_F(Messages, AnotherRunTakesTheNextFreeName) {
  file("s.toml", scenario());
  const auto made = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "s.toml"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = program(words);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    return o.err;
  };
  EXPECT_EQ(made({}).find("runs/s-2"), std::string::npos);
  const std::string first = summary("runs/s")["state_hash"];
  EXPECT_EQ(made({}).find("runs/s-2"), std::string::npos);  // the same again: replaced
  EXPECT_FALSE(fs::exists(here() / "runs/s-2"));
  EXPECT_NE(made({"--set", "integrator.step=0.02"}).find("runs/s-2"), std::string::npos);
  EXPECT_EQ(summary("runs/s")["state_hash"], first);
  EXPECT_EQ(summary("runs/s-2")["step"], 0.02);
  made({"--set", "integrator.step=0.02"});  // found again under its own name
  EXPECT_FALSE(fs::exists(here() / "runs/s-3"));
  file("s.toml", scenario("\"x'^2/2 - x^2\""));
  made({});
  EXPECT_TRUE(fs::exists(here() / "runs/s-3"));
  EXPECT_EQ(summary("runs/s")["state_hash"], first);
}

TEST_F(Messages, HelpVersionListAndStandardInput) {
  const Outcome help = program({"help"}), of_run = program({"help", "run"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("audit"), std::string::npos);
  EXPECT_EQ(of_run.exit_code, 0);
  EXPECT_NE(of_run.out.find("--set"), std::string::npos) << of_run.out;
  EXPECT_EQ(program({"help", "rum"}).exit_code, 2);
  EXPECT_EQ(program({"-V"}).out, program({"--version"}).out);
  const auto list = nlohmann::json::parse(program({"list", "--json"}).out);
  EXPECT_TRUE(std::any_of(list.begin(), list.end(), [](const auto& entry) { return entry["name"] == "pendulum"; }));
  const fs::path s = file("s.toml", scenario());
  const std::string command = "cd " + here().string() + " && " RICOCHET_PROGRAM " run - -o piped --quiet < s.toml";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(summary("piped")["status"], "completed");
  EXPECT_EQ(program({"audit", "-"}).exit_code, 2);
}

TEST_F(Messages, GeneratedFromTheProgramItself) {
  const Outcome man = program({"man"}), bash = program({"completion", "bash"});
  EXPECT_EQ(man.exit_code, 0);
  for (const char* text : {".SH VERBS", ".SS compare", "variational\\-collision", "--methods"}) {
    const std::string wanted = std::string(text) == "--methods" ? "\\-\\-methods" : text;
    EXPECT_NE(man.out.find(wanted), std::string::npos) << wanted;
  }
  EXPECT_NE(bash.out.find("audit) words=\"--help -h --methods"), std::string::npos) << bash.out;
  EXPECT_EQ(program({"completion", "fish"}).exit_code, 2);
}

TEST_F(Messages, CiteNamesProgramMethodAndSource) {
  EXPECT_EQ(program({"run", "star", "-o", "star", "--quiet", "--set", "run.impacts=3"}).exit_code, 0);
  const Outcome o = program({"cite", "star"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  for (const char* text : {"@software{Ricochet", "variational-collision", "pages   = {381--416}", "section 4.3"})
    EXPECT_NE(o.out.find(text), std::string::npos) << text << "\n" << o.out;
  EXPECT_EQ(program({"cite", "nowhere"}).exit_code, 3);
}

// ---- warnings: each with a run that must not get it ----

bool warned(const nlohmann::json& summary, const char* text) {
  for (const std::string warning : summary["warnings"])
    if (warning.find(text) != std::string::npos) return true;
  return false;
}

TEST_F(Messages, WarnOfAStepThatTheFastestOscillationDoesNotTake) {
  // ω = 10: the limit is 0.2, eight steps a period are h = 0.0785.
  const std::string spring = "\"x'^2/2 - 50*x^2\"";
  EXPECT_NE(run_with(scenario(spring, "1", "0.25")).err.find("limit of stability"), std::string::npos);
  EXPECT_TRUE(warned(summary("r"), "limit of stability"));
  EXPECT_NE(run_with(scenario(spring, "1", "0.08")).err.find("steps in a period"), std::string::npos);
  EXPECT_EQ(run_with(scenario(spring, "1", "0.075")).err, "");
  EXPECT_TRUE(summary("r")["warnings"].empty());
  // midpoint has no limit, but too few steps; the reference chooses its own.
  EXPECT_NE(run_with(scenario(spring, "1", "0.25"), {"--set", "integrator.discretization=midpoint"})
                .err.find("steps in a period"),
            std::string::npos);
  EXPECT_EQ(run_with(scenario(spring, "1", "0.25"), {"--set", "integrator.method=reference"}).err, "");
}

// A coordinate that stands in sines alone is an angle; one that stands elsewhere too is none.
TEST_F(Messages, WarnOfAnAngleInDegrees) {
  EXPECT_NE(run_with(scenario("\"x'^2/2 + cos(x)\"", "60")).err.find("60 degrees are 60*pi/180"), std::string::npos);
  EXPECT_TRUE(warned(summary("r"), "angles are in radians"));
  EXPECT_EQ(run_with(scenario("\"x'^2/2 + cos(x)\"", "6")).err, "");
  EXPECT_EQ(run_with(scenario("\"x'^2/2 - x^2/1e4 + cos(x)\"", "60")).err, "");
}

TEST_F(Messages, WarnOfAnArchiveThatTheDiskHasNoRoomFor) {
  file("s.toml", scenario());
  const pid_t child = start({"run", "s.toml", "-o", "r", "--set", "run.duration=1e13"});
  while (!fs::exists(here() / "r/checkpoint.cbor")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGINT);
  EXPECT_NE(wait(child).err.find("the disk has room for"), std::string::npos);
  EXPECT_EQ(run_with(scenario()).err, "");
}

TEST_F(Messages, WarnOfANegativeKineticEnergy) {
  EXPECT_NE(run_with(scenario("\"-x'^2/2 - x^2/9\"")).err.find("not positive definite"), std::string::npos);
  EXPECT_TRUE(warned(summary("r"), "not positive definite"));
  run_with(scenario("\"x'^2/2 - x^2/9\""));
  EXPECT_FALSE(warned(summary("r"), "not positive definite"));
}

std::string between_walls(double width, const std::string& method, double speed) {
  return "[system]\ncoordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[[system.contact]]\nname = \"left\"\ngap = \"x\"\n"
         "[[system.contact]]\nname = \"right\"\ngap = \"" +
         std::to_string(width) + " - x\"\n[initial]\nposition = [" + std::to_string(0.4 * width) + "]\nvelocity = [" +
         std::to_string(speed) + "]\n[integrator]\nmethod = \"" + method + "\"\nstep = 0.1\n[run]\nduration = 5\n";
}

TEST_F(Messages, WarnOfStepsFullOfImpacts) {
  // Five and more impacts in every step, and one in each third.
  EXPECT_NE(run_with(between_walls(0.01, "variational-collision", 0.6)).err.find("more than 3 impacts each"),
            std::string::npos);
  EXPECT_TRUE(warned(summary("r"), "more than 3 impacts each"));
  EXPECT_EQ(run_with(between_walls(1, "variational-collision", 3)).err, "");
}

TEST_F(Messages, WarnOfAMotionThroughAWall) {
  // A step is ten times the width: reflected at one wall the ball is through the other at the next step.
  EXPECT_NE(run_with(between_walls(0.1, "generalized-variational", 10)).err.find("goes through contact"),
            std::string::npos);
  EXPECT_TRUE(warned(summary("r"), "goes through contact"));
  EXPECT_EQ(run_with(between_walls(1, "generalized-variational", 3)).err, "");
  run_with(between_walls(0.1, "variational-collision", 10));
  EXPECT_FALSE(warned(summary("r"), "goes through contact"));
}

// What has fallen on y = 0 and rests there is off it by the round-off of its fall, of which q and v keep no trace.
TEST_F(Messages, NoWarningOfWhatRestsAtZero) {
  for (const char* law : {"law = \"plastic\"", "law = \"newton\"\nrestitution = 0.5"})
    for (const char* step : {"0.01", "0.037", "0.5"})
      for (const char* height : {"1.0", "0.7", "3.3"})
        for (const char* potential : {"9.81*y", "0.3*y + y^2/2", "0"}) {
          const Outcome o =
              run_with(std::string("[system]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"(x'^2 + y'^2)/2\"\n") +
                       "potential = \"" + potential + "\"\n[[system.contact]]\ngap = \"y\"\n" + law +
                       "\n[initial]\nposition = [0.0, " + height + "]\nvelocity = [1.0, -1.0]\n[integrator]\n" +
                       "method = \"variational-collision\"\nstep = " + step + "\n[run]\nduration = 6\n");
          EXPECT_EQ(o.exit_code, 0) << o.err;
          EXPECT_EQ(o.err.find("goes through"), std::string::npos) << law << step << height << potential << o.err;
        }
}

TEST_F(Messages, AFailureInTheFirstStepLeavesASummaryAndBlamesTheFormula) {
  for (const char* rule : {"trapezoidal", "midpoint", "rectangle", "galerkin"}) {
    const Outcome o = run_with(scenario("\"x'^2/2 - x^1.5\"", "0.0001", "0.01", "-1"),
                               {"--set", std::string("integrator.discretization=") + rule});
    ASSERT_EQ(o.exit_code, 4) << rule << o.err;
    EXPECT_NE(o.err.find("leaves the domain of the formulas: the Lagrangian"), std::string::npos) << rule << o.err;
    EXPECT_EQ(o.err.find("mass matrix"), std::string::npos) << rule << o.err;
    EXPECT_EQ(summary("r")["status"], "failed");
    EXPECT_EQ(summary("r")["steps"], 0);
    EXPECT_EQ(summary("r")["time"]["end"], 0.0);
    EXPECT_EQ(summary("r")["final"]["position"][0], 0.0001);
  }
  // Later in the run: results so far are kept, and their time.
  const Outcome late = run_with(scenario("\"x'^2/2 - x^1.5\"", "0.5", "0.01", "-1"));
  EXPECT_EQ(late.exit_code, 4);
  EXPECT_NE(late.err.find("leaves the domain"), std::string::npos) << late.err;
  EXPECT_GT(summary("r")["time"]["end"].get<double>(), 0.3);
  // What fails otherwise is not blamed on a domain: no mass at rest, where the search for the velocity begins.
  EXPECT_EQ(run_with(scenario("\"x'^4\"", "0", "0.1", "3")).err.find("domain"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::test::messages_test
