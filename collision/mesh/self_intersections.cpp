// SPDX-License-Identifier: MIT
#include "mesh/self_intersections.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "exact/exact_tests.h"
#include "exact/orientation.h"
#include "geometry/tight_boxes.h"
#include "geometry/vertex_hubs.h"

namespace nearmiss {
namespace {

using Corners = std::array<std::uint32_t, 3>;

/// Whether two triangles share more than the vertices they have in common.
bool meetBeyondShared(const TriangleMesh& mesh, std::uint32_t first, std::uint32_t second) {
  // Turn both so that shared vertices come first, in the same order
  Corners a = mesh.triangles[first], b = mesh.triangles[second];
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = shared; j < 3; ++j)
      if (i >= shared && a[i] == b[j]) {
        std::swap(a[shared], a[i]);
        std::swap(b[shared], b[j]);
        ++shared;
        break;
      }
  const auto at = [&mesh](std::uint32_t v) -> const Vec3& { return mesh.positions[v]; };
  const Triangle p{at(a[0]), at(a[1]), at(a[2])};
  const Triangle q{at(b[0]), at(b[1]), at(b[2])};
  switch (shared) {
    case 0:
      return trianglesMeet(p, q);
    case 1:
      // A further common point can be pushed away from the shared one until it reaches the edge
      // that lies opposite in one of them
      return segmentMeetsTriangle(p[1], p[2], q) || segmentMeetsTriangle(q[1], q[2], p);
    case 2:
      // Over a common edge they overlap only if folded flat
      if (orientation(p[0], p[1], p[2], q[2]) != 0) return false;
      for (const Projection projection : projections)
        if (orientation2d(projection, p[0], p[1], p[2]) *
                orientation2d(projection, p[0], p[1], q[2]) >
            0)
          return true;
      return false;
    default:
      return true;
  }
}

/// Goes down the tree twice at once, and compares the triangles in leaves that may meet.
class PairDescent {
 public:
  PairDescent(const TriangleMesh& mesh, const BoxTree& tree, std::size_t most,
              const std::atomic<bool>* cancelled)
      : mesh_(mesh),
        tree_(tree),
        most_(most),
        cancelled_(cancelled),
        tight_(mesh, tree),
        hubs_(mesh) {
    hubs_.readNodes(tree);
  }

  SelfIntersections run() {
    open_.emplace_back(0, 0);
    while (!open_.empty() && !ended()) {
      const auto [a, b] = open_.back();
      open_.pop_back();
      if (a == b)
        divideSame(a);
      else if (mayMeet(a, b))
        divide(a, b);
    }
    // Pairs about one hub were left out
    if (!ended())
      hubs_.anyPair([this](std::uint32_t t, std::uint32_t u) {
        compare(t, u);
        return ended();
      });
    return found_;
  }

 private:
  [[nodiscard]] bool ended() const noexcept {
    return found_.pairs == most_ || (cancelled_ && cancelled_->load(std::memory_order_relaxed));
  }

  [[nodiscard]] bool mayMeet(std::uint32_t a, std::uint32_t b) const noexcept {
    return overlap(tree_.nodes[a].box, tree_.nodes[b].box) && !hubs_.inAllOf(a, b) &&
           tight_.mayMeet(a, b);
  }

  void divideSame(std::uint32_t a) {
    const BoxNode& node = tree_.nodes[a];
    if (node.count == 0) {
      open_.emplace_back(a + 1, node.offset);
      open_.emplace_back(node.offset, node.offset);
      open_.emplace_back(a + 1, a + 1);
      return;
    }
    const auto triangles = tree_.trianglesOf(node);
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (std::size_t j = i + 1; j < triangles.size(); ++j) look(triangles[i], triangles[j]);
  }

  void divide(std::uint32_t a, std::uint32_t b) {
    const BoxNode& first = tree_.nodes[a];
    const BoxNode& second = tree_.nodes[b];
    if (first.count > 0 && second.count > 0) {
      for (const std::uint32_t t : tree_.trianglesOf(first))
        for (const std::uint32_t u : tree_.trianglesOf(second)) look(t, u);
      return;
    }
    const auto size = [](const BoxNode& node) {
      const Vec3 extent = node.box.extent();
      return node.count > 0 ? -1.0 : glm::dot(extent, extent);
    };
    if (size(first) >= size(second)) {
      open_.emplace_back(a + 1, b);
      open_.emplace_back(first.offset, b);
    } else {
      open_.emplace_back(a, b + 1);
      open_.emplace_back(a, second.offset);
    }
  }

  void look(std::uint32_t t, std::uint32_t u) {
    if (found_.pairs == most_ || !overlap(boxOf(mesh_.corners(t)), boxOf(mesh_.corners(u))) ||
        hubs_.sharedBy(t, u) != VertexHubs::none)
      return;
    compare(t, u);
  }

  void compare(std::uint32_t t, std::uint32_t u) {
    ++found_.compared;
    found_.pairs += meetBeyondShared(mesh_, std::min(t, u), std::max(t, u));
  }

  const TriangleMesh& mesh_;
  const BoxTree& tree_;
  std::size_t most_;
  const std::atomic<bool>* cancelled_;
  TightBoxes tight_;
  VertexHubs hubs_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_;
  SelfIntersections found_;
};

}  // namespace

SelfIntersections countSelfIntersections(const TriangleMesh& mesh, const BoxTree& tree,
                                         std::size_t most, const std::atomic<bool>* cancelled) {
  if (mesh.triangles.empty() || (cancelled && *cancelled)) return {};
  return PairDescent(mesh, tree, most, cancelled).run();
}

}  // namespace nearmiss
