// Bodies through the program: run, resume to the same bits, export, refusals.

#include "cli/program.hpp"

namespace ricochet::continuum_test {
namespace {

class ContinuumCli : public test::Workplace {};

TEST_F(ContinuumCli, FilesOfARun) {
  ASSERT_EQ(program({"run", "rods-equal", "-o", "r", "--quiet"}).exit_code, 0);
  const auto s = summary("r");
  EXPECT_TRUE(s["final"]["position"].is_null());
  EXPECT_EQ(s["method"], "verlet");
  EXPECT_EQ(s["impacts"], 1);
  EXPECT_NEAR(s["contacts"]["rod1-rod2"]["largest_force"].get<double>(), 0.5, 1e-11);
  EXPECT_TRUE(s["probes"]["front"]["residuals"].contains("configurational"));
  EXPECT_EQ(s["scalars"]["work.contact"]["initial"], 0);
  EXPECT_TRUE(test::fs::exists(here() / "r/report.html"));
  ASSERT_EQ(program({"export", "r", "--csv", "--quiet"}).exit_code, 0);
  const std::string fields = test::text_of(here() / "r/fields.csv");
  EXPECT_EQ(fields.rfind("t,body,node,x,v,stress\n0,rod1,0,0,1,0\n", 0), 0u) << fields.substr(0, 80);
  ASSERT_EQ(program({"export", "r", "--vtk", "-o", "series", "--quiet"}).exit_code, 0);
  EXPECT_TRUE(test::fs::exists(here() / "series/fields_00150.vtu"));
  EXPECT_NE(test::text_of(here() / "series/fields.pvd").find("timestep=\"3\" file=\"fields_00150.vtu\""),
            std::string::npos);
  EXPECT_NE(test::text_of(here() / "series/fields_00000.vtu").find("NumberOfPoints=\"102\" NumberOfCells=\"100\""),
            std::string::npos);
}

// Interrupted in the middle of an episode and resumed: the same state, ledger and totals.
TEST_F(ContinuumCli, ResumesToTheSameBits) {
  const std::vector<std::string> long_run{"run",
                                          "rods-equal",
                                          "--quiet",
                                          "--set",
                                          "continuum.body.rod1.mesh.cells=8000",
                                          "--set",
                                          "continuum.body.rod2.mesh.cells=8000",
                                          "--set",
                                          "output.every=4000",
                                          "-o"};
  const auto in = [&](const std::string& directory) {
    std::vector<std::string> words = long_run;
    words.push_back(directory);
    return words;
  };
  ASSERT_EQ(program(in("whole")).exit_code, 0);
  const pid_t child = start(in("part"));
  for (int k = 0; k < 2000 && !test::fs::exists(here() / "part/checkpoint.cbor"); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGINT);
  ASSERT_EQ(wait(child).exit_code, 130);
  ASSERT_EQ(program({"resume", "part", "--quiet"}).exit_code, 0);
  for (const char* key : {"state_hash", "contacts", "probes", "energy", "scalars", "impacts"})
    EXPECT_EQ(summary("part")[key], summary("whole")[key]) << key;
  EXPECT_EQ(test::text_of(here() / "part/ledger.csv"), test::text_of(here() / "whole/ledger.csv"));
}

// Bodies in the plane: the files of a run, resumed in the middle of a contact, and what fails.
TEST_F(ContinuumCli, BodiesInThePlane) {
  const std::vector<std::string> small{"--set", "continuum.body.left.mesh.cells=6", "--set",
                                       "continuum.body.right.mesh.cells=6"};
  const auto with = [&](std::vector<std::string> words, const std::vector<std::string>& more = {}) {
    words.insert(words.end(), small.begin(), small.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  ASSERT_EQ(program(with({"run", "soft-discs", "-o", "p", "--quiet"})).exit_code, 0);
  const test::Outcome told = program(with({"run", "soft-discs", "-o", "told"}));
  EXPECT_NE((told.out + told.err).find(" is stable"), std::string::npos) << told.out;  // the step
  const auto s = summary("p");
  EXPECT_EQ(s["impacts"], 1);
  EXPECT_LT(s["momentum"]["angular"]["max_deviation"].get<double>(), 1e-13);
  EXPECT_GT(s["contacts"]["left-right"]["restitution"].get<double>(), 0.9);
  EXPECT_NE(test::text_of(here() / "p/report.html").find("\"mesh\":"), std::string::npos);
  ASSERT_EQ(program({"export", "p", "--vtk", "-o", "plane", "--quiet"}).exit_code, 0);
  EXPECT_NE(test::text_of(here() / "plane/fields_00000.vtu").find("NumberOfPoints=\"254\" NumberOfCells=\"432\""),
            std::string::npos);
  ASSERT_EQ(program({"export", "p", "--csv", "--quiet"}).exit_code, 0);
  EXPECT_EQ(test::text_of(here() / "p/fields.csv").rfind("t,body,node,x,y,vx,vy\n0,left,0,0,0,0.1,0\n", 0), 0u);
  ASSERT_EQ(program({"plot", "p", "--kind", "trajectory", "-o", "p.svg", "--quiet"}).exit_code, 0);
  const test::Outcome tangled =
      program(with({"run", "soft-discs", "-o", "t", "--set", "continuum.body.left.velocity=[\"3\",\"0\"]"}));
  EXPECT_EQ(tangled.exit_code, 4);
  EXPECT_NE(tangled.err.find("element "), std::string::npos) << tangled.err;
  EXPECT_NE(tangled.err.find(" of 'left' at ("), std::string::npos) << tangled.err;
  EXPECT_NE(tangled.err.find("t = "), std::string::npos) << tangled.err;
  EXPECT_TRUE(test::fs::exists(here() / "t/trajectory.h5"));
  const std::pair<const char*, const char*> wrong[] = {
      {"continuum.body.left.mesh.center=[0.3,0]", "left-right overlap at the start by 0.26"},
      {"continuum.body.left.material.mu=-1", "expected a modulus above 0"},
      {"continuum.body.left.material={kind=\"linear\",rho=1.0}", "continuum.body.material"}};
  for (const auto& [change, message] : wrong) {
    const test::Outcome o = program(with({"run", "soft-discs", "-o", "w", "--set", change}));
    EXPECT_EQ(o.exit_code, 3) << change;
    EXPECT_NE(o.err.find(message), std::string::npos) << o.err;
    EXPECT_FALSE(test::fs::exists(here() / "w"));
  }
  const test::Outcome avi = program(with({"run", "soft-discs", "-o", "a", "--quiet"},
                                         {"--set", "continuum.integrator=avi", "--set", "continuum.courant=0.25"}));
  EXPECT_EQ(avi.exit_code, 0) << avi.err;
}

TEST_F(ContinuumCli, FailuresAndRefusals) {
  const test::Outcome failed =
      program({"run", "gas-piston", "-o", "f", "--set", "continuum.body.gas.moving={left=[\"3*t\"]}"});
  EXPECT_EQ(failed.exit_code, 4);
  EXPECT_NE(failed.err.find("of 'gas', X = "), std::string::npos) << failed.err;
  EXPECT_TRUE(test::fs::exists(here() / "f/trajectory.h5"));
  const test::Outcome courant = program({"run", "rods-equal", "-o", "g", "--set", "continuum.courant=1.1"});
  EXPECT_EQ(courant.exit_code, 3);
  EXPECT_NE(courant.err.find("above the limit of stability"), std::string::npos) << courant.err;
  EXPECT_FALSE(test::fs::exists(here() / "g"));
  const test::Outcome audit = program({"audit", "rods-equal"});
  EXPECT_EQ(audit.exit_code, 3);
  EXPECT_NE(audit.err.find("audits are of methods on a [system]"), std::string::npos) << audit.err;
  const test::Outcome resonance = program({"run", "graded-bar-avi", "-o", "h", "--set", "continuum.courant=0.5"});
  EXPECT_EQ(resonance.exit_code, 0);
  EXPECT_NE(resonance.err.find("resonate"), std::string::npos) << resonance.err;
}

TEST_F(ContinuumCli, CompareSetsIntegratorsSideBySide) {
  const auto compared = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all{"compare"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"-o", "c", "--json"});
    const test::Outcome o = program(all);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    return nlohmann::json::parse(o.out)["methods"];
  };
  const auto range = [](const nlohmann::json& entry) {
    return entry["summary"]["energy"]["relative_range"].get<double>();
  };
  const auto one = compared({"graded-bar-avi", "--methods", "verlet,avi,avi,courant=.1", "--set", "run.duration=2"});
  ASSERT_EQ(one.size(), 3u);
  EXPECT_EQ(one[0]["summary"]["method"], "verlet");
  EXPECT_EQ(one[2]["method"], "avi,courant=.1");
  EXPECT_LT(range(one[0]), 1e-12);  // kept exactly, but for round-off
  EXPECT_LT(range(one[2]), range(one[1]));
  // The step of a scenario's own integrator stays; another one comes with its own.
  const auto own = compared({"rods-equal", "--methods", "verlet,avi"});
  EXPECT_NEAR(own[0]["summary"]["step"].get<double>(), 0.02, 1e-15);  // Courant number 1
  EXPECT_NE(own[1]["refused"].get<std::string>().find("interval needs verlet"), std::string::npos);
  EXPECT_TRUE(own[0]["distance"].is_null());
  EXPECT_EQ(compared({"rods-equal", "rods-unequal", "pendulum"}).size(), 3u);
  EXPECT_NE(test::text_of(here() / "c/compare.html").find("rods-unequal"), std::string::npos);
  const std::pair<const char*, const char*> wrong[] = {{"verlett", "bodies have the integrators verlet and avi"},
                                                       {"verlet:midpoint", "bodies have no discretization"},
                                                       {"avi,degree=3", "bodies have the parameter courant"},
                                                       {"avi,courant=fast", "expected a number"}};
  for (const auto& [methods, message] : wrong) {
    const test::Outcome o = program({"compare", "rods-equal", "--methods", methods});
    EXPECT_EQ(o.exit_code, 2) << methods;
    EXPECT_NE(o.err.find(message), std::string::npos) << o.err;
  }
}

TEST_F(ContinuumCli, MethodsKnowsTheIntegratorsOfBodies) {
  EXPECT_NE(program({"methods"}).out.find("\n  avi "), std::string::npos);
  EXPECT_NE(program({"methods", "verlet"}).out.find("multiplier, interval, redistributed, penalty"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::continuum_test
