// SPDX-License-Identifier: MIT
/// Points that rise from the place where they were earned, and fade.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

namespace nearmiss::app::fly {

struct Camera;
class Ink;

class FloatingPoints {
 public:
  static constexpr double seconds = 1.6;  ///< duration of the animation
  static constexpr std::size_t most = 8;  ///< maximum number; the oldest are removed

  /// `now`: seconds on the clock of draw().
  void add(std::int64_t points, const Vec3& place, double now);
  void clear() noexcept { points_.clear(); }
  [[nodiscard]] std::size_t count() const noexcept { return points_.size(); }
  /// Draws the visible ones and removes those that have faded.
  void draw(const Ink& ink, const Camera& camera, glm::vec2 window, double now);

 private:
  struct Floating {
    std::int64_t points = 0;
    Vec3 place{0.0};    ///< world
    double born = 0.0;  ///< seconds
  };
  std::vector<Floating> points_;
};

}  // namespace nearmiss::app::fly
