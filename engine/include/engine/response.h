// SPDX-License-Identifier: MIT
/// What happens to ships that collide.
#pragma once

#include <engine/world.h>
#include <nearmiss/detector.h>

#include <cstdint>

namespace nearmiss::engine {

enum class Response : std::uint8_t {
  Bounce,    ///< exchange of momentum along the contact normal, energy kept [H96 §11.1]
  Teleport,  ///< both return to where they were created [H95]
};

/// Handles one detected pair. Bounce acts only on pairs that converge, judged along the centre line
/// of the deepest colliding spheres with the ships' velocities; rotation is ignored. The infinite
/// mass is not moved, bit for bit. Returns whether anything changed.
/// @pre the verdict is not Separate.
bool respond(World& world, const DetectedPair& pair, Response kind);

}  // namespace nearmiss::engine
