// SPDX-License-Identifier: MIT
/// Contact points of two shapes for a rigid-body solver: pairs of points with a normal, a depth and
/// an id that stays from frame to frame.
///
/// Thread-safe for concurrent use of the same shapes; a query object belongs to one thread.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace nearmiss {

/// A vertex and the face of the other body that it touches, or two edges that cross. World frame;
/// onB - onA is depth * normal within rounding.
///
/// The normal fits both features: it is that of the face, or the cross product of the edges, and no
/// edge of a body leads from its feature to the other side of the contact plane by more than a sine
/// of 0.3. Beside a rim it lies in the normal cone of the rim. A surface without an inside ends at
/// its rims: there the normal may also lead away from the surface sideways.
///
/// The points lie on both surfaces. A vertex that is beside a face of a convex solid, by at most
/// 1e-4 of the smaller radius of both bodies, counts as over that face: its point of the face lies
/// in the plane of the face, up to as far beside it. Features that overlap by more than the bodies
/// are known to share have their points between the surfaces instead, so that no point of two
/// solids is deeper than penetration().upper.
struct ManifoldPoint {
  Vec3 onA{0.0}, onB{0.0};
  Vec3 normal{0.0};  ///< unit, from b to a
  Real depth = 0.0;  ///< metres of overlap; negative: the gap
  /// Names the vertex, or both edges. Stable while the same features touch; unique in a manifold.
  std::uint64_t id = 0;
};

struct ContactManifold {
  std::vector<ManifoldPoint> points;  ///< the deepest first; empty: no contact
  /// False if the bodies touch but the depth is unknown, because neither has an inside: points then
  /// lie where the surfaces cross and have depth 0.
  bool depthKnown = true;
  bool canRefine = true;  ///< false: nothing else touches
};

struct ManifoldSettings {
  /// Metres: points with a gap of at most this are reported too. Finite, at least 0.
  Real margin = 0.0;
  /// Keeps the deepest point and those that span the widest patch. At least 1.
  std::size_t maxPoints = 4;
  friend bool operator==(const ManifoldSettings&, const ManifoldSettings&) = default;
};

/// Checks settings from outside. Errors: Unsupported, in a sentence; OutOfMemory.
Result<Success> check(const ManifoldSettings& settings);

/// Builds everything about a shape that contact queries otherwise build at their first use, which
/// takes milliseconds for a large mesh. Later calls return at once. Thread-safe.
void prepare(const Shape& shape);

/// A resumable search for contact points. Keep one query per pair of bodies.
///
/// The query remembers the features that are near each other, for all poses near the one in which
/// it searched. While the bodies move less than that relative to each other, only these features
/// are compared; the result is that of a new search. If the relative pose has not changed, the last
/// manifold is returned at once. Points of the previous manifold are kept unless another choice is
/// clearly better.
///
/// If no vertex and no edges explain the contact of two solids, as of a needle through a plate, the
/// deepest point that is found in both stands for it; of solids that only touch,
/// the nearest vertex does. Such a point has a normal of its own. A closed surface that intersects
/// itself has the inside of its winding numbers. Where more than a dozen of its triangles cross
/// each other in one place, its boundary is located to within 1/256 of the diagonal of its bounds,
/// or more coarsely if thousands of triangles cross; normals there are those of any face that near.
/// Each vertex of a solid that has passed through a surface without an inside, such as terrain or
/// an open crate, is moved back to the side that it came from; in the first manifold of two bodies,
/// to the side on which the solid goes on at least as far. Two surfaces without an inside have
/// points of depth 0 where they cross.
///
/// If a step throws std::bad_alloc, call begin() before the next one. Moved-from queries can only
/// be assigned to or destroyed.
class ManifoldQuery {
 public:
  ManifoldQuery();
  ManifoldQuery(ManifoldQuery&&) noexcept;
  ManifoldQuery& operator=(ManifoldQuery&&) noexcept;
  ~ManifoldQuery();

  /// Starts a manifold of two shapes. Poses are in the world frame.
  /// @pre check() succeeds for both poses and for the settings.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
             const ManifoldSettings& settings = {});

  /// Searches until all points are found or `budget` is exhausted. In the latter case `canRefine`
  /// is true and points may be missing. Those of the previous manifold are compared first; the
  /// search moves those that it has not come to with their bodies. So bodies that touch keep a
  /// point unless they move far; where none is left, a point at which the surfaces cross stands for
  /// the contact, with depth 0. Depths that were not checked yet are bounded by those of the
  /// previous manifold and the motion since; no point of two solids is deeper than
  /// penetration().upper. Valid until the next call.
  /// @pre begin() was called.
  const ContactManifold& refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// Forgets the bodies of before, so that the next manifold depends on nothing but its arguments.
  /// First manifolds of two bodies take less time from then on, because nothing is listed for later
  /// poses; edges may be missing that overlap by more than their triangles are wide.
  void forget() noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// One manifold, from scratch.
/// @pre as ManifoldQuery::begin()
[[nodiscard]] ContactManifold contactManifold(const Shape& a, const Pose& poseA, const Shape& b,
                                              const Pose& poseB,
                                              const ManifoldSettings& settings = {},
                                              const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
