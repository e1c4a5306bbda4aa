#include "ricochet/continuum/solid.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/error.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet::continuum {

namespace {

std::string key_of(const PlaneBody& body, const char* key) {
  return fmt::format("continuum.body.{}.{}", body.name, key);
}

// Parts of the area that are nearest to each corner.
std::array<double, 3> shares(const double* a, const double* b, const double* c) {
  const auto square = [](const double* p, const double* q) {
    return (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
  };
  const std::array<double, 3> opposite{square(b, c), square(c, a), square(a, b)};
  std::array<double, 3> w{};
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double p = opposite[k], q = opposite[(k + 1) % 3], r = opposite[(k + 2) % 3];
    if (p >= q + r) {
      w = {0.25, 0.25, 0.25};
      w[k] = 0.5;
      return w;
    }
    w[k] = q * (r + p - q) + r * (p + q - r);  // the circumcentre's parts, up to a factor
    sum += w[k];
  }
  for (double& x : w) x /= sum;
  return w;
}

}  // namespace

Solid::Solid(const Model& model) : gravity(model.plane->gravity), start(model.start), courant(courant_number(model)) {
  const Plane& plane = *model.plane;
  if (plane.bodies.empty()) throw ModelError("continuum.body", "there is no body");
  for (const PlaneBody& body : plane.bodies) {
    if (part_named(body.name) >= 0) throw ModelError(key_of(body, "name"), "the name is given twice");
    add_body(body, std::any_of(model.contacts.begin(), model.contacts.end(),
                               [&](const ContactPair& c) { return c.a == body.name || c.b == body.name; }));
  }
  // corners of the nodes, in the order of the elements
  first_corner.assign(nodes() + 1, 0);
  for (const Triangle& t : triangles)
    for (const int i : t) ++first_corner[i + 1];
  for (std::size_t i = 0; i < nodes(); ++i) first_corner[i + 1] += first_corner[i];
  corners.resize(3 * cells());
  std::vector<std::uint32_t> next(first_corner.begin(), first_corner.end() - 1);
  for (std::size_t e = 0; e < cells(); ++e)
    for (std::size_t a = 0; a < 3; ++a) corners[next[triangles[e][a]]++] = static_cast<std::uint32_t>(3 * e + a);
  inverse_mass.resize(nodes());
  for (std::size_t i = 0; i < nodes(); ++i) inverse_mass[i] = 1 / mass[i];
  slide_of.assign(nodes(), -1);
  for (std::size_t k = 0; k < plane.bodies.size(); ++k) add_conditions(plane.bodies[k], parts[k].first_node);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto meets = [&](const ContactPair& c) { return c.a == parts[k].name || c.b == parts[k].name; };
    const auto massless = [&](const ContactPair& c) { return meets(c) && c.treatment == Treatment::redistributed; };
    if (std::none_of(model.contacts.begin(), model.contacts.end(), massless)) continue;
    for (const ContactPair& c : model.contacts)
      if (meets(c) && !massless(c))
        throw ModelError(
            "continuum.contact",
            fmt::format("{}-{}: the surface of '{}' has no mass in another contact, which is redistributed; "
                        "take it here too",
                        c.a, c.b, parts[k].name));
    if (model.scheme == Scheme::avi)
      throw ModelError("continuum.contact",
                       "redistributed needs verlet in the plane; avi takes multiplier, decomposed or penalty");
    redistribute(k);
  }
}

void Solid::add_body(const PlaneBody& body, bool in_contact) {
  if (const std::string what = defect(body.mesh); !what.empty()) throw ModelError(key_of(body, "mesh"), what);
  if (!(body.rho > 0) || !std::isfinite(body.rho))
    throw ModelError(key_of(body, "material"), fmt::format("expected a density rho above 0, got {}", body.rho));
  const double lambda = lambda_of(body.law), mu = mu_of(body.law);
  if (!(mu > 0) || !(lambda + mu > 0) || !std::isfinite(lambda + mu))
    throw ModelError(key_of(body, "material"),
                     fmt::format("expected mu > 0 and lambda + mu > 0, got lambda = {}, mu = {}", lambda, mu));
  SolidPart part{body.name, body.law,
                 body.rho,  !is_linear(body.law) || in_contact,
                 nodes(),   nodes() + body.mesh.nodes(),
                 cells(),   cells() + body.mesh.triangles.size()};
  const auto offset = static_cast<int>(part.first_node);
  X.insert(X.end(), body.mesh.X.begin(), body.mesh.X.end());
  mass.resize(part.last_node, 0.0);
  for (std::size_t i = part.first_node; i < part.last_node; ++i)
    for (const auto& [field, to, key] :
         {std::tuple{&body.displacement, &u, "displacement"}, {&body.velocity, &v, "velocity"}}) {
      const std::array<double, 2> at = *field ? (*field)(X[2 * i], X[2 * i + 1]) : std::array<double, 2>{0, 0};
      if (!std::isfinite(at[0]) || !std::isfinite(at[1]))
        throw ModelError(key_of(body, key), fmt::format("no finite value at ({}, {})", X[2 * i], X[2 * i + 1]));
      to->insert(to->end(), at.begin(), at.end());
    }
  for (const Triangle& t : body.mesh.triangles) {
    triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    const Triangle& c = triangles.back();
    const double *a = &X[2 * c[0]], *b = &X[2 * c[1]], *d = &X[2 * c[2]];
    const double ax = b[0] - a[0], ay = b[1] - a[1], bx = d[0] - a[0], by = d[1] - a[1], twice = ax * by - ay * bx;
    shapes.push_back({by / twice, -bx / twice, -ay / twice, ax / twice, 0.5 * twice});
    const std::array<double, 3> part_of_area = shares(a, b, d);
    for (int k = 0; k < 3; ++k) {
      corner_mass.push_back(body.rho * shapes.back().area * part_of_area[k]);
      mass[c[k]] += corner_mass.back();
    }
  }
  parts.push_back(part);
  for (std::size_t e = part.first_cell; e < part.last_cell; ++e) {
    const Gradient H = gradient(e, u.data());
    if (parts.back().upright && !(1 + H.trace() + H.det() > 0))
      throw ModelError(key_of(body, "displacement"), fmt::format("{} is turned inside out at the start: J = {}",
                                                                 place(*this, e, u.data()), 1 + H.trace() + H.det()));
    rest_frequency.push_back(frequency(e, {}));
  }
  std::vector<Segment>& surface = surfaces.emplace_back();
  for (const Segment& s : boundary(body.mesh.triangles)) surface.push_back({s[0] + offset, s[1] + offset});
}

// A node of a fixed or moving edge is held, whatever else it belongs to; two sliding edges that are not parallel hold a
// node too.
void Solid::add_conditions(const PlaneBody& body, std::size_t first) {
  std::vector<int> held(body.mesh.nodes(), 0);
  const auto hold = [&](int node, int motion) {
    const int i = node + static_cast<int>(first);
    if (held[node]) return;
    held[node] = 1;
    holds.push_back({i, motion});
    inverse_mass[i] = 0;
    if (motion < 0) return;
    const std::array<double, 2> at = motions[motion](start);
    const double size = std::abs(at[0]) + std::abs(at[1]) + std::abs(u[2 * i]) + std::abs(u[2 * i + 1]);
    if (!(std::abs(at[0] - u[2 * i]) + std::abs(at[1] - u[2 * i + 1]) <= 64 * epsilon * size))
      throw ModelError(key_of(body, "moving"),
                       fmt::format("the displacement of the edge is ({}, {}) at t = {}, but the body begins with ({}, "
                                   "{}) at ({}, {})",
                                   at[0], at[1], start, u[2 * i], u[2 * i + 1], X[2 * i], X[2 * i + 1]));
  };
  const auto edge = [&](const EdgeCondition& c) -> const NamedEdge& {
    for (const NamedEdge& e : body.mesh.edges)
      if (e.name == c.edge) return e;
    std::string names;
    for (const NamedEdge& e : body.mesh.edges) names += (names.empty() ? "" : ", ") + e.name;
    throw ModelError(key_of(body, c.kind == EdgeCondition::fixed    ? "fixed"
                                  : c.kind == EdgeCondition::moving ? "moving"
                                                                    : "sliding"),
                     fmt::format("there is no edge '{}'; the mesh has {}", c.edge, names.empty() ? "none" : names));
  };
  for (const EdgeCondition& c : body.conditions) {
    if (c.kind == EdgeCondition::moving) motions.push_back(c.motion);
    for (const Segment& s : edge(c).segments)
      for (const int node : s)
        if (c.kind != EdgeCondition::sliding)
          hold(node, c.kind == EdgeCondition::moving ? static_cast<int>(motions.size()) - 1 : -1);
  }
  for (const EdgeCondition& c : body.conditions) {
    if (c.kind != EdgeCondition::sliding) continue;
    for (const Segment& s : edge(c).segments) {
      const double *a = &body.mesh.X[2 * s[0]], *b = &body.mesh.X[2 * s[1]];
      const double length = std::hypot(b[0] - a[0], b[1] - a[1]), nx = (b[1] - a[1]) / length,
                   ny = (a[0] - b[0]) / length;
      for (const int node : s) {
        if (held[node]) continue;
        const int i = node + static_cast<int>(first);
        if (slide_of[i] < 0) {
          slide_of[i] = static_cast<int>(slides.size());
          slides.push_back({i, nx, ny});
        } else if (const Slide& other = slides[slide_of[i]]; std::abs(other.nx * ny - other.ny * nx) > 1e-9) {
          hold(node, -1);
        }
      }
    }
  }
  std::erase_if(slides, [&](const Slide& s) { return inverse_mass[s.node] == 0; });
  std::fill(slide_of.begin(), slide_of.end(), -1);
  for (std::size_t k = 0; k < slides.size(); ++k) {
    const Slide& s = slides[k];
    slide_of[s.node] = static_cast<int>(k);
    const double across = s.nx * v[2 * s.node] + s.ny * v[2 * s.node + 1];
    v[2 * s.node] -= across * s.nx;
    v[2 * s.node + 1] -= across * s.ny;
  }
  for (const Hold& h : holds)
    if (h.motion < 0) v[2 * h.node] = v[2 * h.node + 1] = 0;
}

// The largest eigenvalue of M⁻¹K of one element. Masses are parts of the element's: of a mass in other units the root
// is another number.
double Solid::frequency(std::size_t cell, const Gradient& H) const {
  const CellShape& s = shapes[cell];
  const double g[3][2] = {{-s.g1x - s.g2x, -s.g1y - s.g2y}, {s.g1x, s.g1y}, {s.g2x, s.g2y}},
               *m = &corner_mass[3 * cell], whole = m[0] + m[1] + m[2];
  Eigen::Matrix<double, 4, 6> B = Eigen::Matrix<double, 4, 6>::Zero();
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        if (m[a] > 0) B(2 * i + j, 2 * a + i) = g[a][j] * std::sqrt(whole / m[a]);
  const Eigen::Matrix<double, 6, 6> K = B.transpose() * tangent(part_of(cell).law, H) * B;
  const auto eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>>(K, Eigen::EigenvaluesOnly).eigenvalues();
  return whole > 0 ? eigenvalues[5] * s.area / whole : 0;
}

const SolidPart& Solid::part_of(std::size_t cell) const {
  return *std::find_if(parts.begin(), parts.end(),
                       [cell](const SolidPart& p) { return cell >= p.first_cell && cell < p.last_cell; });
}

int Solid::part_named(const std::string& name) const {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const SolidPart& p) { return p.name == name; });
  return found == parts.end() ? -1 : static_cast<int>(found - parts.begin());
}

std::string place(const Solid& solid, std::size_t cell, const double* u) {
  double x = 0, y = 0;
  for (const int i : solid.triangles[cell]) x += solid.X[2 * i] + u[2 * i], y += solid.X[2 * i + 1] + u[2 * i + 1];
  const SolidPart& part = solid.part_of(cell);
  return fmt::format("element {} of '{}' at ({:.6g}, {:.6g})", cell - part.first_cell + 1, part.name, x / 3, y / 3);
}

double element_step(const Solid& solid, std::size_t e) {
  double largest = solid.rest_frequency[e];
  if (!is_linear(solid.part_of(e).law))
    largest = std::fmax(largest, solid.frequency(e, solid.gradient(e, solid.u.data())));
  return 2 / std::sqrt(largest);
}

double stable_step(const Solid& solid, double spring_frequency) {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < solid.cells(); ++e) shortest = std::fmin(shortest, element_step(solid, e));
  const double largest = 2 / shortest;
  return 2 / std::sqrt(largest * largest + spring_frequency);
}

double choose_step(const Solid& solid, const Model& model, double stable) {
  if (!(solid.courant > 0) || !std::isfinite(solid.courant))
    throw ModelError("continuum.courant", fmt::format("expected a Courant number above 0, got {}", solid.courant));
  if (solid.courant > 1)
    throw ModelError(
        "continuum.courant",
        fmt::format("{} is above the limit of stability, 1 (the stable step is {:.6g})", solid.courant, stable));
  double step = 0;
  if (model.scheme == Scheme::verlet)
    step = solid.courant * stable;
  else
    for (std::size_t e = 0; e < solid.cells(); ++e) step = std::fmax(step, solid.courant * element_step(solid, e));
  if (!(step > 0) || !std::isfinite(step)) throw ModelError("continuum.courant", "there is no stable step");
  // A last step of another length would leave the half-step energy without meaning.
  if (model.scheme == Scheme::verlet && model.duration > 0)
    step = model.duration / std::ceil(model.duration / step * (1 - 1e-9));
  return step;
}

}  // namespace ricochet::continuum
