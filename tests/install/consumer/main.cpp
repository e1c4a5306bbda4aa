#include <ricochet/formula/differentiate.hpp>
int main() {
  ricochet::formula::Graph g;
  auto x = g.coordinate(0, "x");
  return derivative(3 * x, x).is_constant(3) ? 0 : 1;
}
