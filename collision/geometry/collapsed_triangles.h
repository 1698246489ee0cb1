// SPDX-License-Identifier: MIT
/// What a welding of vertices would lose: triangles that collapse to lines or points not covered by
/// a remaining triangle.
#pragma once

#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <vector>

#include "geometry/exact_predicates.h"

namespace nearmiss {

/// The triangles that become degenerate by a welding, and what remains in their place.
class CollapsedTriangles {
 public:
  using Corners = std::array<std::uint32_t, 3>;
  CollapsedTriangles(const TriangleMesh& mesh, const std::vector<std::uint32_t>& keptFor)
      : mesh_(mesh), keptFor_(keptFor), onCollapsed_(mesh.positions.size(), 0) {
    for (const Corners& t : mesh.triangles)
      if (isMoved(t) && flat(welded(t)) && !flat(t)) {
        collapsed_.push_back(t);
        for (const std::uint32_t v : welded(t)) onCollapsed_[v] = 1;
      }
    if (!collapsed_.empty()) noteWhatIsLeft();
  }

  /// Returns the collapsed triangles that do not lie on a remaining one.
  [[nodiscard]] std::vector<Corners> lost() const {
    std::vector<Corners> lost;
    for (const Corners& t : collapsed_)
      if (!isLeft(welded(t))) lost.push_back(t);
    return lost;
  }

 private:
  [[nodiscard]] Corners welded(const Corners& t) const {
    return {keptFor_[t[0]], keptFor_[t[1]], keptFor_[t[2]]};
  }
  [[nodiscard]] bool isMoved(const Corners& t) const {
    return std::any_of(t.begin(), t.end(), [this](std::uint32_t v) {
      return mesh_.positions[keptFor_[v]] != mesh_.positions[v];
    });
  }
  [[nodiscard]] bool flat(const Corners& t) const {
    return collinear(mesh_.positions[t[0]], mesh_.positions[t[1]], mesh_.positions[t[2]]);
  }
  static std::uint64_t edge(std::uint32_t a, std::uint32_t b) noexcept {
    return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  }

  /// Records only remaining vertices and edges of collapsed triangles, because these are few.
  void noteWhatIsLeft() {
    for (const Corners& own : mesh_.triangles) {
      const Corners t = welded(own);
      if (onCollapsed_[t[0]] + onCollapsed_[t[1]] + onCollapsed_[t[2]] == 0 || flat(t)) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        if (onCollapsed_[a] != 0) left_.push_back(edge(a, a));
        if (onCollapsed_[a] != 0 && onCollapsed_[b] != 0) left_.push_back(edge(a, b));
      }
    }
    std::sort(left_.begin(), left_.end());
  }

  /// Returns true if the one corner of a flat triangle remains, or all its edges except the
  /// longest, which the others make up.
  [[nodiscard]] bool isLeft(const Corners& t) const {
    std::array<bool, 3> left{};
    for (std::size_t k = 0; k < 3; ++k)
      left[k] = std::binary_search(left_.begin(), left_.end(), edge(t[k], t[(k + 1) % 3]));
    if (left[0] && left[1] && left[2]) return true;
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
    const auto length = [&](std::size_t k) {
      return glm::distance(mesh_.positions[t[k]], mesh_.positions[t[(k + 1) % 3]]);
    };
    std::size_t longest = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (length(k) > length(longest)) longest = k;
    return left[longest] || (left[(longest + 1) % 3] && left[(longest + 2) % 3]);
  }

  const TriangleMesh& mesh_;
  const std::vector<std::uint32_t>& keptFor_;
  std::vector<char> onCollapsed_;
  std::vector<Corners> collapsed_;  ///< corners before the welding
  /// remaining vertices, as edges to themselves, and edges; sorted
  std::vector<std::uint64_t> left_;
};

}  // namespace nearmiss
