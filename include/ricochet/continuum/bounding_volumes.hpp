#pragma once
// A tree of boxes around simplices (segments in the plane, triangles in space), built once and refitted as they move.
// Leaves hold up to four; a query visits what meets a box. Children stand behind their parent, so that one pass
// backwards refits all; branches, as many as 64, are refitted on all cores, and then what is above them. A box is the
// same whoever makes it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
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
  bool meets(const Box& b) const {
    for (int k = 0; k < D; ++k)
      if (low[k] > b.high[k] || b.low[k] > high[k]) return false;
    return true;
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
  BoundingVolumes(std::vector<Simplex> simplices, const double* x) : simplices_(std::move(simplices)) {
    order_.resize(simplices_.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!order_.empty()) build(0, static_cast<Index>(order_.size()), x, 0);
    Team alone(1);
    refit(x, alone);
  }

  const std::vector<Simplex>& simplices() const { return simplices_; }
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

  // f(number of a simplex) for those whose leaf meets the box.
  template <class F>
  void near(const Box<D>& box, F&& f) const {
    if (nodes_.empty()) return;
    Index stack[64];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const Index n = stack[--depth];
      const Node& node = nodes_[n];
      if (!node.box.meets(box)) continue;
      if (node.right == 0) {
        for (Index k = node.first; k < node.last; ++k) f(order_[k]);
      } else {
        stack[depth++] = node.right;
        stack[depth++] = n + 1;
      }
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
        for (Index k = node.first; k < node.last; ++k) best = std::min(best, squared_distance(order_[k]));
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
        for (const int i : simplices_[order_[k]]) node.box.add(x + D * i);
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
    const auto middle = [&](std::size_t s, int k) {
      double sum = 0;
      for (const int i : simplices_[s]) sum += x[D * i + k];
      return sum;
    };
    Box<D> box;
    for (Index k = first; k < last; ++k) {
      std::array<double, D> c;
      for (int d = 0; d < D; ++d) c[d] = middle(order_[k], d);
      box.add(c.data());
    }
    int axis = 0;
    for (int d = 1; d < D; ++d)
      if (box.high[d] - box.low[d] > box.high[axis] - box.low[axis]) axis = d;
    const Index half = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + last, [&](Index a, Index b) {
      const double p = middle(a, axis), q = middle(b, axis);
      return p != q ? p < q : a < b;
    });
    build(first, half, x, depth + 1);
    nodes_[n].right = static_cast<Index>(nodes_.size());
    build(half, last, x, depth + 1);
  }

  std::vector<Simplex> simplices_;
  std::vector<Index> order_;
  std::vector<Node> nodes_;
  std::vector<Branch> branches_;
  std::vector<Index> above_;  // nodes over the branches, parents first
};

}  // namespace ricochet::continuum
