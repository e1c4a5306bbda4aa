#include <ricochet/formula/differentiate.hpp>
int main() {
  ricochet::formula::Graph g;
  auto x = g.coordinate(0, "x");
  return derivative(square(x), x) == 2 * x ? 0 : 1;
}
