// SPDX-License-Identifier: MIT
/// The state of a body at one instant, as detectors read it: plain data, copied out of the world.
/// Also checks whether a detector can use it.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace nearmiss {

class Shapes;

/// Handle of a shape in the Shapes of a detector, with the radius of its bounding sphere. Plain
/// data. Created by `Shapes`, so that index and radius are consistent; ofRadius() is the exception.
class ShapeRef {
 public:
  /// Refers to no shape. Every detector rejects such a body.
  ShapeRef() = default;

  /// Makes a handle without Shapes: for a broad phase alone, which sees a sphere of `radius` metres
  /// about the body's position, or for a foreign narrow phase with a list of its own.
  [[nodiscard]] static ShapeRef ofRadius(Real radius, std::uint32_t index = 0) noexcept {
    return ShapeRef(index, radius);
  }

  /// Returns the index in `Shapes`.
  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }
  /// Radius about the body's position, metres. Contains the shape in every orientation. NaN without
  /// a shape.
  [[nodiscard]] Real radius() const noexcept { return radius_; }

  friend bool operator==(const ShapeRef&, const ShapeRef&) = default;

 private:
  ShapeRef(std::uint32_t index, Real radius) noexcept : radius_(radius), index_(index) {}
  Real radius_ = std::numeric_limits<Real>::quiet_NaN();
  std::uint32_t index_ = 0;
};

/// A bound on thrust: dot(direction, x''(t)) >= -reverse as long as accelerationBound holds.
///
/// Convention B of the literature: the body never falls behind the plane through its unaccelerated
/// position, and `direction` is the direction in which it accelerates. A `reverse` above 0 allows
/// acceleration against `direction` up to that value.
struct CuttingPlane {
  Vec3 direction{0.0};  ///< unit
  Real reverse = 0.0;   ///< m/s^2, from 0 to maxPoseMagnitude
};

/// One rigid part of an articulated body.
struct Link {
  ShapeRef shape;
  Pose pose;  ///< in the frame of the body
};

/// The importance of bodies that are never postponed. The importance of a pair is the lower of
/// both.
inline constexpr std::uint32_t fullImportance = 0xffffffffu;

/// The state of one body at one instant.
struct BodyState {
  /// Identifies the body for its whole life. Its index in a span may change.
  std::uint32_t key = 0;
  /// Increase it when the velocity or position jumps, as in a bounce, or when accelerationBound
  /// rises: it invalidates cached bounds. Otherwise a jump is noticed only if the body leaves its
  /// cached bound.
  std::uint32_t motionEpoch = 0;
  ShapeRef shape;  ///< see Shapes::add()
  /// Bodies with the same number above 0 are parts of one assembly; pairs within it are never
  /// reported. A change counts as a jump: times without contact are then invalid for the pairs that
  /// it separates.
  std::uint32_t assembly = 0;
  /// The squared length of the rotation must be within 1e-9 of 1. Bounds assume 1: if bodies touch
  /// by less than 1e-9 of their radii, results may differ.
  Pose pose;
  Vec3 velocity{0.0};  ///< m/s, world frame, each coordinate within maxPoseMagnitude
  /// M in |x''(t)| <= M, m/s^2, from 0 to maxPoseMagnitude. Guaranteed by the application [H93,
  /// "Space-time bounds"].
  Real accelerationBound = 0.0;
  /// Simulation time until which accelerationBound holds.
  Real boundHoldsUntil = std::numeric_limits<Real>::infinity();
  /// Not owned; must live as long as the span of states [H93, "Cutting planes"].
  std::span<const CuttingPlane> planes;
  /// All parts of an articulated body; empty for a rigid body. The radius of `shape` must contain
  /// them in every joint position, so that bounds on the body's motion need no bounds on theirs
  /// [H96 §4.1]. Not owned; must live as long as the span of states.
  std::span<const Link> links;
  /// Pairs below full importance may be postponed when time runs out; see Detector::detect().
  std::uint32_t importance = fullImportance;
  /// Marked by the user or the application. When time runs out, no other body waits longer, and
  /// pairs of this body count as importance 0 [H93, "Conclusions"; H96 §12].
  bool unimportant = false;
};

/// Returns the number of links; 1 for a rigid body, which is its own only link.
[[nodiscard]] inline std::uint32_t linkCount(const BodyState& body) noexcept {
  return body.links.empty() ? 1 : static_cast<std::uint32_t>(body.links.size());
}
/// Returns a link with its pose in world space.
[[nodiscard]] inline Link linkOf(const BodyState& body, std::uint32_t link) noexcept {
  if (body.links.empty()) return {body.shape, body.pose};
  return {body.links[link].shape, composed(body.pose, body.links[link].pose)};
}

/// Two indices into one span of BodyState, a < b, so that each pair has exactly one form.
struct BodyPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// Returns the pair of two different bodies, lower index first.
[[nodiscard]] constexpr BodyPair pairOf(std::uint32_t a, std::uint32_t b) noexcept {
  return a < b ? BodyPair{a, b} : BodyPair{b, a};
}

/// How long something has been postponed.
struct Wait {
  Real since = 0.0;              ///< simulation time of the first detection that skipped it
  std::uint32_t detections = 0;  ///< number of detections that skipped it; 0: not waiting
};

/// A pair that was postponed although its bounding spheres overlap.
struct PostponedPair {
  BodyPair pair;
  Wait wait;  ///< includes this detection
};

/// A body whose neighbours were not searched, so that its pairs may be unknown.
struct PostponedBody {
  std::uint32_t body = 0;
  Wait wait;  ///< includes this detection
};

/// One invalid field of one body.
struct BodyFault {
  std::size_t index = 0;      ///< index in the span
  std::uint32_t key = 0;      ///< key of that body
  const char* field = "";     ///< as in BodyState, "velocity.y" say
  const char* demand = "";    ///< the requirement, "finite" say
  Real value = 0.0;           ///< its value
  std::ptrdiff_t plane = -1;  ///< index of the cutting plane, if `field` is one of its fields
  std::ptrdiff_t link = -1;   ///< index of the link, if `field` is one of its fields
  std::optional<Real> limit;  ///< number at the end of `demand`
  std::optional<Real> bound;  ///< otherwise: the number in `demand` that the value exceeds
};

/// Indices of bodies have 31 bits.
inline constexpr std::size_t bodyCountLimit = std::size_t{1} << 31;

/// A time before every expiry of an acceleration bound, for users that examine one instant only.
inline constexpr Real beforeExpiry = std::numeric_limits<Real>::lowest();

/// Returns the first fault of any body at `time`, in the order of the span and of the fields of
/// BodyState. Allocates nothing. Faults are:
/// - no shape; with `shapes`, an unknown shape or a radius below that of the shape
/// - a number of position, velocity, radius, acceleration bound or plane that is not finite or
///   beyond maxPoseMagnitude
/// - a radius or bound below 0
/// - a rotation or plane direction that is not of unit length
/// - an acceleration bound that has expired (none has at beforeExpiry)
/// - a link outside the body's radius
/// @pre bodies.size() <= bodyCountLimit
[[nodiscard]] std::optional<BodyFault> faultIn(std::span<const BodyState> bodies, Real time,
                                               const Shapes* shapes = nullptr) noexcept;

/// As faultIn(), but returns a Result. Also checks the number of bodies and the time before, and
/// that keys are unique afterwards. Errors: Unsupported, in a sentence that names body and field;
/// OutOfMemory.
Result<Success> checkBodies(std::span<const BodyState> bodies, Real time,
                            const Shapes* shapes = nullptr);

/// Returns a sentence such as "body 3 (key 17): velocity.y is nan, but must be finite".
[[nodiscard]] std::string describe(const BodyFault& fault);

}  // namespace nearmiss
