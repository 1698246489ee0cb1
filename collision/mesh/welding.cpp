// SPDX-License-Identifier: MIT
#include "mesh/welding.h"

#include <algorithm>
#include <array>
#include <bit>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <unordered_set>

#include "exact/orientation.h"
#include "mesh/hash_mixing.h"

namespace nearmiss {
namespace {

using Corners = std::array<std::uint32_t, 3>;

/// Finds the earliest kept vertex near a point: kept ones are chained by the cell of a grid.
class WeldingGrid {
 public:
  /// @param apart vertices that are kept, unless one at the same position was
  WeldingGrid(const std::vector<Vec3>& positions, Real distance, const std::vector<char>& apart)
      : positions_(positions),
        distance_(distance),
        apart_(apart),
        heads_(std::bit_ceil(2 * positions.size() + 1), none),
        next_(positions.size(), none) {}

  /// The earliest vertex that was kept within reach of vertex `v`, or `v` itself, which is kept.
  std::uint32_t keptFor(std::uint32_t v) {
    std::uint32_t earliest = v;
    const Vec3 home = cellOf(positions_[v]);
    const int reach = distance_ > 0.0 && apart_[v] == 0 ? 1 : 0;
    for (int x = -reach; x <= reach; ++x)
      for (int y = -reach; y <= reach; ++y)
        for (int z = -reach; z <= reach; ++z)
          for (std::uint32_t k = headOf(home + Vec3(x, y, z)); k != none; k = next_[k])
            if (k < earliest && mayBecome(k, v)) earliest = k;
    if (earliest == v) {
      std::uint32_t& head = headOf(home);
      next_[v] = head;
      head = v;
    }
    return earliest;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  bool mayBecome(std::uint32_t kept, std::uint32_t v) const noexcept {
    const Vec3 between = positions_[kept] - positions_[v];
    if (positions_[kept] == positions_[v]) return true;
    return apart_[v] == 0 && glm::dot(between, between) < distance_ * distance_;
  }

  Vec3 cellOf(const Vec3& p) const noexcept {
    // Adding 0 turns -0 into 0
    return distance_ > 0.0 ? glm::floor(p / distance_) + 0.0 : p + 0.0;
  }

  std::uint32_t& headOf(const Vec3& cell) noexcept {
    std::uint64_t hash = 0;
    for (int axis = 0; axis < 3; ++axis)
      hash = mixed(hash, std::bit_cast<std::uint64_t>(cell[axis] + 0.0));
    return heads_[(hash ^ (hash >> 29)) & (heads_.size() - 1)];
  }

  const std::vector<Vec3>& positions_;
  Real distance_;
  const std::vector<char>& apart_;
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint32_t> next_;
};

/// The triangles that a welding leaves without area, and what is left where they were.
class CollapsedTriangles {
 public:
  CollapsedTriangles(const TriangleMesh& mesh, const std::vector<std::uint32_t>& keptFor)
      : mesh_(mesh), keptFor_(keptFor), onCollapsed_(mesh.positions.size(), 0) {
    for (const Corners& t : mesh.triangles)
      if (isMoved(t) && flat(welded(t)) && !flat(t)) {
        collapsed_.push_back(t);
        for (const std::uint32_t v : welded(t)) onCollapsed_[v] = 1;
      }
    if (!collapsed_.empty()) noteWhatIsLeft();
  }

  /// Those that are not on a triangle that is left.
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

  /// Of vertices on collapsed triangles only: these are few.
  void noteWhatIsLeft() {
    for (const Corners& own : mesh_.triangles) {
      const Corners t = welded(own);
      if (onCollapsed_[t[0]] + onCollapsed_[t[1]] + onCollapsed_[t[2]] == 0 || flat(t)) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        if (onCollapsed_[a] != 0) left_.insert(edge(a, a));
        if (onCollapsed_[a] != 0 && onCollapsed_[b] != 0) left_.insert(edge(a, b));
      }
    }
  }

  /// Whether the edges of a flat triangle, or its one corner, are all left but for the longest,
  /// which the others make up.
  [[nodiscard]] bool isLeft(const Corners& t) const {
    std::array<bool, 3> left{};
    for (std::size_t k = 0; k < 3; ++k) left[k] = left_.contains(edge(t[k], t[(k + 1) % 3]));
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
  std::vector<Corners> collapsed_;          ///< as they were
  std::unordered_set<std::uint64_t> left_;  ///< vertices, as edges to themselves, and edges
};

}  // namespace

Welding weld(const TriangleMesh& mesh, Real distance) {
  // Equal positions first: they stay together whatever comes after
  std::vector<char> apart(mesh.positions.size(), 0);
  std::vector<std::uint32_t> same(mesh.positions.size());
  WeldingGrid equal(mesh.positions, 0.0, apart);
  for (std::uint32_t v = 0; v < same.size(); ++v) same[v] = equal.keptFor(v);
  Welding welding{same, 0};

  for (bool complete = distance == 0.0; !complete;) {
    WeldingGrid grid(mesh.positions, distance, apart);
    for (std::uint32_t v = 0; v < same.size(); ++v)
      welding.keptFor[v] = same[v] == v ? grid.keptFor(v) : welding.keptFor[same[v]];

    // What would be lost keeps its corners, and all is tried again: every round keeps more
    complete = true;
    for (const Corners& t : CollapsedTriangles(mesh, welding.keptFor).lost())
      for (const std::uint32_t v : t)
        if (apart[same[v]] == 0) {
          apart[same[v]] = 1;
          ++welding.keptApart;
          complete = false;
        }
  }
  return welding;
}

}  // namespace nearmiss
