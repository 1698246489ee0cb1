// SPDX-License-Identifier: MIT
/// Hits while their sparks fly: where ships met, how hard, and the light that it gives.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "fly/flight.h"
#include "fly/gfx/draw_frame.h"

namespace nearmiss::app {

struct Impact {
  std::size_t a = 0, b = 0;  ///< indices of the ships
  Vec3 place{0.0};           ///< world
  Vec3 normal{0.0};          ///< unit vector in which `a` is thrown
  double speed = 0.0;        ///< at which the ships meet along it, m/s
  double born = 0.0;         ///< wall seconds
};

/// What a collision of the last frame was. The ships are taken as they fly apart, which after a
/// bounce is as fast as they met.
[[nodiscard]] Impact impactOf(const engine::FrameOutput& output, const engine::Collision& collision,
                              double wallSeconds);

class Impacts {
 public:
  static constexpr std::size_t mostImpacts = 16;
  static constexpr double seconds = 0.7;  ///< of wall time, for which sparks fly

  void clear() noexcept;
  /// Takes up the collisions of the last frame, and returns them, valid until the next call.
  std::span<const Impact> take(const engine::FrameOutput& output, double wallSeconds);
  /// Adds what is to be seen of them: sparks, and a hot mark at the contact.
  void light(double wallSeconds, std::vector<DrawLine>& sparks,
             std::vector<DrawLight>& marks) const;

 private:
  std::vector<Impact> impacts_, taken_;  ///< the oldest first
};

}  // namespace nearmiss::app
