// SPDX-License-Identifier: MIT
#include "rivals/region_tree.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

#include "rivals/box_tree.h"
#include "spheres/triangle_clipping.h"

namespace nearmiss {
namespace {

/// The three end conditions of the division [Y04]: few polygons, large depth, or a small size
/// relative to the body.
constexpr std::size_t fewPolygons = 2;
constexpr int maxDepth = 30;
constexpr Real smallestShare = 1.0 / 512.0;
/// Maximum number of consecutive halvings that separate no polygons, as around a corner where many
/// meet.
constexpr int maxIdle = 3;
/// Maximum number of listed triangles per triangle. In a heap of large triangles every region would
/// list all of them.
constexpr std::size_t maxListed = 24;
/// Relative to the sides: regions overlap by more than rounding.
constexpr Real margin = 1e-9;

std::array<Box, 2> halves(const Box& box) noexcept {
  const int axis = longestAxis(box);
  Box low = box, high = box;
  low.high[axis] = high.low[axis] = 0.5 * (box.low[axis] + box.high[axis]);
  return {low, high};
}

}  // namespace

RegionTree::RegionTree(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> all(mesh.triangles.size());
  std::iota(all.begin(), all.end(), 0u);
  const Box whole = widened(boundingBox(mesh), margin);
  smallest_ = smallestShare * glm::length(whole.extent());
  listed_ = all.size();
  most_ = maxListed * all.size();
  divide(mesh, whole, all, 0, 0);
}

void RegionTree::divide(const TriangleMesh& mesh, const Box& region,
                        const std::vector<std::uint32_t>& polygons, int depth, int idle) {
  const bool ends = polygons.size() <= fewPolygons || depth >= maxDepth || idle >= maxIdle ||
                    region.extent()[longestAxis(region)] <= smallest_;
  std::array<std::vector<std::uint32_t>, 2> parts;
  const std::array<Box, 2> sides = halves(region);
  if (!ends)
    for (std::size_t k = 0; k < 2; ++k)
      for (const std::uint32_t t : polygons)
        if (triangleMayMeetBox(mesh.corners(t), widened(sides[k], margin))) parts[k].push_back(t);

  // If one half is empty, the region becomes the other
  for (std::size_t k = 0; k < 2; ++k)
    if (!ends && parts[k].empty() && !parts[1 - k].empty())
      return divide(mesh, sides[1 - k], parts[1 - k], depth + 1, idle);

  const auto own = static_cast<std::uint32_t>(boxes.nodes.size());
  add(mesh, region, polygons);
  const std::size_t more = parts[0].size() + parts[1].size();
  if (ends || more == 0 || listed_ + more > most_ + polygons.size()) {
    boxes.nodes[own].offset = static_cast<std::uint32_t>(boxes.order.size());
    boxes.nodes[own].count = static_cast<std::uint32_t>(polygons.size());
    boxes.order.insert(boxes.order.end(), polygons.begin(), polygons.end());
    return;
  }
  listed_ += more - polygons.size();
  const bool parted = parts[0].size() < polygons.size() || parts[1].size() < polygons.size();
  const int next = parted ? 0 : idle + 1;
  divide(mesh, sides[0], parts[0], depth + 1, next);
  boxes.nodes[own].offset = static_cast<std::uint32_t>(boxes.nodes.size());
  divide(mesh, sides[1], parts[1], depth + 1, next);
}

/// Adds a node with its volume, and the distance of the volume's farthest point from a point of the
/// surface in it.
void RegionTree::add(const TriangleMesh& mesh, const Box& region,
                     const std::vector<std::uint32_t>& polygons) {
  const Box held = widened(region, margin);
  boxes.nodes.push_back({held, 0, 0});
  AlignedBoxVolume volume;
  volume.centre = held.centre();
  volume.half = 0.5 * held.extent();
  // Compensates rounding in products
  Real least = std::numeric_limits<Real>::infinity();
  findCorners(mesh, polygons, held, corners_);
  for (const Vec3& corner : corners_) least = std::min(least, volume.reachFrom(corner));
  reach_.push_back(least * (1.0 + 1e-12) + margin * glm::length(held.extent()));
  volumes_.push_back(volume);
}

}  // namespace nearmiss
