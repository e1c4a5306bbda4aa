#pragma once
// What a user writes down: coordinates, a Lagrangian, contacts, constraints, forces, symmetries, as formulas.
// A Model is a value under construction; a System (system.hpp) is made of it once and never changes.

#include <memory>
#include <string>
#include <vector>

#include "ricochet/formula/expr.hpp"

namespace ricochet {

using formula::Expr;

struct Contact {
  std::string name;
  Expr gap;                     // >= 0 where the system may be
  std::string law = "elastic";  // elastic | newton | coulomb | plastic
  Expr restitution{};           // formula of `speed`, if the law has one
  Expr friction{};
  std::vector<Expr> point{};  // contact point, 2 or 3 formulas
  std::vector<std::vector<Expr>> tangent{};
};

struct Constraint {
  std::string name;
  Expr equation;  // = 0
};

struct Force {
  std::string name;
  std::vector<Expr> components;
};

struct Symmetry {
  std::string name;
  std::vector<Expr> generator;  // of q; the momentum map is p · generator(q)
};

struct Model {
  std::shared_ptr<formula::Graph> graph = std::make_shared<formula::Graph>();
  std::vector<std::string> coordinates;  // names in order, array elements as "x[1]"
  Expr lagrangian{};
  std::vector<Contact> contacts;
  std::vector<Constraint> holonomic, nonholonomic;
  std::vector<Force> forces;
  std::vector<Symmetry> symmetries;

  Expr coordinate(const std::string& name);  // adds one
  Expr time() { return graph->time(); }
  std::vector<Expr> q() const;
  std::vector<Expr> v() const;
};

// The model with time running backwards from t: velocities change sign. A motion of one, read backwards, is a motion of
// the other, with momenta of opposite sign.
Model reversed(const Model& model, double t);

}  // namespace ricochet
