// SPDX-License-Identifier: MIT
#include "geometry/self_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/equal_items.h"
#include "geometry/box_measures.h"
#include "geometry/exact_predicates.h"

namespace nearmiss {

SelfPairs::SelfPairs(const TriangleMesh& mesh, const WideBoxes& hierarchy,
                     const VertexCorners& corners, int workers)
    : mesh_(&mesh), hierarchy_(&hierarchy), corners_(corners), hubs_(mesh, corners) {
  hubs_.readBoxes(hierarchy);
  readPositions(workers);
}

void SelfPairs::move(const TriangleMesh& mesh, const WideBoxes& hierarchy, int workers) {
  mesh_ = &mesh;
  hierarchy_ = &hierarchy;
  hubs_.move(mesh, hierarchy);
  readPositions(workers);
}

void SelfPairs::readPositions(int workers) {
  tightOnce_.emplace();
  tight_.reset();
  findPlainStars(*mesh_, corners_, workers, plain_);
  boxes_.resize(WideBoxes::width * hierarchy_->leafCount(), FloatBox(Box{Vec3(0.0), Vec3(0.0)}));
  forChunks(hierarchy_->leafCount(), workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t leaf = begin; leaf < end; ++leaf) {
      const auto triangles = hierarchy_->itemsOf(static_cast<std::uint32_t>(leaf));
      for (std::size_t lane = 0; lane < WideBoxes::width; ++lane)
        boxes_[WideBoxes::width * leaf + lane] = FloatBox(boxOf(mesh_->corners(triangles[lane])));
    }
  });
}

SelfPairs::FloatBox::FloatBox(const Box& box) noexcept {
  constexpr Real largest = 3e38;
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const auto room = [](float x) { return 0x1p-22f * std::fabs(x) + 1e-37f; };
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const auto down = static_cast<float>(std::clamp(box.low[axis], -largest, largest));
    const auto up = static_cast<float>(std::clamp(box.high[axis], -largest, largest));
    low[k] = box.low[axis] < -largest ? -infinite : down - room(down);
    high[k] = box.high[axis] > largest ? infinite : up + room(up);
  }
}

bool SelfPairs::meet(std::uint32_t first, std::uint32_t second) const {
  // Rotate both so that shared vertices come first, in the same order
  std::array<std::uint32_t, 3> a = mesh_->triangles[first], b = mesh_->triangles[second];
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = shared; j < 3; ++j)
      if (i >= shared && a[i] == b[j]) {
        if (plain_[a[i]] != 0) return false;
        std::swap(a[shared], a[i]);
        std::swap(b[shared], b[j]);
        ++shared;
        break;
      }
  const auto at = [this](std::uint32_t v) -> const Vec3& { return mesh_->positions[v]; };
  const Triangle p{at(a[0]), at(a[1]), at(a[2])};
  const Triangle q{at(b[0]), at(b[1]), at(b[2])};
  switch (shared) {
    case 0:
      return trianglesMeet(p, q);
    case 1:
      // A second common point can be moved away from the shared one until it reaches the opposite
      // edge of one of the triangles
      return segmentMeetsTriangle(p[1], p[2], q) || segmentMeetsTriangle(q[1], q[2], p);
    case 2:
      // Triangles with a common edge overlap only if folded flat
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

}  // namespace nearmiss
