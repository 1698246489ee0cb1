// SPDX-License-Identifier: MIT
/// What the grid of space-time bounds keeps of bodies and pairs.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstdint>

namespace nearmiss {

/// Until when a body's bound holds, and what acceleration it allows, m/s^2.
struct Envelope {
  Real end = 0.0, acceleration = 0.0;
};

/// Of a body in the grid: the box that holds all cubes of its bound, everything within `half` of
/// the centre on every axis; and how often the bound was rebuilt.
struct LifeBox {
  float x = 0.0f, y = 0.0f, z = 0.0f, half = 0.0f;
  std::uint32_t build = 0;
};

/// A pair to look at, unless either body's bound has been rebuilt since.
struct PairEvent {
  std::uint32_t a = 0, b = 0;
  std::uint32_t buildOfA = 0, buildOfB = 0;
  friend auto operator<=>(const PairEvent&, const PairEvent&) = default;
};

}  // namespace nearmiss
