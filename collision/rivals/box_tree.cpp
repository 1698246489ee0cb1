// SPDX-License-Identifier: MIT
#include "rivals/box_tree.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

#include "geometry/closest_points.h"

namespace nearmiss {
namespace {

/// Splits at the median triangle along the longest side, so that the depth is logarithmic.
struct Builder {
  BoxTree& tree;
  std::vector<Box> boxes;
  std::vector<Vec3> centres;

  Builder(BoxTree& t, const TriangleMesh& mesh) : tree(t) {
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      boxes.push_back(boxOf(mesh.corners(i)));
      centres.push_back(boxes.back().centre());
    }
    tree.order.resize(mesh.triangles.size());
    std::iota(tree.order.begin(), tree.order.end(), 0u);
    tree.nodes.reserve(mesh.triangles.size());
    build(0, static_cast<std::uint32_t>(mesh.triangles.size()));
  }

  void build(std::uint32_t begin, std::uint32_t end) {
    const auto first = tree.order.begin() + begin;
    const auto last = tree.order.begin() + end;
    Box box, ofCentres;
    for (auto i = first; i != last; ++i) {
      box.include(boxes[*i]);
      ofCentres.include(centres[*i]);
    }
    const std::size_t at = tree.nodes.size();
    tree.nodes.push_back({box, begin, end - begin});
    if (end - begin <= BoxTree::trianglesPerLeaf) {
      std::sort(first, last);
      return;
    }

    // Ties are decided by index, so that the halves are the same sets on every machine
    const int axis = longestAxis(ofCentres);
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(first, tree.order.begin() + middle, last,
                     [this, axis](std::uint32_t p, std::uint32_t q) {
                       const Real pAt = centres[p][axis], qAt = centres[q][axis];
                       return pAt != qAt ? pAt < qAt : p < q;
                     });
    build(begin, middle);
    tree.nodes[at].count = 0;
    tree.nodes[at].offset = static_cast<std::uint32_t>(tree.nodes.size());
    build(middle, end);
  }
};

}  // namespace

BoxTree::BoxTree(const TriangleMesh& mesh) { Builder(*this, mesh); }

}  // namespace nearmiss
