// SPDX-License-Identifier: MIT
/// Isothetic cubes at random positions and in random flight: what the broad phase is measured on
/// [H93, "Performance"].
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/math.h>
#include <nearmiss/space_time_bound.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::app::lab {

struct CrowdSettings {
  int count = 100;
  Real firstMeeting = 1.0;                     ///< about when two of them meet, seconds
  Real minHalfEdge = 0.25, maxHalfEdge = 0.5;  ///< of the cubes, metres
  Real speed = 1.0;                            ///< max along an axis, m/s
};

/// Cubes at rest in a cube of space, and how large it is.
struct Crowd {
  std::vector<BodyState> bodies;  ///< shape.radius() is of the sphere around the cube
  Real halfRange = 0.0;           ///< metres; the centres lie within, on every axis
};

/// The space is chosen so that by the theory of gases the first two meet at about `firstMeeting`,
/// but never so small that the cubes are crowded. Spheres around the cubes are disjoint.
[[nodiscard]] Crowd drawCrowd(SplitMix& random, const CrowdSettings& settings);

/// Half the edge of the cube whose sphere a body carries.
[[nodiscard]] Real halfEdgeOf(const BodyState& body) noexcept;

/// A point in the cube of that half edge about the origin, metres.
[[nodiscard]] Vec3 drawInCube(SplitMix& random, Real half);

/// A unit vector, all directions equally likely.
[[nodiscard]] Vec3 drawDirection(SplitMix& random);

/// Cubes that random forces move, as the broad phases were measured on [H93, "Performance"].
///
/// The forces come in sets, one after the other. While one lasts, half a second to two, every cube
/// has a bound on its acceleration and a force within it that swings about; the states have the
/// bound and the end of the set, and nothing of what comes then. Cubes do not turn. Those that
/// leave their space are driven back.
class CubeFlight {
 public:
  /// The first two cubes meet at about `firstMeeting` seconds.
  CubeFlight(std::uint64_t seed, int count, Real firstMeeting);

  /// Integrates by second-order Runge-Kutta, a step to the end of each set of forces.
  void advance(Real dt);

  /// shape.radius() is of the sphere around the cube.
  [[nodiscard]] std::span<const BodyState> bodies() const noexcept { return bodies_; }
  /// The same; shape.radius() is half the edge of the cube.
  [[nodiscard]] std::span<const BodyState> cubes() const noexcept { return cubes_; }
  [[nodiscard]] Real time() const noexcept { return time_; }
  /// When the present set of forces ends.
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

/// True if the cubes of two bodies touch.
[[nodiscard]] bool cubesMeet(const BodyState& a, const BodyState& b) noexcept;

/// Bounds that are disjoint at first, and the planes that they look at.
struct BoundSet {
  std::vector<SpaceTimeBound> bounds;
  std::vector<CuttingPlane> planes;
  Real until = 0.0;
};

/// Sizes, velocities and accelerations at random; the density as well, so that the first two meet
/// early, late or never. With planes, two bodies in three have one.
[[nodiscard]] BoundSet drawBoundSet(SplitMix& random, int count, bool planes);

/// The earliest meeting of any pair, after the start; nothing if none meets.
[[nodiscard]] std::optional<Real> firstMeetingOfAll(const BoundSet& set);

}  // namespace nearmiss::app::lab
