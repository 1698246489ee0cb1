// SPDX-License-Identifier: MIT
/// The state of a body at one instant, as detectors read it: a plain value, copied out of the
/// world; and whether a detector can work with it.
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

/// Index of a shape among those that a detector was made for: see Shapes.
enum class ShapeId : std::uint32_t {};

/// A shape of a body, and the radius of the sphere around it. Both come from Shapes, so that they
/// cannot disagree; a plain value.
class ShapeRef {
 public:
  /// No shape: every detector rejects such a body.
  ShapeRef() = default;

  /// A body for a broad phase alone, as a sphere of `radius` metres about its position, or for a
  /// foreign narrow phase that keeps its own shapes under `id`.
  [[nodiscard]] static ShapeRef ofRadius(Real radius, ShapeId id = ShapeId{}) noexcept {
    return ShapeRef(id, radius);
  }

  [[nodiscard]] ShapeId id() const noexcept { return id_; }
  /// Metres about the body's position: the shape lies within, however the body turns. NaN for none.
  [[nodiscard]] Real radius() const noexcept { return radius_; }

  friend bool operator==(const ShapeRef&, const ShapeRef&) = default;

 private:
  ShapeRef(ShapeId id, Real radius) noexcept : radius_(radius), id_(id) {}
  Real radius_ = std::numeric_limits<Real>::quiet_NaN();
  ShapeId id_{};
};

/// A bound on thrust: dot(direction, x''(t)) >= -reverse as long as accelerationBound holds.
/// Convention B of the literature: the body never falls behind the plane through its unaccelerated
/// position; `direction` is where it accelerates. `reverse` > 0 admits up to that much against it.
struct CuttingPlane {
  Vec3 direction{0.0};  ///< unit
  Real reverse = 0.0;   ///< m/s^2, from 0 to maxPoseMagnitude
};

/// One rigid part of an articulated body.
struct Link {
  ShapeRef shape;
  Pose pose;  ///< in the frame of the body
};

/// Bodies of this importance are never postponed. A pair has the lower importance of its two
/// bodies.
inline constexpr std::uint32_t fullImportance = 0xffffffffu;

struct BodyState {
  /// Identifies a body for life, while its index in a span may change.
  std::uint32_t key = 0;
  /// Grows when the velocity or the place jumps, as in a bounce, or accelerationBound rises: bounds
  /// kept from before are void. Without it a jump is noticed only where it leaves the old bound.
  std::uint32_t motionEpoch = 0;
  ShapeRef shape;  ///< see Shapes::add()
  /// Bodies that share a number above 0 are parts of one thing: pairs inside it are never reported.
  /// A change is a jump: what was said of times without contact does not hold for the pairs that it
  /// parts.
  std::uint32_t assembly = 0;
  /// The square of the rotation's length is within 1e-9 of 1. Bounds take it for 1: where bodies
  /// touch by less than 1e-9 of their radii only, detection may differ.
  Pose pose;
  Vec3 velocity{0.0};  ///< m/s, world frame, each within maxPoseMagnitude
  /// M in |x''(t)| <= M, m/s^2, from 0 to maxPoseMagnitude, as the application guarantees it [H93,
  /// "Space-time bounds"].
  Real accelerationBound = 0.0;
  /// Simulation time until which accelerationBound may be relied on.
  Real boundHoldsUntil = std::numeric_limits<Real>::infinity();
  /// Not owned; as long-lived as the span of states [H93, "Cutting planes"].
  std::span<const CuttingPlane> planes;
  /// The parts of an articulated body, which has no others; empty for a rigid body. The radius of
  /// `shape` must hold them in every position of their joints, so that bounds on the body's motion
  /// need none on theirs [H96 §4.1]. Not owned; as long-lived as the span of states.
  std::span<const Link> links;
  /// Pairs of less than full importance may be postponed when time runs out; see
  /// Detector::detect().
  std::uint32_t importance = fullImportance;
  /// Marked by the user or the application: when time runs out, no other body waits longer, and a
  /// pair of it counts as of importance 0 [H93, "Conclusions"; H96 §12].
  bool unimportant = false;
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

/// The pair of two different bodies, lower index first.
[[nodiscard]] constexpr BodyPair pairOf(std::uint32_t a, std::uint32_t b) noexcept {
  return a < b ? BodyPair{a, b} : BodyPair{b, a};
}

/// How long something has been postponed.
struct Wait {
  Real since = 0.0;              ///< simulation time of the first detection that left it out
  std::uint32_t detections = 0;  ///< detections that left it out; 0: not waiting
};

/// A pair that was postponed although its bounding spheres meet.
struct PostponedPair {
  BodyPair pair;
  Wait wait;  ///< this detection is one of those that left it out
};

/// A body whose neighbours were not searched for: its pairs may meet unseen.
struct PostponedBody {
  std::uint32_t body = 0;
  Wait wait;  ///< this detection is one of those that left it out
};

/// One field of one body that no detector can work with.
struct BodyFault {
  std::size_t index = 0;      ///< in the span
  std::uint32_t key = 0;      ///< of the body there
  const char* field = "";     ///< as in BodyState, "velocity.y" say
  const char* demand = "";    ///< the requirement, "finite" say
  Real value = 0.0;           ///< its value
  std::ptrdiff_t plane = -1;  ///< index of the cutting plane, if `field` is of one
  std::ptrdiff_t link = -1;   ///< the same of a link
  std::optional<Real> limit;  ///< a number at the end of `demand`
  std::optional<Real> bound;  ///< else the number in `demand` that the value is beyond
};

/// Checks a pose from outside: of a file, a network or a user. Errors: Unsupported, in a sentence
/// such as "position.y is nan, but must be finite" (a position that is not finite or beyond
/// maxPoseMagnitude, a rotation that is not of unit length); OutOfMemory.
Result<Success> check(const Pose& pose);

/// Indices of bodies have 31 bits.
inline constexpr std::size_t bodyCountLimit = std::size_t{1} << 31;

/// A time at which no acceleration bound has expired, for users that look at one instant.
inline constexpr Real beforeExpiry = std::numeric_limits<Real>::lowest();

/// The first fault of any body at `time`, in the order of the span and of the fields of BodyState:
/// no shape, a number of position, velocity, radius, acceleration bound or plane that is not finite
/// or beyond maxPoseMagnitude, a radius or bound below 0, a rotation or plane direction that is not
/// of unit length, an acceleration bound that has expired (none has at beforeExpiry), a link
/// outside the body's radius. With `shapes`: an unknown shape, or a radius below the shape's.
/// Allocates nothing.
/// @pre bodies.size() <= bodyCountLimit
[[nodiscard]] std::optional<BodyFault> faultIn(std::span<const BodyState> bodies, Real time,
                                               const Shapes* shapes = nullptr) noexcept;

/// The same as a Result. Checks the number of bodies and the time first, and last that keys are
/// unique. Errors: Unsupported, in a sentence that names body and field; OutOfMemory.
Result<Success> checkBodies(std::span<const BodyState> bodies, Real time,
                            const Shapes* shapes = nullptr);

/// "body 3 (key 17): velocity.y is nan, but must be finite"
[[nodiscard]] std::string describe(const BodyFault& fault);

}  // namespace nearmiss
