// SPDX-License-Identifier: MIT
/// How two objects at rest interfere, in the classes of CAD and building models.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nearmiss::engine {

enum class ClashClass : std::uint8_t {
  /// The same place is taken twice: no edge of either is farther than the tolerance from the
  /// surface of the other.
  Duplicate,
  Enclosed,    ///< one lies within the other, a solid, but for the tolerance
  Protruding,  ///< a part of one is deeper in the other than the tolerance
  /// In contact, or within the tolerance of it, and nowhere deeper.
  Touching,
  WithinClearance,  ///< apart, by no more than the clearance
  Clear,
};

/// Their names, in the order of ClashClass.
inline constexpr std::array<std::string_view, 6> clashNames{
    "duplicate", "enclosed", "protruding", "touching", "within clearance", "clear"};

[[nodiscard]] constexpr std::string_view nameOf(ClashClass kind) noexcept {
  return clashNames[static_cast<std::size_t>(kind)];
}

/// Surfaces or solids share a point, or lie within the tolerance of it.
[[nodiscard]] constexpr bool isContact(ClashClass kind) noexcept {
  return kind <= ClashClass::Touching;
}

/// What `depth` was measured at.
enum class DeepestPart : std::uint8_t { None, Vertex, Edge, Face };

struct Clash {
  BodyPair pair;  ///< of objects
  ClashClass kind = ClashClass::Clear;
  /// Protruding: metres from the deepest vertex of either to the nearest face of the other around
  /// it. Where no vertex is deeper than the tolerance, of the deepest point of an edge; where all
  /// edges are flush, of a point of a face. 0 where surfaces cross, or only touch, of which one has
  /// no inside.
  Real depth = 0.0;
  DeepestPart part = DeepestPart::None;
  bool ofB = false;  ///< protruding: that is a part of b; enclosed: b is the inner one
  Real gap = 0.0;    ///< touching or within clearance: metres between the surfaces
  /// World frame: the deepest point; the middle of the gap, or a point of contact; the centre of
  /// the inner one's box, or of a's for duplicates.
  Vec3 at{0.0};
};

struct ClashLimits {
  Real tolerance = 1e-4;  ///< metres, 0 or more; no less than rounding is heeded
  Real clearance = 0.0;   ///< metres, 0 or more
};

}  // namespace nearmiss::engine
