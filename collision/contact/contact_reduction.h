// SPDX-License-Identifier: MIT
/// The points of a manifold: which of the candidates to report, and the points of the last manifold
/// for a search that runs out of time.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/pair.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Keeps the deepest point and those that span the widest patch in position and direction. Points
/// with normals along which the bodies do not overlap count less. Keeps points of the previous
/// manifold unless another choice is clearly better, so that ids do not change at rest. Reuses its
/// memory.
class ContactReduction {
 public:
  /// Removes points with duplicate ids, and all but `maxPoints`. Sorts by depth, deepest first.
  /// @param before ids of the previous manifold, ascending
  /// @param slack metres: depths that differ by less count as equal
  /// @param tolerance metres: deeper points replace previous ones only if the difference is larger
  void reduce(std::vector<ManifoldPoint>& points, std::size_t maxPoints,
              std::span<const std::uint64_t> before, Real slack, Real tolerance);

 private:
  using Choice = std::vector<std::uint32_t>;  ///< indices of points

  void measure();
  void choose(std::size_t maxPoints, Choice& choice);
  [[nodiscard]] std::uint32_t deepest() const;
  [[nodiscard]] Real away(std::uint32_t p, std::uint32_t q) const noexcept;
  [[nodiscard]] Real spreadOf(const Choice& choice) const noexcept;
  [[nodiscard]] Real depthOf(const Choice& choice) const noexcept;

  std::span<const ManifoldPoint> points_;
  Real slack_ = 0.0;
  Real size_ = 0.0;  ///< squared extent of all points
  Vec3 middle_{0.0};
  std::vector<Vec3> directions_;  ///< of supporting points
  std::vector<Real> weights_;     ///< by point
  std::vector<Real> nearest_;     ///< per point: distance from the chosen points
  Choice fresh_, kept_;
  std::vector<ManifoldPoint> chosen_;
};

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
