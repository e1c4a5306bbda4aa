#pragma once
// A tree of boxes around simplices (segments in the plane, triangles in space), built once and refitted as they move.
// Leaves hold up to four; a query visits what meets a box. Simplices are numbered in the order of the leaves, so that
// what is near in space is near in memory. Children stand behind their parent, so that one pass backwards refits all;
// branches, as many as 64, are refitted on all cores, and then what is above them. A box is the same whoever makes it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "ricochet/numerics/team.hpp"

namespace ricochet::continuum {

template <int D>
struct Box {
  std::array<double, D> low, high;
  Box() {
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
  }
  void add(const double* x) {
    for (int k = 0; k < D; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  }
  void add(const Box& b) {
    for (int k = 0; k < D; ++k) low[k] = std::min(low[k], b.low[k]), high[k] = std::max(high[k], b.high[k]);
  }
  void widen(double by) {
    for (int k = 0; k < D; ++k) low[k] -= by, high[k] += by;
  }
  bool meets(const Box& b) const {  // without branches: how it ends is hard to foresee
    bool apart = false;
    for (int k = 0; k < D; ++k) {
      apart |= low[k] > b.high[k];
      apart |= b.low[k] > high[k];
    }
    return !apart;
  }
  double squared_distance(const double* x) const {
    double sum = 0;
    for (int k = 0; k < D; ++k) {
      const double out = std::max({low[k] - x[k], x[k] - high[k], 0.0});
      sum += out * out;
    }
    return sum;
  }
};

template <int D>
class BoundingVolumes {
 public:
  using Simplex = std::array<int, D>;
  using Index = std::uint32_t;

  BoundingVolumes() = default;
  // Positions of all nodes, D numbers each.
  BoundingVolumes(const std::vector<Simplex>& simplices, const double* x) : simplices_(simplices) {
    if (!simplices_.empty()) build(0, static_cast<Index>(simplices_.size()), x, 0);
    Team alone(1);
    refit(x, alone);
  }

  const std::vector<Simplex>& simplices() const { return simplices_; }  // in the order of the tree
  const Box<D>& around() const { return nodes_.front().box; }

  void refit(const double* x, Team& team) {
    constexpr std::size_t worth = 1024;  // simplices for a thread
    const std::size_t grain = 1 + worth * branches_.size() / (1 + simplices_.size());
    team.for_each(branches_.size(), grain, [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k)
        for (Index n = branches_[k].end; n-- > branches_[k].root;) fit(nodes_[n], n, x);
    });
    for (std::size_t k = above_.size(); k-- > 0;) fit(nodes_[above_[k]], above_[k], x);
  }

  // f(first, last) for the simplices of each leaf that meets the box.
  template <class F>
  void near(const Box<D>& box, F&& f) const {
    if (nodes_.empty() || !around().meets(box)) return;
    Index stack[64], n = 0;
    for (int depth = 0;;) {
      const Node& node = nodes_[n];
      if (node.right == 0) {
        f(node.first, node.last);
      } else {
        const bool left = nodes_[n + 1].box.meets(box), right = nodes_[node.right].box.meets(box);
        stack[depth] = node.right;
        depth += left & right;
        if (left | right) {
          n = left ? n + 1 : node.right;
          continue;
        }
      }
      if (depth == 0) return;
      n = stack[--depth];
    }
  }

  // The smallest of distance(simplex, x)², branches that are farther than `best` left out.
  template <class F>
  double nearest(const double* x, double best, F&& squared_distance) const {
    Index stack[64];
    int depth = 0;
    if (!nodes_.empty()) stack[depth++] = 0;
    while (depth > 0) {
      const Index n = stack[--depth];
      const Node& node = nodes_[n];
      if (node.box.squared_distance(x) >= best) continue;
      if (node.right == 0) {
        for (Index k = node.first; k < node.last; ++k) best = std::min(best, squared_distance(k));
      } else {
        const bool left_first = nodes_[n + 1].box.squared_distance(x) <= nodes_[node.right].box.squared_distance(x);
        stack[depth++] = left_first ? node.right : n + 1;
        stack[depth++] = left_first ? n + 1 : node.right;
      }
    }
    return best;
  }

 private:
  struct Node {
    Box<D> box;
    Index first, last, right = 0;  // right child; the left one is the next node; 0: a leaf
  };
  struct Branch {
    Index root, end;
  };
  static constexpr int branch_depth = 6;

  void fit(Node& node, Index n, const double* x) {
    node.box = {};
    if (node.right == 0)
      for (Index k = node.first; k < node.last; ++k)
        for (const int i : simplices_[k]) node.box.add(x + D * i);
    else
      node.box.add(nodes_[n + 1].box), node.box.add(nodes_[node.right].box);
  }

  // Halves along the longest side: depth log₂ n, whatever the shape.
  void build(Index first, Index last, const double* x, int depth) {
    const auto n = static_cast<Index>(nodes_.size());
    nodes_.push_back({{}, first, last, 0});
    const bool leaf = last - first <= 4;
    if (!leaf) split(n, x, depth);
    if (depth == branch_depth || (leaf && depth < branch_depth))
      branches_.push_back({n, static_cast<Index>(nodes_.size())});
  }

  void split(Index n, const double* x, int depth) {
    const Index first = nodes_[n].first, last = nodes_[n].last;
    if (depth < branch_depth) above_.push_back(n);
    const auto middle = [&](const Simplex& s, int k) {
      double sum = 0;
      for (const int i : s) sum += x[D * i + k];
      return sum;
    };
    Box<D> box;
    for (Index k = first; k < last; ++k) {
      std::array<double, D> c;
      for (int d = 0; d < D; ++d) c[d] = middle(simplices_[k], d);
      box.add(c.data());
    }
    int axis = 0;
    for (int d = 1; d < D; ++d)
      if (box.high[d] - box.low[d] > box.high[axis] - box.low[axis]) axis = d;
    const Index half = first + (last - first) / 2;
    const auto begin = simplices_.begin();
    std::nth_element(begin + first, begin + half, begin + last, [&](const Simplex& a, const Simplex& b) {
      const double p = middle(a, axis), q = middle(b, axis);
      return p != q ? p < q : a < b;
    });
    build(first, half, x, depth + 1);
    nodes_[n].right = static_cast<Index>(nodes_.size());
    build(half, last, x, depth + 1);
  }

  std::vector<Simplex> simplices_;
  std::vector<Node> nodes_;
  std::vector<Branch> branches_;
  std::vector<Index> above_;  // nodes over the branches, parents first
};

}  // namespace ricochet::continuum
