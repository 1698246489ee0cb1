// SPDX-License-Identifier: MIT
/// Which ships matter most when there is not time for all pairs [H93, "Conclusions"; H96 §12].
#pragma once

#include <engine/flight/ships.h>
#include <nearmiss/worker_pool.h>

#include <cstddef>
#include <optional>

namespace nearmiss::engine {

/// The user's ship, and those around it, are what the user sees best. Beyond `fullWithin` a ship is
/// the less important the farther off it is, and a pair as important as the lesser of its ships.
struct ImportanceRule {
  /// Metres between the bounding spheres of a ship and the user's up to which its pairs never wait.
  /// Infinite: no pair ever waits. 0: only pairs of ships that meet the user's never wait.
  Real fullWithin = 0.0;
};

/// The user's field of view: a cone. Ships outside count for a sixteenth.
struct View {
  static constexpr Real outside = 1.0 / 16.0;
  Vec3 eye{0.0};                   ///< metres, world
  Vec3 direction{0.0, 0.0, -1.0};  ///< unit
  Real cosine = 0.0;               ///< of the angle between the axis and the corners of the picture
};

/// Gives every ship the importance that it has by `rule` where it is now. Uses the workers of a
/// pool, if there is one. @pre user is an index
void assignImportance(Ships& ships, std::size_t user, const ImportanceRule& rule,
                      const std::optional<View>& view = std::nullopt, WorkerPool* pool = nullptr);

}  // namespace nearmiss::engine
