// SPDX-License-Identifier: MIT
/// Vertices of so many triangles that pairs of these are looked for about the vertex instead of in
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

/// Vertices that many triangles share, as the middle of a fan: boxes of such triangles all overlap
/// there, so pairs of them are looked for by direction instead.
class VertexHubs {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  VertexHubs(const TriangleMesh& mesh, const VertexCorners& corners);

  /// The first hub that two triangles have in common, or `none`.
  [[nodiscard]] std::uint32_t sharedBy(std::uint32_t first, std::uint32_t second) const noexcept;

  /// Returns true if all triangles below the slots `a` and `b` share one hub.
  [[nodiscard]] bool inAllOf(std::uint32_t a, std::uint32_t b) const noexcept {
    if (hubs_.empty()) return false;
    for (const std::uint32_t hub : common_[a])
      if (hub != none && (hub == common_[b][0] || hub == common_[b][1] || hub == common_[b][2]))
        return true;
    return false;
  }

  /// Finds which hubs the triangles below each slot have in common. Before inAllOf().
  /// @param boxes of the same mesh
  void readBoxes(const WideBoxes& boxes);

  [[nodiscard]] std::size_t count() const noexcept { return hubs_.size(); }

  /// Calls visit(t, u), t < u, for every pair of triangles about hub `index` that meets beyond it,
  /// and for some that do not, until ended() returns true. It is asked before each triangle and
  /// after each call. A pair with several hubs in common comes once, about one of them.
  void forEachPair(std::size_t index, const auto& visit, const auto& ended) const {
    const Hub& hub = hubs_[index];
    const std::vector<std::uint32_t>& triangles = hub.triangles;
    const std::vector<Box> cones = conesAbout(hub.vertex, triangles);
    const WideBoxes boxes(cones);
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
      if (ended()) return;
      boxes.anyOverlapping(cones[i], [&](std::uint32_t j) {
        if (j <= i || !overlap(cones[i], cones[j]) ||
            sharedBy(triangles[i], triangles[j]) != hub.vertex)
          return false;
        visit(triangles[i], triangles[j]);
        return ended();
      });
    }
  }

 private:
  using Corners = std::array<std::uint32_t, 3>;
  struct Hub {
    std::uint32_t vertex;
    std::vector<std::uint32_t> triangles;  ///< ascending
  };
  [[nodiscard]] Corners hubsOf(std::uint32_t triangle) const noexcept;
  [[nodiscard]] std::vector<Box> conesAbout(std::uint32_t hub,
                                            const std::vector<std::uint32_t>& triangles) const;

  const TriangleMesh& mesh_;
  std::vector<char> isHub_;      ///< per vertex
  std::vector<Hub> hubs_;        ///< ascending
  std::vector<Corners> common_;  ///< per slot; `none` where there are fewer
};

}  // namespace nearmiss
