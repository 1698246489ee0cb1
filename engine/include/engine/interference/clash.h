// SPDX-License-Identifier: MIT
/// How two objects at rest interfere, in the categories of CAD and building models.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nearmiss::engine {

enum class ClashClass : std::uint8_t {
  /// Same object twice: no edge of either is farther from the other's surface than the tolerance.
  Duplicate,
  Enclosed,    ///< one object is inside the other, a solid, within the tolerance
  Protruding,  ///< part of one object is deeper inside the other than the tolerance
  /// In contact or within the tolerance of it, and nowhere deeper.
  Touching,
  WithinClearance,  ///< separate, but not by more than the clearance
  Clear,
};

/// Names in the order of ClashClass.
inline constexpr std::array<std::string_view, 6> clashNames{
    "duplicate", "enclosed", "protruding", "touching", "within clearance", "clear"};

[[nodiscard]] constexpr std::string_view nameOf(ClashClass kind) noexcept {
  return clashNames[static_cast<std::size_t>(kind)];
}

/// Returns true if surfaces or solids touch or are within the tolerance of touching.
[[nodiscard]] constexpr bool isContact(ClashClass kind) noexcept {
  return kind <= ClashClass::Touching;
}

/// The feature at which `depth` was measured.
enum class DeepestPart : std::uint8_t { None, Vertex, Edge, Face };

struct Clash {
  BodyPair pair;  ///< of objects
  ClashClass kind = ClashClass::Clear;
  /// Protruding: distance from the deepest vertex of either object to the nearest face around it of
  /// the other [m]. If no vertex is deeper than the tolerance, the deepest point of an edge is
  /// used; if all edges are flush, a point of a face. 0 if surfaces cross or touch and one of them
  /// is not a solid.
  Real depth = 0.0;
  DeepestPart part = DeepestPart::None;
  bool ofB = false;  ///< Protruding: the deepest part belongs to b. Enclosed: b is the inner
                     ///< object.
  Real gap = 0.0;    ///< touching or within clearance: metres between the surfaces
  /// World frame. Protruding: the deepest point. Touching or within clearance: the midpoint of the
  /// gap, or a contact point. Enclosed: the centre of the inner object's box; duplicates: of a's
  /// box.
  Vec3 at{0.0};
};

struct ClashLimits {
  Real tolerance = 1e-4;  ///< metres, at least 0; raised to the rounding error if smaller
  Real clearance = 0.0;   ///< metres, at least 0
};

}  // namespace nearmiss::engine
