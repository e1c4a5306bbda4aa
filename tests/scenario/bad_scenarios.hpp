#pragma once
// A good scenario, and many small changes that make it bad, each with the line, key and reason that the error must
// name. Shared by the reader's test, the program's test and the fuzzer.

#include <string>
#include <vector>

namespace ricochet::test {

inline const std::vector<std::string>& good_lines() {
  static const std::vector<std::string> lines{
      R"(title = "base")",                            // 1
      R"([system])",                                  // 2
      R"(coordinates = ["x", "y"])",                  // 3
      R"(lagrangian = "m/2*(x'^2 + y'^2) - m*g*y")",  // 4
      R"([system.parameters])",                       // 5
      R"(m = 1.0)",                                   // 6
      R"(g = 9.81)",                                  // 7
      R"([initial])",                                 // 8
      R"(position = [0.0, 1.0])",                     // 9
      R"(velocity = [1.0, 0.0])",                     // 10
      R"([integrator])",                              // 11
      R"(method = "variational")",                    // 12
      R"(discretization = "trapezoidal")",            // 13
      R"(step = 0.01)",                               // 14
      R"([run])",                                     // 15
      R"(duration = 1.0)",                            // 16
  };
  return lines;
}

// The good scenario with one line replaced, or with text added after the last line (line 0).
inline std::string scenario_with(int line, const std::string& text) {
  std::string result;
  for (std::size_t k = 0; k < good_lines().size(); ++k)
    result += (static_cast<int>(k) + 1 == line ? text : good_lines()[k]) + "\n";
  return line == 0 ? result + text + "\n" : result;
}

struct BadScenario {
  std::string name;
  int line;  // replaced; 0: the text is added as lines 17 and on
  std::string text;
  int error_line;   // the message must name it; 0: none to name
  std::string key;  // and this key
  std::string reason;
};

inline const std::vector<BadScenario>& bad_scenarios() {
  static const std::vector<BadScenario> list{
      // names and types of keys
      {"unknown_top_key", 1, "titel = \"base\"", 1, "titel", "did you mean \"title\"?"},
      {"unknown_table", 0, "[outptu]\nevery = 1", 17, "outptu", "did you mean \"output\"?"},
      {"unknown_system_key", 4, "lagrangain = \"m/2*(x'^2 + y'^2)\"", 4, "system.lagrangain",
       "did you mean \"lagrangian\"?"},
      {"title_not_text", 1, "title = 5", 1, "title", "expected text, got a number"},
      {"syntax_error", 3, "coordinates = [\"x\", \"y\"", 4, "", "parsing"},
      {"key_twice", 7, "m = 2.0", 7, "", "redefine"},
      {"not_utf8", 1, "title = \"\xff\xfe\"", 1, "", "utf-8"},
      {"output_not_a_table", 1, "output = 3", 1, "output", "expected a table, got a number"},
      // shoot and quantities
      {"shoot_without_unknowns", 0, "[shoot]\nunknowns = []\nconditions = [\"x\"]", 18, "shoot.unknowns",
       "at least one unknown"},
      {"shoot_unknowns_missing", 0, "[shoot]\nconditions = [\"x\"]", 17, "shoot.unknowns", "missing"},
      {"shoot_unknown_misspelt", 0, "[shoot]\nunknowns = [{ name = \"velocty.x\" }]\nconditions = [\"x\"]", 18,
       "shoot.unknowns.name", "did you mean \"velocity.x\"?"},
      {"shoot_unknown_parameter", 0, "[shoot]\nunknowns = [{ name = \"parameters.q\" }]\nconditions = [\"x\"]", 18,
       "shoot.unknowns.name", "there is no parameters.q"},
      {"shoot_momentum_not_given", 0, "[shoot]\nunknowns = [{ name = \"momentum.x\" }]\nconditions = [\"x\"]", 18,
       "shoot.unknowns.name", "write velocity.x"},
      {"shoot_unknown_without_name", 0, "[shoot]\nunknowns = [{ guess = 1 }]\nconditions = [\"x\"]", 18,
       "shoot.unknowns.name", "missing"},
      {"shoot_unknown_twice", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\" }, { name = \"velocity.x\" }]\nconditions = [\"x\"]", 18,
       "shoot.unknowns.name", "given twice"},
      {"shoot_guess_outside", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\", guess = 5, max = 2 }]\nconditions = [\"x\"]", 18,
       "shoot.unknowns.guess", "outside its bounds"},
      {"shoot_value_outside", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\", min = 2 }]\nconditions = [\"x\"]", 18,
       "shoot.unknowns.name", "outside its bounds"},
      {"shoot_bounds_crossed", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\", min = 2, max = 1 }]\nconditions = [\"x\"]", 18,
       "shoot.unknowns.min", "above max"},
      {"shoot_guess_text", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\", guess = \"a\" }]\nconditions = [\"x\"]",
       18, "shoot.unknowns.guess", "expected a number"},
      {"shoot_unknown_key", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\", gess = 1 }]\nconditions = [\"x\"]", 18,
       "shoot.unknowns.gess", "did you mean \"guess\"?"},
      {"shoot_duration_negative", 0, "[shoot]\nunknowns = [{ name = \"duration\", guess = -1 }]\nconditions = [\"x\"]",
       18, "shoot.unknowns.guess", "above 0"},
      {"shoot_no_conditions", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\" }]", 17, "shoot.conditions", "missing"},
      {"shoot_conditions_empty", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = []", 19,
       "shoot.conditions", "at least one condition"},
      {"shoot_condition_unknown_name", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [\"z - 1\"]",
       19, "shoot.conditions", "unknown name 'z'"},
      {"shoot_condition_at_zero", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [{ at = 0, equation = \"x\" }]", 19,
       "shoot.conditions.at", "from 1"},
      {"shoot_side_without_impact", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [{ side = \"after\", equation = \"x\" }]", 19,
       "shoot.conditions.side", "give at"},
      {"shoot_side_misspelt", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [{ at = 1, side = \"aftr\", equation = \"x\" }]",
       19, "shoot.conditions.side", "did you mean \"after\"?"},
      {"shoot_condition_twice", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [\"x\", \"x\"]", 19,
       "shoot.conditions", "given twice"},
      {"shoot_sequence_of_nothing", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [\"x\"]\nimpacts = [\"floor\"]", 20,
       "shoot.impacts", "there is no contact \"floor\""},
      {"shoot_from_without_value", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [\"x\"]\nfrom = [{ name = \"parameters.g\" }]",
       20, "shoot.from.value", "missing"},
      {"shoot_from_is_unknown", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [\"x\"]\nfrom = [{ name = \"velocity.x\", value "
       "= 1 }]",
       20, "shoot.from", "an unknown already"},
      {"shoot_periodic_unknown", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nperiodic = [\"z\"]", 19,
       "shoot.periodic", "no coordinate \"z\""},
      {"shoot_tolerance", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [\"x\"]\ntolerance = 2", 20,
       "shoot.tolerance", "between 0 and 1"},
      {"shoot_iterations", 0,
       "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [\"x\"]\nmax_iterations = 0", 20,
       "shoot.max_iterations", "from 1"},
      {"shoot_misspelt_key", 0, "[shoot]\nunknowns = [{ name = \"velocity.x\" }]\nconditions = [\"x\"]\nimpact = []",
       20, "shoot.impact", "did you mean \"impacts\"?"},
      {"quantity_unknown_name", 0, "[output]\nquantities = [\"x + z\"]", 18, "output.quantities", "unknown name 'z'"},
      {"quantity_without_formula", 0, "[output]\nquantities = [{ name = \"a\" }]", 18, "output.quantities.formula",
       "missing"},
      {"quantities_text", 0, "[output]\nquantities = \"x\"", 18, "output.quantities", "a list of formulas"},
      {"expect_solution_without_shoot", 0, "[expect]\nsolution.iterations = 3", 18, "expect.solution", "no such field"},
      {"optimize_without_controls", 0, "[optimize]\nfinal = \"0\"", 17, "optimize.controls", "missing"},
      {"optimize_no_intervals", 0, "[optimize]\ncontrols = [\"u\"]", 17, "optimize.intervals", "missing"},
      {"optimize_control_is_a_coordinate", 0, "[optimize]\ncontrols = [\"x\"]\nintervals = 8", 18, "optimize.controls",
       "given twice"},
      {"optimize_bounds_of_nothing", 0, "[optimize]\ncontrols = [\"u\"]\nintervals = 8\nbounds = { w = [0, 1] }", 20,
       "optimize.bounds.w", "expected a control"},
      {"optimize_search_without_contact", 0, "[optimize]\ncontrols = [\"u\"]\nintervals = 8\nimpacts = \"search\"", 20,
       "optimize.impacts", "no contact"},
      {"schedule_without_controls", 0, "[schedule]\ntimes = [0, 1]", 17, "schedule", "[optimize]"},
      // coordinates and parameters
      {"coordinates_missing", 3, "", 2, "system.coordinates", "missing"},
      {"coordinates_text", 3, "coordinates = \"x\"", 3, "system.coordinates", "expected a list of names"},
      {"coordinates_empty", 3, "coordinates = []", 3, "system.coordinates", "at least one coordinate"},
      {"coordinate_twice", 3, "coordinates = [\"x\", \"y\", \"x\"]", 3, "system.coordinates", "\"x\" is given twice"},
      {"coordinate_reserved", 3, "coordinates = [\"x\", \"sin\"]", 3, "system.coordinates", "reserved"},
      {"coordinate_is_a_parameter", 3, "coordinates = [\"x\", \"y\", \"m\"]", 3, "system.coordinates",
       "\"m\" is given twice"},
      {"coordinate_no_name", 3, "coordinates = [\"x\", \"2y\"]", 3, "system.coordinates", ""},
      {"array_of_unknown_length", 3, "coordinates = [\"x[1..n]\", \"y\"]", 3, "system.coordinates", "unknown name 'n'"},
      {"array_too_long", 3, "coordinates = [\"x[1..200000]\", \"y\"]", 3, "system.coordinates",
       "more than 100000 coordinates"},
      {"parameter_unknown_name", 7, "g = \"gravity\"", 7, "system.parameters.g", "unknown name 'gravity'"},
      {"parameter_of_one_below", 6, "m = \"2*g\"", 6, "system.parameters.m", "'g' stands below"},
      {"parameter_nan", 7, "g = nan", 7, "system.parameters.g", "finite"},
      {"parameter_infinite", 7, "g = -inf", 7, "system.parameters.g", "finite"},
      {"parameter_divides_by_zero", 7, "g = \"1/(m - m)\"", 7, "system.parameters.g", "finite"},
      {"parameter_boolean", 7, "g = true", 7, "system.parameters.g", "expected a number or a formula"},
      {"parameter_reserved", 7, "pi = 3", 7, "system.parameters.pi", "reserved"},
      {"parameter_uses_time", 7, "g = \"9.81*t\"", 7, "system.parameters.g", "t"},
      {"cyclic_define", 0, "[system.define]\na = \"b + 1\"\nb = \"a + 1\"", 18, "system.define.a", "'b' stands below"},
      {"define_of_itself", 0, "[system.define]\na = \"a + 1\"", 18, "system.define.a",
       "'a' stands below or is this one itself"},
      {"define_hides_coordinate", 0, "[system.define]\nx = \"y\"", 18, "system.define.x", "given twice"},
      // the Lagrangian
      {"lagrangian_missing", 4, "", 2, "system.lagrangian", "missing"},
      {"lagrangian_undefined_name", 4, "lagrangian = \"m/2*(x'^2 + y'^2) - M*g*y\"", 4, "system.lagrangian",
       "did you mean \"m\"?"},
      {"lagrangian_syntax", 4, "lagrangian = \"m/2*(x'^2 + y'^2 - m*g*y\"", 4, "system.lagrangian", "expected"},
      {"lagrangian_implicit_product", 4, "lagrangian = \"m/2*(x'^2 + y'^2) - m g*y\"", 4, "system.lagrangian",
       "expected"},
      {"lagrangian_kink", 4, "lagrangian = \"m/2*(x'^2 + y'^2) - abs(y)\"", 4, "system.lagrangian", "smooth"},
      {"lagrangian_number", 4, "lagrangian = [1]", 4, "system.lagrangian",
       "expected a number or a formula, got a list"},
      {"lagrangian_and_kinetic", 4, "lagrangian = \"x'^2\"\nkinetic = \"x'^2\"", 5, "system.kinetic", "given already"},
      {"potential_alone", 4, "potential = \"g*y\"", 2, "system.kinetic", "missing"},
      {"singular_mass", 4, "lagrangian = \"m/2*x'^2 - m*g*y\"", 4, "system.lagrangian", "singular"},
      {"index_on_scalar", 4, "lagrangian = \"m/2*(x[1]'^2 + y'^2)\"", 4, "system.lagrangian", "no elements"},
      // contacts, constraints, forces, symmetries
      {"contact_not_a_list", 0, "[system.contact]\ngap = \"y\"", 17, "system.contact", "[[system.contact]]"},
      {"contact_without_gap", 0, "[[system.contact]]\nname = \"floor\"", 17, "system.contact.gap", "missing"},
      {"contact_gap_of_velocity", 0, "[[system.contact]]\ngap = \"y'\"", 18, "system.contact.gap", "velocities"},
      {"contact_gap_kinked_oddly", 0, "[[system.contact]]\ngap = \"sin(abs(y))\"", 18, "system.contact.gap", ""},
      {"contact_unknown_law", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"neuton\"", 19, "system.contact.law",
       "did you mean \"newton\"?"},
      {"contact_newton_without_restitution", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"newton\"", 17,
       "system.contact.restitution", "missing"},
      {"contact_restitution_too_large", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = 1.5", 20,
       "system.contact.restitution", "from 0 to 1"},
      {"contact_elastic_with_restitution", 0, "[[system.contact]]\ngap = \"y\"\nrestitution = 0.5", 19,
       "system.contact.restitution", "the law elastic has no restitution"},
      {"contact_restitution_negative_formula", 0,
       "[[system.contact]]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = \"1 - 3*m\"", 20, "system.contact.restitution",
       "from 0 to 1"},
      {"contact_restitution_of_position", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = \"x\"",
       20, "system.contact.restitution", "coordinates"},
      {"contact_restitution_misspelt_speed", 0,
       "[[system.contact]]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = \"exp(-sped)\"", 20,
       "system.contact.restitution", "speed"},
      {"contact_newton_with_friction", 0,
       "[[system.contact]]\ngap = \"y\"\nlaw = \"newton\"\nrestitution = 0.5\nfriction = 0.3", 21,
       "system.contact.friction", "the law newton has no friction"},
      {"contact_plastic_with_restitution", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"plastic\"\nrestitution = 0.5",
       20, "system.contact.restitution", "the law plastic has no restitution"},
      {"contact_plastic_negative_friction", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"plastic\"\nfriction = -0.1",
       20, "system.contact.friction", "at least 0"},
      {"contact_coulomb_without_frame", 0,
       "[[system.contact]]\ngap = \"y\"\nlaw = \"coulomb\"\nrestitution = 0\nfriction = 1", 19, "system.contact.law",
       "needs point or tangent"},
      {"contact_coulomb_without_friction", 0,
       "[[system.contact]]\ngap = \"y\"\nlaw = \"coulomb\"\nrestitution = 0\npoint = [\"x\", \"y\"]", 17,
       "system.contact.friction", "missing"},
      {"contact_point_and_tangent", 0,
       "[[system.contact]]\ngap = \"y\"\nlaw = \"plastic\"\npoint = [\"x\", \"y\"]\ntangent = [[1, 0]]", 21,
       "system.contact.tangent", "give one of the two"},
      {"contact_point_of_one", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"plastic\"\npoint = [\"x\"]", 20,
       "system.contact.point", "expected 2 to 3 entries"},
      {"contact_tangent_row_too_short", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"plastic\"\ntangent = [[1]]", 20,
       "system.contact.tangent", "expected 2 entries"},
      {"contact_tangent_of_zeros", 0,
       "[[system.contact]]\nname = \"floor\"\ngap = \"y\"\nlaw = \"plastic\"\ntangent = [[0, \"0*x\"]]", 21,
       "system.contact.floor.tangent", "a row of zeros"},
      {"contact_tangent_too_many", 0,
       "[[system.contact]]\ngap = \"y\"\nlaw = \"plastic\"\ntangent = [[1, 0], [0, 1], [1, 1]]", 20,
       "system.contact.tangent", "1 or 2 rows"},
      {"contact_tangent_empty", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"plastic\"\ntangent = []", 20,
       "system.contact.tangent", "1 or 2 rows"},
      {"contact_tangent_of_velocity", 0, "[[system.contact]]\ngap = \"y\"\nlaw = \"plastic\"\ntangent = [[\"x'\", 0]]",
       20, "system.contact.tangent", "velocities"},
      {"contact_point_beside_its_gap", 0,
       "[[system.contact]]\nname = \"floor\"\ngap = \"y\"\nlaw = \"plastic\"\npoint = [\"x\", \"2\"]", 21,
       "system.contact.floor.point", "does not move with its gap"},
      {"contact_lossy_law_not_quadratic", 4,
       "lagrangian = \"m/2*(x'^2 + y'^2) + x'^4 - m*g*y\"\n[[system.contact]]\nname = \"floor\"\ngap = \"y\"\nlaw = "
       "\"newton\"\nrestitution = 0.5",
       8, "system.contact.floor.law", "quadratic in the velocities"},
      {"contact_name_twice", 0,
       "[[system.contact]]\nname = \"a\"\ngap = \"y\"\n[[system.contact]]\nname = \"a\"\ngap = \"x\"", 21,
       "system.contact.name", "\"a\" is given twice"},
      {"contact_negative_friction", 0,
       "[[system.contact]]\ngap = \"y\"\nlaw = \"coulomb\"\nrestitution = 0\nfriction = -1\npoint = [\"x\", \"y\"]", 21,
       "system.contact.friction", "at least 0"},
      {"contact_of_smooth_method", 0, "[[system.contact]]\nname = \"floor\"\ngap = \"y\"", 12, "integrator.method",
       "contact"},
      {"for_bad_range", 0, "[[system.force]]\nfor = \"i in 1..k\"\ncomponents = [\"0\", \"0\"]", 18, "system.force.for",
       "unknown name 'k'"},
      {"for_takes_a_name", 0, "[[system.force]]\nfor = \"m in 1..2\"\ncomponents = [\"0\", \"0\"]", 18,
       "system.force.for", "given twice"},
      {"force_wrong_length", 0, "[[system.force]]\ncomponents = [\"-x'\"]", 18, "system.force.components",
       "expected 2 entries"},
      {"force_unknown_coordinate", 0, "[[system.force]]\ncomponents = { z = \"1\" }", 18, "system.force.components.z",
       "no coordinate"},
      {"symmetry_wrong_length", 0, "[[system.symmetry]]\nname = \"p\"\ngenerator = [\"1\"]", 19,
       "system.symmetry.generator", "expected 2 entries"},
      {"symmetry_of_velocity", 0, "[[system.symmetry]]\nname = \"p\"\ngenerator = [\"x'\", \"0\"]", 19,
       "system.symmetry.generator", "velocities"},
      {"holonomic_kink", 0, "[[system.holonomic]]\nequation = \"abs(x) - 1\"", 18, "system.holonomic.equation",
       "smooth"},
      {"holonomic_time", 0, "[[system.holonomic]]\nequation = \"x - t\"", 18, "system.holonomic.equation", "time"},
      {"nonholonomic_not_linear", 0, "[[system.nonholonomic]]\nequation = \"x'^2 - y'\"", 18,
       "system.nonholonomic.equation", "linear"},
      // initial
      {"initial_missing", 8, "[intial]", 8, "intial", "did you mean \"initial\"?"},
      {"position_missing", 9, "", 8, "initial.position", "missing"},
      {"position_too_short", 9, "position = [0.0]", 9, "initial.position",
       "expected 2 entries, one for each coordinate, got 1"},
      {"position_nan", 9, "position = [0.0, nan]", 9, "initial.position", "finite"},
      {"position_of_coordinate", 9, "position = [0.0, \"x\"]", 9, "initial.position", "coordinates"},
      {"position_unknown_name", 9, "position = { x = 1.0, z = 2.0 }", 9, "initial.position.z", "no coordinate"},
      {"position_text", 9, "position = \"0\"", 9, "initial.position",
       "expected a list in coordinate order or a table by name"},
      {"velocity_and_momentum", 10, "velocity = [1.0, 0.0]\nmomentum = [1.0, 0.0]", 11, "initial.momentum",
       "given already"},
      {"velocity_missing", 10, "", 8, "initial.velocity", "missing"},
      {"velocity_misspelt", 10, "velocty = [1.0, 0.0]", 10, "initial.velocty", "did you mean \"velocity\"?"},
      // integrator
      {"method_missing", 12, "", 11, "integrator.method", "missing"},
      {"method_misspelt", 12, "method = \"variatonal\"", 12, "integrator.method", "did you mean \"variational\"?"},
      {"discretization_misspelt", 13, "discretization = \"trapezodial\"", 13, "integrator.discretization",
       "did you mean \"trapezoidal\"?"},
      {"step_missing", 14, "", 11, "integrator.step", "missing"},
      {"step_negative", 14, "step = -0.01", 14, "integrator.step", "above 0"},
      {"step_zero", 14, "step = 0", 14, "integrator.step", "above 0"},
      {"step_nan", 14, "step = nan", 14, "integrator.step", "finite"},
      {"step_text", 14, "step = \"small\"", 14, "integrator.step", "expected a number, got text"},
      {"parameter_of_other_discretization", 14, "step = 0.01\ngamma = 0.5", 15, "integrator.gamma", "rectangle"},
      {"parameter_out_of_range", 13, "discretization = \"galerkin\"\ndegree = 99", 14, "integrator.degree",
       "from 1 to"},
      {"parameter_not_whole", 13, "discretization = \"galerkin\"\ndegree = 2.5", 14, "integrator.degree",
       "whole number"},
      {"parameter_misspelt", 14, "step = 0.01\ntolerence = 1e-9", 15, "integrator.tolerence",
       "did you mean \"tolerance\"?"},
      // run, output, rest
      {"run_without_end", 16, "start = 0.0", 15, "run.duration", "expected duration, impacts, or both"},
      {"direction_unknown", 0, "direction = \"backwards\"", 17, "run.direction", "did you mean \"backward\"?"},
      {"duration_negative", 16, "duration = -1.0", 16, "run.duration", "above 0"},
      {"duration_infinite", 16, "duration = inf", 16, "run.duration", "finite"},
      {"duration_endless", 16, "duration = 1e300", 16, "run.duration", "steps"},
      {"impacts_without_contact", 16, "impacts = 10", 16, "run.impacts", "no contact"},
      {"impacts_not_whole", 16, "impacts = 1.5", 16, "run.impacts", "whole number"},
      {"every_negative", 0, "[output]\nevery = -1", 18, "output.every", "0 (first and last only)"},
      {"ledger_not_boolean", 0, "[output]\nledger = \"no\"", 18, "output.ledger", "expected true or false"},
      {"rest_policy", 0, "[contact.rest]\npolicy = \"of\"", 18, "contact.rest.policy", "did you mean \"off\"?"},
      {"rest_impacts", 0, "[contact.rest]\nmax_impacts_per_step = 0", 18, "contact.rest.max_impacts_per_step",
       "at least 1"},
      // expect and view
      {"expect_unknown_field", 0, "[expect]\nenergy.relative_rnge = { max = 1 }", 18, "expect.energy.relative_rnge",
       "did you mean \"relative_range\"?"},
      {"expect_unknown_momentum", 0, "[expect]\nmomentum.spin.initial = 1", 18, "expect.momentum.spin", "no symmetry"},
      {"expect_value_without_tolerance", 0, "[expect]\nsteps = { value = 3 }", 18, "expect.steps", "tolerance"},
      {"expect_misspelt_bound", 0, "[expect]\nsteps = { mni = 3 }", 18, "expect.steps.mni", "did you mean \"min\"?"},
      {"expect_impossible", 0, "[expect]\nsteps = { min = 3, max = 2 }", 18, "expect.steps.min", "above max"},
      {"shape_unknown_kind", 0, "[[view.shape]]\nkind = \"cirle\"\nat = [\"x\", \"y\"]", 18, "view.shape.kind",
       "did you mean \"circle\"?"},
      {"shape_without_radius", 0, "[[view.shape]]\nkind = \"circle\"\nat = [\"x\", \"y\"]", 17, "view.shape.radius",
       "missing"},
      {"shape_one_dimension", 0, "[[view.shape]]\nkind = \"point\"\nat = [\"x\"]", 19, "view.shape.at",
       "expected 2 or 3 entries, got 1"},
      {"shape_foreign_key", 0, "[[view.shape]]\nkind = \"point\"\nat = [\"x\", \"y\"]\ncoils = 3", 20,
       "view.shape.coils", "unknown key"},
      {"shape_unknown_name", 0, "[[view.shape]]\nkind = \"point\"\nat = [\"x\", \"z\"]", 19, "view.shape.at",
       "unknown name 'z'"},
      {"shape_color", 0, "[[view.shape]]\nkind = \"point\"\nat = [\"x\", \"y\"]\ncolor = \"<script>\"", 20,
       "view.shape.color", "colour"},
      // bounded
      {"deep_brackets", 0, "[deep]\nx = " + std::string(100'000, '['), 18, "", "nested deeper"},
      {"deep_key", 0, "a" + std::string(20, '.') + " = 1", 17, "", "dots"},
      {"deep_dotted_key", 0,
       [] {
         std::string key = "a";
         for (int k = 0; k < 100'000; ++k) key += ".a";
         return key + " = 1";
       }(),
       17, "", "dots"},
      {"deep_formula", 4, "lagrangian = \"" + std::string(100'000, '(') + "\"", 4, "system.lagrangian", "nest"},
      {"huge_sum", 4, "lagrangian = \"sum(i in 1..100000, sum(j in 1..100000, x'^2*i*j))\"", 4, "system.lagrangian",
       "too many"},
      {"huge_for_of_sums", 0,
       "[[system.force]]\nfor = \"i in 1..100000\"\ncomponents = [\"i*sum(j in 1..40000, j*x)\", \"0\"]", 19,
       "system.force.components", "too many"},
      {"huge_for", 0, "[[system.force]]\nfor = \"i in 1..100000, j in 1..100000\"\ncomponents = [\"0\", \"0\"]", 18,
       "system.force.for", ""},
  };
  return list;
}

}  // namespace ricochet::test
