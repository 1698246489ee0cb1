// SPDX-License-Identifier: MIT
/// Moves and turns the bodies of the bench by mouse and keys.
#pragma once

#include <engine/flight/simulation.h>

#include <glm/vec2.hpp>
#include <optional>

#include "fly/modes/bench/bench_scene.h"

namespace nearmiss::app::fly {

class BenchHand {
 public:
  /// What the hand moves, and the picture in which the user sees it.
  struct Reach {
    const Bench& bench;
    const BenchScene& scene;
    BenchScene::Poses& poses;
  };

  std::size_t body = 1;  ///< in the hand
  bool turning = false;  ///< keys and mouse turn instead of moving

  /// Takes the body at a pixel; next to the bodies, the mouse will orbit.
  void grab(const Reach& reach, const glm::vec2& at);
  [[nodiscard]] bool orbits() const noexcept { return orbits_; }
  void letGo() noexcept { orbits_ = false; }
  /// Moves or turns the body by pixels; `other`: the one that is not selected.
  void pull(const Reach& reach, const glm::vec2& by, bool other) noexcept;
  /// Moves or turns the body by held keys, relative to the eye, or continues the sweep. `seconds`
  /// of wall time.
  void move(const Reach& reach, const engine::ShipControl& sticks, double seconds) noexcept;
  /// Starts or ends a sweep: the body moves to the other one and back by itself.
  void toggleSweep(const Reach& reach) noexcept;
  void endSweep() noexcept { sweep_.reset(); }
  [[nodiscard]] bool sweeps() const noexcept { return sweep_.has_value(); }

 private:
  struct Sweep {
    Vec3 from{0.0}, way{0.0};
    double passed = 0.0;  ///< seconds
  };
  void turn(const Reach& reach, const Quat& by) const noexcept;
  /// Not beyond the edges of the picture.
  void shift(const Reach& reach, const Vec3& by) const noexcept;

  bool orbits_ = false;
  std::optional<Sweep> sweep_;
};

}  // namespace nearmiss::app::fly
