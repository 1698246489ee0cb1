// SPDX-License-Identifier: MIT
/// The exposure of the space around a surface: where other bodies can touch a body, and where other
/// parts of it are in the way.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// A grid of cells over the mesh. Each has the share of 26 directions in which nothing lies between
/// it and the outside. Cells with surface in them block the view of others, so the inside of a
/// closed surface is not exposed, and a pocket only slightly. Deep inside, weights decrease with
/// depth, so that weighted distances do not grow any further with depth.
class ExposureField {
 public:
  /// @param cancelled optional; once set, returns soon with meaningless weights
  explicit ExposureField(const TriangleMesh& mesh, const std::atomic<bool>* cancelled = nullptr);

  /// Returns the weight of a distance from the surface to `point` (frame of the mesh): from `least`
  /// inside up to 1 in the open. Where the depth in cells exceeds `shallow`, the weight is `least`
  /// times `shallow` divided by the depth.
  [[nodiscard]] float weight(const Vec3& point) const noexcept {
    std::size_t at = 0, stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const Real steps = (point[axis] - low_[axis]) * cellsPerMetre_;
      if (!(steps >= 0.0)) return 1.0f;
      const auto cell = static_cast<std::size_t>(steps);
      const std::size_t count = counts_[static_cast<std::size_t>(axis)];
      if (cell >= count) return 1.0f;
      at += cell * stride;
      stride *= count;
    }
    return weights_[at];
  }

  static constexpr float least = 0.25f;
  static constexpr float shallow = 3.0f;

 private:
  using Cells = std::array<std::ptrdiff_t, 3>;
  [[nodiscard]] std::size_t indexOf(const Cells& cell) const noexcept;
  [[nodiscard]] bool within(const Cells& cell) const noexcept;
  [[nodiscard]] Box boxOf(const Cells& first, const Cells& last) const noexcept;
  void occupy(const Triangle& triangle, const Cells& first, const Cells& last,
              std::vector<std::uint8_t>& occupied) const;
  [[nodiscard]] std::vector<std::uint8_t> occupied(const TriangleMesh& mesh,
                                                   const std::atomic<bool>* cancelled) const;
  void look(const Cells& direction, const std::vector<std::uint8_t>& occupied,
            std::vector<std::uint8_t>& seen) const;
  [[nodiscard]] std::vector<std::uint8_t> depths(const std::vector<std::uint8_t>& occupied,
                                                 const std::vector<std::uint8_t>& seen) const;

  Vec3 low_{0.0};
  Real cellsPerMetre_ = 0.0;
  std::array<std::size_t, 3> counts_{1, 1, 1};
  std::vector<float> weights_;  ///< x varies fastest
};

}  // namespace nearmiss
