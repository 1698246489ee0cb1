// SPDX-License-Identifier: MIT
/// Vertices with so many triangles that pairs of these are searched about the vertex instead of in
/// a hierarchy of boxes.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/box_measures.h"
#include "geometry/vertex_corners.h"
#include "geometry/wide_boxes.h"

namespace nearmiss {

/// Vertices shared by many triangles, such as the middle of a fan. The boxes of such triangles all
/// overlap there, so pairs of them are searched by direction instead.
class VertexHubs {
  struct Hub {
    std::uint32_t vertex;
    std::vector<std::uint32_t> triangles;  ///< ascending
  };

 public:
  static constexpr std::uint32_t none = 0xffffffff;

  VertexHubs(const TriangleMesh& mesh, const VertexCorners& corners);

  /// Returns the first hub that two triangles have in common, or `none`.
  [[nodiscard]] std::uint32_t sharedBy(std::uint32_t first, std::uint32_t second) const noexcept;

  /// Returns true if all triangles below the slots `a` and `b` share one hub.
  [[nodiscard]] bool inAllOf(std::uint32_t a, std::uint32_t b) const noexcept {
    if (hubs_.empty()) return false;
    for (const std::uint32_t hub : common_[a])
      if (hub != none && (hub == common_[b][0] || hub == common_[b][1] || hub == common_[b][2]))
        return true;
    return false;
  }

  /// Finds which hubs the triangles below each slot have in common. Call before inAllOf().
  /// @param boxes of the same mesh
  void readBoxes(const WideBoxes& boxes);

  /// Updates the vertices of the same triangles.
  void move(const TriangleMesh& mesh, const WideBoxes& boxes) {
    mesh_ = &mesh;
    readBoxes(boxes);
  }

  [[nodiscard]] std::size_t count() const noexcept { return hubs_.size(); }

  /// Finds the pairs of triangles about one hub. Each step pairs one triangle with later ones.
  class Walk {
   public:
    /// @pre index < hubs.count(); `hubs` must outlive the last step.
    void begin(const VertexHubs& hubs, std::size_t index) {
      hubs_ = &hubs;
      hub_ = &hubs.hubs_[index];
      cones_ = hubs.conesAbout(hub_->vertex, hub_->triangles);
      boxes_.build(cones_);
      next_ = 0;
    }
    [[nodiscard]] bool ended() const noexcept { return next_ == cones_.size(); }
    /// Calls visit(t, u), t < u, for every pair of the next triangle that meets beyond the hub, and
    /// for some that do not, until it returns true. A pair with several common hubs is visited
    /// once, at one of them.
    void step(const auto& visit) {
      const std::uint32_t i = next_++;
      const auto& triangles = hub_->triangles;
      boxes_.anyOverlapping(cones_[i], [&](std::uint32_t j) {
        return j > i && overlap(cones_[i], cones_[j]) &&
               hubs_->sharedBy(triangles[i], triangles[j]) == hub_->vertex &&
               visit(triangles[i], triangles[j]);
      });
    }

   private:
    const VertexHubs* hubs_ = nullptr;
    const Hub* hub_ = nullptr;
    std::vector<Box> cones_;
    WideBoxes boxes_;
    std::uint32_t next_ = 0;
  };

 private:
  using Corners = std::array<std::uint32_t, 3>;
  [[nodiscard]] Corners hubsOf(std::uint32_t triangle) const noexcept;
  [[nodiscard]] std::vector<Box> conesAbout(std::uint32_t hub,
                                            const std::vector<std::uint32_t>& triangles) const;

  const TriangleMesh* mesh_;
  std::vector<char> isHub_;      ///< per vertex
  std::vector<Hub> hubs_;        ///< ascending
  std::vector<Corners> common_;  ///< per slot: hubs in common; `none` if there are fewer
};

}  // namespace nearmiss
