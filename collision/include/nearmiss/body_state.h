// SPDX-License-Identifier: MIT
/// The state of a body at one instant, as detectors read it: a plain value, copied out of the
/// world.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape_ref.h>

#include <compare>
#include <cstdint>
#include <limits>
#include <span>

namespace nearmiss {

/// A bound on thrust: dot(direction, x''(t)) >= -reverse as long as accelerationBound holds.
/// Convention B of the literature: the body never falls behind the plane through its unaccelerated
/// position; `direction` is where it accelerates. `reverse` > 0 admits that much against it.
struct CuttingPlane {
  Vec3 direction{0.0};  ///< unit
  Real reverse = 0.0;   ///< m/s^2, 0 or more
};

/// One rigid part of an articulated body.
struct Link {
  ShapeRef shape;
  Pose pose;  ///< in the frame of the body
};

/// The importance of what is never postponed. A pair is as important as the less important of its
/// bodies.
inline constexpr std::uint32_t fullImportance = 0xffffffffu;

struct BodyState {
  /// Identifies a body for life, while its index in a span may change.
  std::uint32_t key = 0;
  /// Grows when the velocity jumps, as in a bounce: bounds kept from before are void.
  std::uint32_t motionEpoch = 0;
  ShapeRef shape;  ///< see Shapes::add()
  /// Bodies that share a number above 0 are parts of one thing: pairs inside it are never reported.
  std::uint32_t assembly = 0;
  Pose pose;
  Vec3 velocity{0.0};  ///< m/s, world frame
  /// M in |x''(t)| <= M, m/s^2, as the application guarantees it [H93, "Space-time bounds"].
  Real accelerationBound = 0.0;
  /// Simulation time until which accelerationBound may be relied on.
  Real boundHoldsUntil = std::numeric_limits<Real>::infinity();
  /// Not owned; as long-lived as the span of states [H93, "Cutting planes"].
  std::span<const CuttingPlane> planes;
  /// The parts of an articulated body, which is these and nothing else; empty for a rigid body. The
  /// radius of `shape` must hold them in every position of their joints, so that bounds on the
  /// body's motion need none on theirs [H96 §4.1]. Not owned; as long-lived as the span of states.
  std::span<const Link> links;
  /// Pairs of less than full importance may be postponed when time runs out; see
  /// Detector::detect().
  std::uint32_t importance = fullImportance;
};

/// A rigid body counts as its only link.
[[nodiscard]] inline std::uint32_t linkCount(const BodyState& body) noexcept {
  return body.links.empty() ? 1 : static_cast<std::uint32_t>(body.links.size());
}
/// A link in world space.
[[nodiscard]] inline Link linkOf(const BodyState& body, std::uint32_t link) noexcept {
  if (body.links.empty()) return {body.shape, body.pose};
  return {body.links[link].shape, composed(body.pose, body.links[link].pose)};
}

/// Two indices into one span of BodyState, a < b, so that a pair has exactly one form.
struct BodyPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// Of two different bodies, the lower one first.
[[nodiscard]] constexpr BodyPair pairOf(std::uint32_t a, std::uint32_t b) noexcept {
  return a < b ? BodyPair{a, b} : BodyPair{b, a};
}

/// How long something has been postponed.
struct Wait {
  Real since = 0.0;              ///< simulation time of the first detection that left it out
  std::uint32_t detections = 0;  ///< that have left it out; 0: it does not wait
};

/// A pair that was postponed although its bounding spheres meet.
struct PostponedPair {
  BodyPair pair;
  Wait wait;  ///< this detection is one of those that left it out
};

/// A body whose neighbours were not searched for: pairs of it may meet unseen.
struct PostponedBody {
  std::uint32_t body = 0;
  Wait wait;  ///< this detection is one of those that left it out
};

}  // namespace nearmiss
