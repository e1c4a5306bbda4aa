#include "ricochet/continuum/gmsh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>

namespace ricochet::continuum {

namespace {

constexpr std::size_t max_bytes = 1u << 30;

// Words and numbers of a text, with the line for messages.
class Words {
 public:
  Words(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw MeshError(fmt::format("{}:{}: {}", name_, line_, what));
  }

  bool at_end() {
    skip();
    return at_ == text_.size();
  }

  std::string_view word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !blank(text_[at_])) ++at_;
    if (begin == at_) fail("the file ends where more was expected");
    return std::string_view(text_).substr(begin, at_ - begin);
  }

  template <class T>
  T number(const char* what) {
    const std::string_view w = word();
    T x{};
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), x);
    if (error != std::errc() || end != w.data() + w.size())
      fail(fmt::format("expected {}, got \"{}\"", what, w.substr(0, 40)));
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(x)) fail(fmt::format("expected {}, got \"{}\"", what, w.substr(0, 40)));
    return x;
  }
  std::int64_t integer(const char* what) { return number<std::int64_t>(what); }

  // A count: never more than there are bytes left.
  std::size_t count(const char* what) {
    const auto n = integer(what);
    if (n < 0 || static_cast<std::size_t>(n) > text_.size() - at_)
      fail(fmt::format("expected {}, got {}: the file is not that long", what, n));
    return static_cast<std::size_t>(n);
  }

  std::string quoted() {
    skip();
    if (at_ == text_.size() || text_[at_] != '"') fail("expected a name in quotation marks");
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string::npos) fail("the name has no end");
    const std::string name = text_.substr(at_ + 1, end - at_ - 1);
    line_ += static_cast<std::size_t>(std::count(name.begin(), name.end(), '\n'));
    at_ = end + 1;
    return name;
  }

  void expect(const std::string& wanted) {
    if (const std::string_view w = word(); w != wanted)
      fail(fmt::format("expected {}, got \"{}\"", wanted, w.substr(0, 40)));
  }
  void skip_to(const std::string& wanted) {
    while (word() != wanted) {
    }
  }

 private:
  static bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  void skip() {
    for (; at_ < text_.size() && blank(text_[at_]); ++at_) line_ += text_[at_] == '\n';
  }
  const std::string& text_;
  std::string name_;
  std::size_t at_ = 0, line_ = 1;
};

class Reader {
 public:
  Reader(const std::string& text, const std::string& name) : words_(text, name), name_(name) {}

  PlaneMesh read() {
    words_.expect("$MeshFormat");
    const double version = words_.number<double>("the version of the format");
    if (version != 2.2 && version != 4.1)
      words_.fail(fmt::format("format {}; formats 2.2 and 4.1 are read. Gmsh writes them with -format msh41", version));
    new_format_ = version == 4.1;
    if (words_.integer("0 for ASCII") != 0) words_.fail("the file is binary; Gmsh writes ASCII with -save -bin 0");
    words_.integer("the size of a number");
    words_.expect("$EndMeshFormat");
    while (!words_.at_end()) {
      const std::string section(words_.word());
      if (section.empty() || section[0] != '$')
        words_.fail(fmt::format("expected a section, got \"{}\"", section.substr(0, 40)));
      if (section == "$PhysicalNames")
        names();
      else if (section == "$Entities" && new_format_)
        entities();
      else if (section == "$Nodes")
        new_format_ ? nodes_41() : nodes_22();
      else if (section == "$Elements")
        new_format_ ? elements_41() : elements_22();
      else {
        words_.skip_to("$End" + section.substr(1));
        continue;
      }
      words_.expect("$End" + section.substr(1));
    }
    return mesh();
  }

 private:
  struct Line {
    std::int64_t group, a, b;
  };
  struct Face {
    std::int64_t number, node[3];
  };

  void names() {
    for (std::size_t n = words_.count("the number of names"); n > 0; --n) {
      const std::int64_t dimension = words_.integer("a dimension"), tag = words_.integer("the number of a group");
      const std::string name = words_.quoted();
      if (dimension == 1) group_names_[tag] = name;
    }
  }

  void entities() {
    std::size_t counts[4];
    for (std::size_t& n : counts) n = words_.count("a number of entities");
    for (int dimension = 0; dimension < 4; ++dimension)
      for (std::size_t k = 0; k < counts[dimension]; ++k) {
        const std::int64_t tag = words_.integer("the number of an entity");
        for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) words_.number<double>("a coordinate");
        std::vector<std::int64_t> groups;
        for (std::size_t n = words_.count("the number of groups"); n > 0; --n) {
          const std::int64_t g = words_.integer("a group");
          if (g == std::numeric_limits<std::int64_t>::min()) words_.fail("the number of a group is too small");
          groups.push_back(std::abs(g));  // negative: the curve goes the other way
        }
        if (dimension == 1) curve_groups_[tag] = groups;
        if (dimension > 0)
          for (std::size_t n = words_.count("the number of bounds"); n > 0; --n) words_.integer("a bound");
      }
  }

  void node(std::int64_t number, double x, double y, double z) {
    if (!place_.emplace(number, xyz_.size() / 3).second) words_.fail(fmt::format("node {} is given twice", number));
    xyz_.insert(xyz_.end(), {x, y, z});
  }

  void nodes_22() {
    for (std::size_t n = words_.count("the number of nodes"); n > 0; --n) {
      const std::int64_t number = words_.integer("the number of a node");
      const double x = words_.number<double>("a coordinate"), y = words_.number<double>("a coordinate"),
                   z = words_.number<double>("a coordinate");
      node(number, x, y, z);
    }
  }

  void nodes_41() {
    const std::size_t blocks = words_.count("the number of blocks");
    for (int k = 0; k < 3; ++k) words_.integer("a count or number of nodes");
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = words_.integer("a dimension");
      words_.integer("the number of an entity");
      const std::int64_t parametric = words_.integer("0 or 1");
      if (dimension < 0 || dimension > 3) words_.fail(fmt::format("expected a dimension of 0 to 3, got {}", dimension));
      std::vector<std::int64_t> numbers(words_.count("the number of nodes"));
      for (std::int64_t& n : numbers) n = words_.integer("the number of a node");
      for (const std::int64_t n : numbers) {
        const double x = words_.number<double>("a coordinate"), y = words_.number<double>("a coordinate"),
                     z = words_.number<double>("a coordinate");
        for (std::int64_t k = 0; parametric != 0 && k < dimension; ++k) words_.number<double>("a parameter");
        node(n, x, y, z);
      }
    }
  }

  void element(std::int64_t type, std::int64_t number, std::span<const std::int64_t> groups) {
    if (type == 15) {
      words_.integer("the number of a node");
    } else if (type == 1) {
      const std::int64_t a = words_.integer("the number of a node"), b = words_.integer("the number of a node");
      for (const std::int64_t group : groups)
        if (group != 0) lines_.push_back({group, a, b});
    } else if (type == 2) {
      Face f{number, {}};
      for (std::int64_t& n : f.node) n = words_.integer("the number of a node");
      faces_.push_back(f);
    } else {
      words_.fail(
          fmt::format("element {} is of type {}; bodies are made of three-node triangles (type 2)", number, type));
    }
  }

  void elements_22() {
    for (std::size_t n = words_.count("the number of elements"); n > 0; --n) {
      const std::int64_t number = words_.integer("the number of an element"), type = words_.integer("a type");
      std::int64_t group = 0;
      const std::size_t tags = words_.count("the number of tags");
      for (std::size_t k = 0; k < tags; ++k) {
        const std::int64_t tag = words_.integer("a tag");
        if (k == 0) group = tag;
      }
      element(type, number, {&group, 1});
    }
  }

  void elements_41() {
    const std::size_t blocks = words_.count("the number of blocks");
    for (int k = 0; k < 3; ++k) words_.integer("a count or number of elements");
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = words_.integer("a dimension"), entity = words_.integer("the number of an entity"),
                         type = words_.integer("a type");
      const auto found = dimension == 1 ? curve_groups_.find(entity) : curve_groups_.end();
      const std::vector<std::int64_t> groups =
          found == curve_groups_.end() ? std::vector<std::int64_t>{} : found->second;
      for (std::size_t n = words_.count("the number of elements"); n > 0; --n)
        element(type, words_.integer("the number of an element"), groups);
    }
  }

  [[noreturn]] void fail(const std::string& what) const { throw MeshError(fmt::format("{}: {}", name_, what)); }

  std::size_t place(std::int64_t number, const std::string& of) const {
    const auto found = place_.find(number);
    if (found == place_.end()) fail(fmt::format("{} has node {}, which is not in the file", of, number));
    return found->second;
  }

  PlaneMesh mesh() {
    if (faces_.empty()) fail("there is no triangle in it");
    PlaneMesh mesh;
    std::vector<int> index(xyz_.size() / 3, -1);  // of the nodes that triangles have, in the order of the file
    double low = xyz_.empty() ? 0 : xyz_[2], high = low, size = 0;
    for (const Face& f : faces_)
      for (const std::int64_t n : f.node) index[place(n, fmt::format("element {}", f.number))] = 0;
    bool first = true;
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (index[i] < 0) continue;
      index[i] = static_cast<int>(mesh.nodes());
      mesh.X.insert(mesh.X.end(), {xyz_[3 * i], xyz_[3 * i + 1]});
      const double z = xyz_[3 * i + 2];
      low = first ? z : std::fmin(low, z);
      high = first ? z : std::fmax(high, z);
      first = false;
      size = std::fmax(size, std::fmax(std::abs(xyz_[3 * i]), std::abs(xyz_[3 * i + 1])));
    }
    if (high - low > 1e-9 * size) fail(fmt::format("the mesh is not plane: z goes from {} to {}", low, high));
    for (const Face& f : faces_) {
      Triangle t;
      for (int k = 0; k < 3; ++k) t[k] = index[place(f.node[k], "")];
      const double *a = &mesh.X[2 * t[0]], *b = &mesh.X[2 * t[1]], *c = &mesh.X[2 * t[2]];
      const double p = b[0] - a[0], q = b[1] - a[1], r = c[0] - a[0], s = c[1] - a[1], twice = p * s - q * r,
                   sides = p * p + q * q + r * r + s * s;
      if (!(std::abs(twice) > 1e-12 * sides) || !std::isfinite(sides))
        fail(fmt::format("element {} at ({:.6g}, {:.6g}) is degenerate: twice its area is {:.4g}", f.number, a[0], a[1],
                         twice));
      if (twice < 0)
        fail(
            fmt::format("element {} at ({:.6g}, {:.6g}) is turned inside out (clockwise); Gmsh turns a surface with "
                        "Reverse Surface",
                        f.number, a[0], a[1]));
      mesh.triangles.push_back(t);
    }
    if (const std::string what = defect(mesh); !what.empty()) fail(what);
    std::map<Segment, Segment> outer;  // sorted ends -> with the body on the left
    for (const Segment& s : boundary(mesh.triangles)) outer[{std::min(s[0], s[1]), std::max(s[0], s[1])}] = s;
    std::map<std::int64_t, NamedEdge> edges;
    for (const Line& l : lines_) {
      const int a = index[place(l.a, "a line")], b = index[place(l.b, "a line")];
      const auto found = outer.find({std::min(a, b), std::max(a, b)});
      if (found == outer.end()) continue;  // inside the body, or beside it
      edges[l.group].segments.push_back(found->second);
    }
    for (auto& [group, edge] : edges) {
      const auto name = group_names_.find(group);
      edge.name = name == group_names_.end() ? std::to_string(group) : name->second;
      const auto same = std::find_if(mesh.edges.begin(), mesh.edges.end(),
                                     [&](const NamedEdge& other) { return other.name == edge.name; });
      if (same == mesh.edges.end())
        mesh.edges.push_back(std::move(edge));
      else  // groups of one name are one edge
        same->segments.insert(same->segments.end(), edge.segments.begin(), edge.segments.end());
    }
    return mesh;
  }

  Words words_;
  std::string name_;
  bool new_format_ = false;
  std::map<std::int64_t, std::string> group_names_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> curve_groups_;
  std::unordered_map<std::int64_t, std::size_t> place_;
  std::vector<double> xyz_;
  std::vector<Line> lines_;
  std::vector<Face> faces_;
};

}  // namespace

PlaneMesh read_gmsh_text(const std::string& text, const std::string& name) { return Reader(text, name).read(); }

PlaneMesh read_gmsh(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error) throw MeshError(fmt::format("{}: {}", file.string(), error.message()));
  if (size > max_bytes) throw MeshError(fmt::format("{}: larger than {} bytes", file.string(), max_bytes));
  std::ifstream in(file, std::ios::binary);
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (!in || static_cast<std::uintmax_t>(in.gcount()) != size)
    throw MeshError(fmt::format("{}: cannot be read", file.string()));
  return read_gmsh_text(text, file.string());
}

}  // namespace ricochet::continuum
