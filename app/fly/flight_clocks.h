// SPDX-License-Identifier: MIT
/// Which clock moves what in the window: the world, the eye, sparks, and the marks of collisions.
#pragma once

namespace nearmiss::app {

struct FlightContext;

/// Whether frames come at the pace of a clock or a display, and not as fast as they can.
[[nodiscard]] bool paced(const FlightContext& context) noexcept;
/// Whether a frame advances by what the last one took. Repeatable and unpaced runs use the scene's
/// own steps.
[[nodiscard]] bool inRealTime(const FlightContext& context) noexcept;

/// Whether pictures are to be the same on every machine: then the flight's own clock moves the eye,
/// sparks and glow, else the wall's.
[[nodiscard]] bool picturesRepeat(const FlightContext& context) noexcept;
/// Of that clock.
[[nodiscard]] double pictureSeconds(const FlightContext& context) noexcept;
/// What has passed of it since the last call.
[[nodiscard]] double pictureStep(FlightContext& context) noexcept;

/// A turn passes on the clock by which marks fade: none while paused. Single steps and frames of
/// pictures that repeat last as long as they are meant to.
void passMarkTime(FlightContext& context) noexcept;
/// How long a collision is marked, on that clock.
[[nodiscard]] double markLifetime(const FlightContext& context) noexcept;

}  // namespace nearmiss::app
