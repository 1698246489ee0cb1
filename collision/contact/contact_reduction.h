// SPDX-License-Identifier: MIT
/// Reduces a manifold to a few points that support the bodies.
#pragma once

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

}  // namespace nearmiss
