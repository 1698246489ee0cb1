// SPDX-License-Identifier: MIT
/// The default limits of ships, pilots and the arena's rim, and the mass of the user's ship: as
/// published or brisk.
#pragma once

#include <engine/scene/scene.h>

#include <limits>

namespace nearmiss::engine {

[[nodiscard]] constexpr ShipLimits usualLimits(bool asPublished) noexcept {
  return asPublished ? ShipLimits{} : briskLimits;
}

[[nodiscard]] constexpr PilotSettings usualPilot(bool asPublished) noexcept {
  return asPublished ? PilotSettings{} : briskPilot;
}

/// kg. No hit moves the published one [H96 §11.1].
[[nodiscard]] constexpr Real usualPlayerMass(bool asPublished) noexcept {
  return asPublished ? std::numeric_limits<Real>::infinity() : 1.0;
}

[[nodiscard]] constexpr Real usualPush(bool asPublished) noexcept {
  return asPublished ? Arena{}.pushMax : briskArena.pushMax;
}

}  // namespace nearmiss::engine
