// SPDX-License-Identifier: MIT
/// One volume for each box of a hierarchy of boxes, most of them built at first use.
#pragma once

#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/mesh.h>

#include <glm/geometric.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rivals/box_tree.h"

namespace nearmiss {

/// A tree with the same nodes for all kinds of volumes, so that only the volumes make the
/// difference. Volumes of the uppermost levels, which take longest, are built immediately. Most
/// others are never needed, so each is built when any thread first needs it, with the same result.
/// The mesh must outlive it.
template <class Volume>
class VolumeTree {
 public:
  explicit VolumeTree(const TriangleMesh& mesh)
      : boxes(mesh), mesh_(&mesh), parts_(std::make_unique<Parts>(boxes.nodes.size())) {
    const std::size_t room = makeDownTo(0, depthsAtOnce);
    // The upper nodes contain most of the mesh each, and are never rebuilt
    parts_->corners = std::vector<Vec3>();
    parts_->corners.reserve(room);
  }

  [[nodiscard]] const Volume& volume(std::uint32_t node) const {
    require(node);
    return parts_->volumes[node];
  }
  /// Returns a bound on the distance of any point of the volume from the surface, metres: the
  /// distance of its farthest point from one of its corners.
  [[nodiscard]] Real reach(std::uint32_t node) const {
    require(node);
    return parts_->reach[node];
  }
  [[nodiscard]] bool leaf(std::uint32_t node) const noexcept {
    return boxes.nodes[node].count != 0;
  }
  /// Returns the current number of volumes.
  [[nodiscard]] std::size_t made() const noexcept {
    std::size_t count = 0;
    for (std::size_t node = 0; node < boxes.nodes.size(); ++node) count += parts_->made[node];
    return count;
  }

  BoxTree boxes;

 private:
  static constexpr int depthsAtOnce = 6;

  struct Parts {
    explicit Parts(std::size_t nodes)
        : volumes(nodes), reach(nodes), made(std::make_unique<std::atomic<bool>[]>(nodes)) {}
    std::vector<Volume> volumes;  ///< per node of `boxes`
    std::vector<Real> reach;
    std::unique_ptr<std::atomic<bool>[]> made;
    Mutex making;
    std::vector<Vec3> corners;  ///< of the triangles below the node being built
  };

  void require(std::uint32_t node) const {
    if (parts_->made[node].load(std::memory_order_acquire)) return;
    const LockGuard lock(parts_->making);
    if (!parts_->made[node].load(std::memory_order_relaxed)) make(node);
  }

  /// Returns enough room for the corners of any node that is not built yet.
  std::size_t makeDownTo(std::uint32_t node, int depths) {
    make(node);
    if (leaf(node)) return 0;
    if (depths <= 1) return parts_->corners.size();
    return std::max(makeDownTo(node + 1, depths - 1),
                    makeDownTo(boxes.nodes[node].offset, depths - 1));
  }

  void make(std::uint32_t node) const {
    Parts& parts = *parts_;
    parts.corners.clear();
    gather(node);
    const std::span<const Vec3> points = parts.corners;
    const Volume& volume = parts.volumes[node] = Volume::around(points);
    const Vec3 middle = volume.enclosing().centre;
    const Vec3 nearest = *std::ranges::min_element(
        points, {}, [&middle](const Vec3& p) { return glm::distance(p, middle); });
    // Compensates rounding in products
    parts.reach[node] = volume.reachFrom(nearest) * (1.0 + 1e-12);
    parts.made[node].store(true, std::memory_order_release);
  }

  void gather(std::uint32_t node) const {
    const BoxNode& own = boxes.nodes[node];
    if (own.count == 0) {
      gather(node + 1);
      gather(own.offset);
      return;
    }
    for (const std::uint32_t t : boxes.trianglesOf(own))
      for (const Vec3& corner : mesh_->corners(t)) parts_->corners.push_back(corner);
  }

  const TriangleMesh* mesh_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss
