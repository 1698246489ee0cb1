// SPDX-License-Identifier: MIT
/// Axis-aligned cubes at random positions and in random flight, to measure the broad phase [H93,
/// "Performance"].
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/space_time_bound.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/math.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::app::lab {

struct CrowdSettings {
  int count = 100;
  Real firstMeeting = 1.0;                     ///< approximate time of the first contact, seconds
  Real minHalfEdge = 0.25, maxHalfEdge = 0.5;  ///< of the cubes, metres
  Real speed = 1.0;                            ///< maximum along an axis, m/s
};

/// Cubes at rest in a cubical region, and the size of the region.
struct Crowd {
  std::vector<BodyState> bodies;  ///< shape.radius() is that of the cube's bounding sphere
  Real halfRange = 0.0;           ///< metres; bounds the coordinates of the centres
};

/// Chooses the size of the region by kinetic theory, so that the first two cubes meet at about
/// `firstMeeting`, with a lower limit that avoids crowding. The bounding spheres of the cubes are
/// disjoint.
[[nodiscard]] Crowd drawCrowd(SplitMix& random, const CrowdSettings& settings);

/// Half the edge of the cube with a body's bounding sphere.
[[nodiscard]] Real halfEdgeOf(const BodyState& body) noexcept;

/// A random point in the cube of that half edge around the origin, metres.
[[nodiscard]] Vec3 drawInCube(SplitMix& random, Real half);

/// A uniformly distributed unit vector.
[[nodiscard]] Vec3 drawDirection(SplitMix& random);

/// Cubes moved by random forces, to measure broad phases [H93, "Performance"].
///
/// Forces come in consecutive sets of 0.5 s to 2 s. During a set every cube has an acceleration
/// bound and an oscillating force within it. The states contain the bound and the end of the set,
/// but nothing of later sets. Cubes do not rotate. Cubes that leave the region are driven back.
class CubeFlight {
 public:
  /// The first two cubes meet at about `firstMeeting` seconds.
  CubeFlight(std::uint64_t seed, int count, Real firstMeeting);

  /// Integrates by second-order Runge-Kutta, with steps that end at the end of each set of forces.
  void advance(Real dt);

  /// Bodies with the radius of the cube's bounding sphere.
  [[nodiscard]] std::span<const BodyState> bodies() const noexcept { return bodies_; }
  /// The same bodies with half the edge of the cube as radius.
  [[nodiscard]] std::span<const BodyState> cubes() const noexcept { return cubes_; }
  [[nodiscard]] Real time() const noexcept { return time_; }
  /// End of the current set of forces.
  [[nodiscard]] Real setEnd() const noexcept { return setEnd_; }

 private:
  /// steady + swing * sin(rate * t + phase), m/s^2
  struct Force {
    Vec3 steady{0.0}, swing{0.0};
    Real rate = 0.0, phase = 0.0;
  };

  void drawForces();
  void step(Real dt);

  SplitMix random_;
  void copyCubes();

  std::vector<BodyState> bodies_, cubes_;
  std::vector<Force> forces_;
  Real halfRange_ = 0.0, time_ = 0.0, setEnd_ = 0.0;
};

/// Returns true if the cubes of two bodies touch.
[[nodiscard]] bool cubesMeet(const BodyState& a, const BodyState& b) noexcept;

/// Initially disjoint bounds, and the planes that they refer to.
struct BoundSet {
  std::vector<SpaceTimeBound> bounds;
  std::vector<CuttingPlane> planes;
  Real until = 0.0;
};

/// Draws random sizes, velocities, accelerations and density, so that the first meeting may be
/// early, late or missing. With planes, two bodies in three have one.
[[nodiscard]] BoundSet drawBoundSet(SplitMix& random, int count, bool planes);

/// Returns the earliest meeting of any pair after the start; `nullopt` if there is none.
[[nodiscard]] std::optional<Real> firstMeetingOfAll(const BoundSet& set);

}  // namespace nearmiss::app::lab
