// SPDX-License-Identifier: MIT
/// How tightly a sphere fits, as a colour: blue is tight, amber is loose, safe for the
/// colour-blind.
#pragma once

#include <glm/vec3.hpp>
#include <vector>

namespace nearmiss::app {

/// Logarithmic, from the tightest spheres to the loosest, in metres of H, the Hausdorff distance.
class TightnessScale {
 public:
  /// Takes up the H of one sphere; what is not above 0 does not count.
  void include(double h);
  /// After the last include(): the ends are the largest H, and the one that one sphere in twenty is
  /// below, so that a few needles do not use up the colours. 1 mm to 1 m where there was none.
  void settle();
  [[nodiscard]] double low() const noexcept { return low_; }
  [[nodiscard]] double high() const noexcept { return high_; }
  /// 0 at low() and below, 1 at high() and above.
  [[nodiscard]] double place(double h) const noexcept;
  /// sRGB, of a point in [0, 1] of the scale.
  [[nodiscard]] static glm::vec3 colourAt(double place) noexcept;

 private:
  std::vector<double> values_;
  double low_ = 1e-3, high_ = 1.0;
};

}  // namespace nearmiss::app
