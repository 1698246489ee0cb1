// SPDX-License-Identifier: MIT
/// Which ships have priority when there is not enough time for all pairs [H93, "Conclusions"; H96
/// §12].
#pragma once

#include <engine/flight/ships.h>
#include <nearmiss/advanced/worker_pool.h>

#include <cstddef>
#include <optional>

namespace nearmiss::engine {

/// The user looks mostly at their own ship and those near it. Beyond `fullWithin` the importance of
/// a ship decreases with its distance. The importance of a pair is the smaller of its ships'.
struct ImportanceRule {
  /// Maximum distance between the bounding spheres of a ship and the user's at which its pairs are
  /// never postponed [m]. Infinite: no pair is ever postponed. 0: only pairs of ships that meet the
  /// user's are never postponed.
  Real fullWithin = 0.0;
};

/// The user's field of view, a cone. The importance of ships outside is divided by 16.
struct View {
  static constexpr Real outside = 1.0 / 16.0;
  Vec3 eye{0.0};                   ///< metres, world
  Vec3 direction{0.0, 0.0, -1.0};  ///< unit
  Real cosine = 0.0;               ///< of the angle between the axis and the corners of the picture
};

/// Sets the importance of every ship by `rule` and its current position. Uses the workers of `pool`
/// if it is not null.
/// @pre user is a valid index
void assignImportance(Ships& ships, std::size_t user, const ImportanceRule& rule,
                      const std::optional<View>& view = std::nullopt, WorkerPool* pool = nullptr);

}  // namespace nearmiss::engine
