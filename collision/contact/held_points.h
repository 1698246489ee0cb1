// SPDX-License-Identifier: MIT
/// Points of the last manifold of two bodies, for a search that runs out of time.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/pair.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Moves points along with their bodies, because a search that is cut short before it compares them
/// must not lose the points that support the bodies. Reuses its memory.
class HeldPoints {
 public:
  void forget() noexcept {
    held_.clear();
    certain_ = deepest_ = 0.0;
  }

  /// Replaces the points by those of a manifold, frame of a.
  /// @param certain metres: no shorter translation separates the bodies
  void keep(std::span<const ManifoldPoint> points, const Pose& bToA, Real certain);

  /// Appends the points that are not in `points` and for which isOpen(id) is true, if they still
  /// touch after the motion.
  /// @param margin maximum gap, metres
  /// @param maxDrift metres by which the two points may have slid along each other
  void addTo(std::vector<ManifoldPoint>& points, const Pose& bToA, Real margin, Real maxDrift,
             const auto& isOpen) {
    const std::size_t found = points.size();
    for (Held& held : held_) {
      held.carried = false;
      if (!isOpen(held.id) || contains(std::span(points).first(found), held.id)) continue;
      const ManifoldPoint point = moved(held, bToA);
      held.carried = point.depth >= -margin && driftOf(held, bToA, point.normal) <= maxDrift;
      if (held.carried) points.push_back(point);
    }
  }

  /// Returns a depth, metres, below which no translation separates the bodies after a motion of up
  /// to `moved`.
  [[nodiscard]] Real certainAfter(Real moved) const noexcept { return certain_ - moved; }
  /// Returns the maximum depth, metres, of earlier contacts after that motion.
  [[nodiscard]] Real deepestAfter(Real moved) const noexcept { return deepest_ + moved; }

 private:
  struct Held {
    std::uint64_t id = 0;
    Vec3 inA{0.0}, inB{0.0};  ///< both points, each in the frame of its body
    Vec3 normal{0.0};         ///< frame of b if `withB`, else of a
    bool withB = false;       ///< the normal rotates with b
    bool carried = false;     ///< was appended, so the bodies slide relative to where it was found
  };

  [[nodiscard]] static bool contains(std::span<const ManifoldPoint> points, std::uint64_t id);
  [[nodiscard]] static ManifoldPoint moved(const Held& held, const Pose& bToA);
  [[nodiscard]] static Real driftOf(const Held& held, const Pose& bToA, const Vec3& normal);

  std::vector<Held> held_, before_;
  Real certain_ = 0.0, deepest_ = 0.0;
};

}  // namespace nearmiss
