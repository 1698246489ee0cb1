// SPDX-License-Identifier: MIT
/// Chooses the few points of a manifold that carry the bodies.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Keeps the deepest point and those that span the widest patch in place and direction; points of
/// directions in which the bodies do not overlap count less. Points of the manifold before are kept
/// as long as no other choice is clearly better, so that ids do not change at rest. Keeps its
/// memory.
class ContactReduction {
 public:
  /// Removes points with an id twice, and all but `maxPoints`. Sorts by depth, the deepest first.
  /// @param before ids of the manifold before, ascending
  /// @param slack metres: depths that differ by less are the same
  /// @param tolerance metres: points that are deeper by less do not replace points of before
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
  Real size_ = 0.0;  ///< square of the extent of all points
  Vec3 middle_{0.0};
  std::vector<Vec3> directions_;  ///< of points that carry
  std::vector<Real> weights_;     ///< by point
  std::vector<Real> nearest_;     ///< by point, from those that were chosen
  Choice fresh_, kept_;
  std::vector<ManifoldPoint> chosen_;
};

}  // namespace nearmiss
