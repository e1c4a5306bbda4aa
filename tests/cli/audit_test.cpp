// ricochet audit and compare: files, method specifications, exit codes.

#include "program.hpp"

namespace ricochet::test::audit_test {
namespace {

const char* particle = R"(
title = "Particle"
[system]
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
[[system.contact]]
name = "floor"
gap = "y"
[initial]
position = [0, 1]
velocity = [-2, 0]
[integrator]
method = "variational-collision"
step = 0.02
[run]
duration = 4
)";

class AuditVerb : public Workplace {
 protected:
  AuditVerb() { file("particle.toml", particle); }
};

TEST_F(AuditVerb, WritesTableAndJson) {
  const Outcome o = program({"audit", "particle.toml", "-o", "out"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_NE(o.out.find("order"), std::string::npos) << o.out;
  const auto json = nlohmann::json::parse(text_of(here() / "out/audit.json"));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["audits"][0]["method"], "variational-collision:trapezoidal");
  // Known order 2; the fit has an uncertainty of about 0.1 here.
  EXPECT_NEAR(json["audits"][0]["order"]["value"].get<double>(), 2, 0.5);
}

TEST_F(AuditVerb, SpecificationsCarryDiscretizationAndParameters) {
  const Outcome o = program({"audit", "particle.toml", "--json", "--methods",
                             "variational-collision:galerkin,degree=3,impact_energy=continuous,variational,reference"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const auto audits = nlohmann::json::parse(o.out)["audits"];
  ASSERT_EQ(audits.size(), 3u);
  EXPECT_EQ(audits[0]["method"], "variational-collision:galerkin,degree=3,impact_energy=continuous");
  EXPECT_EQ(audits[0]["discretization"], "galerkin");
  EXPECT_NE(audits[1]["refused"].get<std::string>().find("contact"), std::string::npos);
  EXPECT_TRUE(audits[2]["refused"].is_null());
}

TEST_F(AuditVerb, AMisspeltSpecificationIsAUsageErrorWithASuggestion) {
  const std::pair<const char*, const char*> cases[] = {
      {"variational-colision", "did you mean \"variational-collision\""},
      {"variational-collision:galerkn", "galerkin"},
      {"variational-collision:galerkin,degre=3", "degree"},
      {"variational-collision,impact_energy=discreet", "discrete"},
      {"degree=3", "expected a method before"},
      {"variational-collision,tolerance=-1", "tolerance"}};
  for (const auto& [spec, hint] : cases) {
    const Outcome o = program({"audit", "particle.toml", "--methods", spec});
    EXPECT_EQ(o.exit_code, 2) << spec << ": " << o.err;
    EXPECT_NE(o.err.find(hint), std::string::npos) << spec << ": " << o.err;
    EXPECT_FALSE(fs::exists(here() / "runs"));
  }
}

TEST_F(AuditVerb, AMethodThatCannotDoItAloneIsABadScenario) {
  EXPECT_EQ(program({"audit", "particle.toml", "--methods", "variational"}).exit_code, 3);
  EXPECT_EQ(program({"audit", "nowhere.toml"}).exit_code, 3);
  EXPECT_FALSE(fs::exists(here() / "runs"));
}

TEST_F(AuditVerb, WhereEveryMethodIsRefusedNothingIsWritten) {
  for (const char* verb : {"audit", "compare"}) {
    const Outcome o = program({verb, "particle.toml", "--methods", "variational:midpoint,variational"});
    EXPECT_EQ(o.exit_code, 3) << verb << o.out;
    EXPECT_NE(o.err.find("none of the methods"), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(here() / "runs"));
  }
}

TEST_F(AuditVerb, ABallAtRestAndOneInAGrooveAreAudited) {
  std::string rest = particle, groove = particle;
  rest.replace(rest.find("[0, 1]"), 6, "[0, 0]");
  rest.replace(rest.find("[-2, 0]"), 7, "[0, 0]");
  groove = rest;
  groove.replace(groove.find("gap = \"y\""), 9, "gap = \"y - abs(x)\"");
  file("rest.toml", rest);
  file("groove.toml", groove);
  for (const char* name : {"rest.toml", "groove.toml"}) {
    const Outcome o = program({"audit", name, "--methods", "generalized-variational,variational-collision"});
    EXPECT_EQ(o.exit_code, 0) << name << o.err;
    EXPECT_NE(o.out.find("NO IMPACT IS JUDGED"), std::string::npos) << o.out;
  }
}

TEST_F(AuditVerb, CompareRunsSideBySide) {
  const Outcome o = program({"compare", "particle.toml", "--methods", "variational-collision,variational,reference"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_NE(o.out.find("refused"), std::string::npos) << o.out;
  const auto json = nlohmann::json::parse(text_of(here() / "runs/particle/compare.json"));
  ASSERT_EQ(json["methods"].size(), 3u);
  // Impacts at √(2/g)(2k+1) < 4: four.
  EXPECT_EQ(json["methods"][0]["summary"]["impacts"], 4);
  EXPECT_EQ(json["methods"][2]["summary"]["impacts"], 4);
  EXPECT_LT(json["methods"][2]["distance"].get<double>(), 1e-10);
  EXPECT_EQ(program({"compare", "particle.toml"}).exit_code, 2);  // one scenario by one method is no comparison
}

TEST_F(AuditVerb, AFailedRunIsExitFour) {
  std::string text = particle;
  text.replace(text.find("9.81*y"), 6, "log(x+1)");  // pulled into the singularity at x = -1
  file("singular.toml", text);
  const Outcome o = program({"compare", "singular.toml", "--methods", "variational-collision:midpoint"});
  EXPECT_EQ(o.exit_code, 4) << o.out << o.err;
  EXPECT_NE(o.out.find("failed"), std::string::npos);
}

TEST_F(AuditVerb, CompareOfSeveralScenarios) {
  const Outcome o =
      program({"compare", "wedge-elastic", "wedge-newton", "wedge-coulomb", "wedge-plastic", "-o", "laws", "--quiet"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const auto json = nlohmann::json::parse(text_of(here() / "laws/compare.json"));
  ASSERT_EQ(json["methods"].size(), 4u);
  double before = 0;
  for (const auto& entry : json["methods"]) {  // the laws lose more and more: 0, 4.9, 10.3, 9.8 and rocking
    EXPECT_TRUE(entry["refused"].is_null());
    const double range = entry["summary"]["energy"]["relative_range"];
    EXPECT_GT(range, before);
    before = 0.2;
  }
  EXPECT_NE(text_of(here() / "laws/compare.html").find("wedge-plastic"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::test::audit_test
