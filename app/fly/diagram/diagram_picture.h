// SPDX-License-Identifier: MIT
/// A discrete Voronoi diagram: sites in a plane, and for each pixel which is nearest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

namespace nearmiss::app {

/// A segment in a plane, metres; a point where both ends are the same.
struct PlaneSite {
  glm::dvec2 a{0.0}, b{0.0};
};

/// A square of pixels; of each the nearest site and how far that is.
struct DiagramPicture {
  static constexpr std::uint32_t none = 0xffffff;
  int pixels = 0;                    ///< along a side
  glm::dvec2 low{0.0};               ///< corner of the square, metres
  double side = 0.0;                 ///< metres
  std::vector<std::uint32_t> sites;  ///< row by row from `low`; none where no site is in reach
  std::vector<float> distances;      ///< metres, from the middle of the pixel
  /// A distance is never too small by more than a thousandth of this, nor too large by more than
  /// this; a site is the nearest up to that.
  double error = 0.0;

  [[nodiscard]] glm::dvec2 middleOf(int x, int y) const noexcept {
    return low + side / pixels * glm::dvec2(x + 0.5, y + 0.5);
  }
  [[nodiscard]] std::size_t indexOf(int x, int y) const noexcept {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels) +
           static_cast<std::size_t>(x);
  }
};

}  // namespace nearmiss::app
