// SPDX-License-Identifier: MIT
/// The pairs of triangles of one mesh that intersect away from shared features, by a descent of its
/// hierarchy against itself.
#pragma once

#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/tight_boxes.h"
#include "geometry/vertex_corners.h"
#include "geometry/vertex_hubs.h"
#include "geometry/wide_boxes.h"

namespace nearmiss {

/// Two slots of one hierarchy.
using SlotPair = std::pair<std::uint32_t, std::uint32_t>;

/// Data shared by all descents of one mesh. Only this class depends on the type of hierarchy. Mesh,
/// hierarchy and corners must outlive it.
class SelfPairs {
 public:
  SelfPairs(const TriangleMesh& mesh, const WideBoxes& hierarchy, const VertexCorners& corners,
            int workers = 1);

  /// Updates vertices and boxes of the same triangles, reusing the memory.
  /// @param mesh, hierarchy may be at other addresses than before
  void move(const TriangleMesh& mesh, const WideBoxes& hierarchy, int workers = 1);

  [[nodiscard]] const VertexHubs& hubs() const noexcept { return hubs_; }
  [[nodiscard]] std::size_t triangles() const noexcept { return mesh_->triangles.size(); }

  /// Returns true if two triangles have more in common than their shared vertices and edges. Exact.
  [[nodiscard]] bool meet(std::uint32_t t, std::uint32_t u) const;

  /// Boxes oriented along their triangles separate better, but take long to compute, so use them
  /// only if axis-aligned boxes leave too many pairs. Blocks if another thread is computing them.
  [[nodiscard]] const TightBoxes& tightBoxes() const {
    tightOnce_->call([this] { tight_.emplace(*mesh_, *hierarchy_); });
    return *tight_;
  }

  [[nodiscard]] bool mayMeet(const SlotPair& pair, const TightBoxes* tight) const noexcept {
    const auto [a, b] = pair;
    return a == b ||
           (hierarchy_->overlap(a, b) && !hubs_.inAllOf(a, b) && (!tight || tight->mayMeet(a, b)));
  }

  /// Calls push(pair) for the child pairs of a pair, or look(t, u) for the pairs of triangles of
  /// leaves.
  void divide(const SlotPair& pair, const TightBoxes* tight, const auto& push,
              const auto& look) const {
    const auto [a, b] = pair;
    const std::uint32_t childA = hierarchy_->childOf(a), childB = hierarchy_->childOf(b);
    const bool leafA = (childA & WideBoxes::isLeaf) != 0, leafB = (childB & WideBoxes::isLeaf) != 0;
    if (leafA && leafB) {
      lookAt(pair, tight, look);
    } else if (a == b) {
      const std::uint32_t count = hierarchy_->node(childA).count;
      for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t k = i; k < count; ++k)
          push(SlotPair(slotOf(childA, i), slotOf(childA, k)));
    } else if (leafB || (!leafA && sizeOf(a) >= sizeOf(b))) {
      for (std::uint32_t i = 0; i < hierarchy_->node(childA).count; ++i)
        push(SlotPair(slotOf(childA, i), b));
    } else {
      for (std::uint32_t i = 0; i < hierarchy_->node(childB).count; ++i)
        push(SlotPair(a, slotOf(childB, i)));
    }
  }

 private:
  /// A float box around a double box, rounded outwards by far more than the rounding error of a
  /// float.
  struct FloatBox {
    explicit FloatBox(const Box& box) noexcept;
    [[nodiscard]] bool meets(const FloatBox& other) const noexcept {
      // Branch-free, because the axis that separates two boxes is unpredictable
      int apart = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        apart |= static_cast<int>(low[k] > other.high[k]);
        apart |= static_cast<int>(other.low[k] > high[k]);
      }
      return apart == 0;
    }
    std::array<float, 3> low, high;
  };
  void readPositions(int workers);

  static std::uint32_t slotOf(std::uint32_t node, std::uint32_t lane) noexcept {
    return WideBoxes::width * node + lane;
  }
  [[nodiscard]] Real sizeOf(std::uint32_t slot) const noexcept {
    const Vec3 extent = hierarchy_->boxOf(slot).extent();
    return glm::dot(extent, extent);
  }

  void lookAt(const SlotPair& pair, const TightBoxes* tight, const auto& look) const {
    const std::uint32_t first = hierarchy_->childOf(pair.first) & ~WideBoxes::isLeaf,
                        second = hierarchy_->childOf(pair.second) & ~WideBoxes::isLeaf;
    hierarchy_->anyIn(first, [&](std::uint32_t t, unsigned i) {
      if (tight && !tight->mayMeet(pair.second, mesh_->corners(t))) return false;
      return hierarchy_->anyIn(second, [&](std::uint32_t u, unsigned k) {
        if ((first == second && k <= i) ||
            !boxes_[slotOf(first, i)].meets(boxes_[slotOf(second, k)]))
          return false;
        if (tight && !tight->mayMeet(pair.first, mesh_->corners(u))) return false;
        if (hubs_.sharedBy(t, u) == VertexHubs::none) look(t, u);
        return false;
      });
    });
  }

  const TriangleMesh* mesh_;
  const WideBoxes* hierarchy_;
  const VertexCorners& corners_;
  std::vector<char> plain_;      ///< see findPlainStars()
  std::vector<FloatBox> boxes_;  ///< by position in the leaves
  VertexHubs hubs_;
  mutable std::optional<OnceFlag> tightOnce_;
  mutable std::optional<TightBoxes> tight_;
};

/// A descent that can stop after any pair of slots. Keeps its memory.
class SelfDescent {
 public:
  /// @param usual number of comparisons after which oriented boxes are used
  void begin(const SlotPair& root, std::size_t usual) {
    open_.assign(1, root);
    usual_ = usual;
    compared_ = 0;
    tight_ = nullptr;
  }
  [[nodiscard]] bool ended() const noexcept { return open_.empty(); }

  /// Divides the next pair of slots, and calls look(t, u) for the triangles to compare.
  void step(const SelfPairs& pairs, const auto& look) {
    const SlotPair pair = open_.back();
    open_.pop_back();
    if (!tight_ && compared_ > usual_) tight_ = &pairs.tightBoxes();
    if (!pairs.mayMeet(pair, tight_)) return;
    pairs.divide(
        pair, tight_, [this](const SlotPair& part) { open_.push_back(part); },
        [&](std::uint32_t t, std::uint32_t u) {
          ++compared_;
          look(t, u);
        });
  }

  /// After this many comparisons oriented boxes pay off: in a descent of the whole mesh, or of one
  /// of `parts` parts of it.
  [[nodiscard]] static std::size_t usualOf(std::size_t triangles, std::size_t parts = 1) noexcept {
    return 256 + 64 * triangles / parts;
  }

 private:
  std::vector<SlotPair> open_;
  std::size_t usual_ = 0, compared_ = 0;
  const TightBoxes* tight_ = nullptr;
};

}  // namespace nearmiss
