// SPDX-License-Identifier: MIT
/// The default limits of ships, pilots and the arena's rim: as published or brisk.
#pragma once

#include <engine/scene/scene.h>

namespace nearmiss::engine {

[[nodiscard]] constexpr ShipLimits usualLimits(bool asPublished) noexcept {
  return asPublished ? ShipLimits{} : briskLimits;
}

[[nodiscard]] constexpr PilotSettings usualPilot(bool asPublished) noexcept {
  return asPublished ? PilotSettings{} : briskPilot;
}

[[nodiscard]] constexpr Real usualPush(bool asPublished) noexcept {
  return asPublished ? Arena{}.pushMax : briskArena.pushMax;
}

}  // namespace nearmiss::engine
