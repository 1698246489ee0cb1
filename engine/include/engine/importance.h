// SPDX-License-Identifier: MIT
/// Which ships matter most when there is not time for all pairs [H93, "Conclusions"; H96 §12].
#pragma once

#include <engine/world.h>

#include <cstddef>
#include <limits>

namespace nearmiss::engine {

inline constexpr std::size_t mostPairs = 1'000'000'000;  ///< as good as no limit

/// The user's ship, and those around it, are what the user sees best. Beyond `fullWithin` a ship is
/// the less important the farther off it is, and a pair as important as the lesser of its ships.
struct ImportanceRule {
  /// Metres between the bounding spheres of a ship and the user's up to which its pairs are never
  /// postponed. Infinite: those of no ship are.
  Real fullWithin = std::numeric_limits<Real>::infinity();
  /// Pairs of lesser importance that one detection may look at; the others are postponed, and go
  /// before their equals the longer they have waited.
  std::size_t lesserPairs = mostPairs;
};

/// Gives every ship the importance that it has by `rule` where it is now. @pre user is a place
void assignImportance(World& world, std::size_t user, const ImportanceRule& rule) noexcept;

}  // namespace nearmiss::engine
