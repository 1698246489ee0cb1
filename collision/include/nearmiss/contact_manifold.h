// SPDX-License-Identifier: MIT
/// Contact points of two shapes for a rigid-body solver: pairs of points with a normal, a depth and
/// an id that is stable from frame to frame.
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

/// One contact point: a vertex against a face, or two edges that cross. World frame. onB - onA
/// equals depth * normal within rounding.
///
/// Normal: the normal of the face, or the cross product of the two edges. Edges that leave the
/// touching features cross the contact plane at a sine of at most 0.3. On a rim the normal lies in
/// the rim's normal cone. On the border of a surface that is not a solid, the normal may also point
/// sideways, away from the surface.
///
/// Points: `onA` lies on the surface of a and `onB` on the surface of b, with two exceptions:
/// - A vertex that projects just outside a face of a convex solid, by at most 1e-4 of the smaller
///   radius of both bodies, counts as over that face. Its point then lies in the plane of the face,
///   up to that far outside it.
/// - If two features overlap by more than the proven depth of the bodies, their points lie between
///   the surfaces. A point of two solids is therefore never deeper than penetration().upper.
struct ManifoldPoint {
  Vec3 onA{0.0}, onB{0.0};
  Vec3 normal{0.0};  ///< unit, from b to a
  Real depth = 0.0;  ///< overlap, metres; negative: the gap
  /// Identifies the vertex or the two edges. Unique in a manifold, and stable across frames while
  /// the same features touch.
  std::uint64_t id = 0;
};

struct ContactManifold {
  std::vector<ManifoldPoint> points;  ///< deepest first; empty: no contact
  /// False if the bodies touch but the depth is undefined, because neither is a solid. The points
  /// then lie where the surfaces intersect and have depth 0.
  bool depthKnown = true;
  bool canRefine = true;  ///< false: all contacts were found
};

struct ManifoldSettings {
  /// Also reports points with a gap of at most this, metres. Finite, at least 0.
  Real margin = 0.0;
  /// Maximum number of points, at least 1. The deepest point and those that span the widest patch
  /// are kept.
  std::size_t maxPoints = 4;
  friend bool operator==(const ManifoldSettings&, const ManifoldSettings&) = default;
};

/// Checks that settings are valid input. Errors: Unsupported, in a sentence; OutOfMemory.
Result<Success> check(const ManifoldSettings& settings);

/// Builds all data of a shape that contact queries otherwise build at first use, which takes
/// milliseconds for a large mesh. Later calls return immediately. Thread-safe.
void prepare(const Shape& shape);

/// A resumable search for contact points. Keep one query per pair of bodies.
///
/// The query caches the features that are near each other, for all poses near the one in which it
/// searched. While the bodies' relative motion stays below that limit, only cached features are
/// compared, with the same result as a new search. If the relative pose has not changed, the last
/// manifold is returned immediately. Points of the previous manifold are kept unless another choice
/// is clearly better.
///
/// Special cases:
/// - Two solids whose contact no vertex or edge pair explains, such as a needle through a plate:
///   the manifold has the deepest point found inside both. If they only touch, it has the nearest
///   vertex. Such a point has its own normal.
/// - A closed surface that intersects itself: winding numbers define its inside. If more than a
///   dozen of its triangles cross in one place, the boundary there is located to within 1/256 of
///   the diagonal of the bounds, or more coarsely if thousands cross. Normals there are those of
///   any face within that distance.
/// - A solid against a surface that is not a solid, such as terrain or an open crate: each vertex
///   that has passed through the surface is moved back to the side it came from. In the first
///   manifold of two bodies, it is moved to the side on which the solid extends at least as far.
/// - Two surfaces that are not solids: points of depth 0 where they intersect.
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
  /// is true and points may be missing.
  ///
  /// Points of the previous manifold are compared first. Those not yet compared move along with
  /// their bodies, so touching bodies keep a point unless they move far. If none is left, the
  /// manifold has a point at which the surfaces intersect, with depth 0. Unchecked depths are
  /// bounded by those of the previous manifold plus the motion since. No point of two solids is
  /// deeper than penetration().upper.
  ///
  /// The result is valid until the next call.
  /// @pre begin() was called.
  const ContactManifold& refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// Discards all cached data, so that the next manifold depends only on its arguments. From then
  /// on, the first manifold of two bodies takes less time, because no features are cached for later
  /// poses. Edges that overlap by more than the width of their triangles may then be missing.
  void forget() noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Computes one manifold, without cached data.
/// @pre as ManifoldQuery::begin()
[[nodiscard]] ContactManifold contactManifold(const Shape& a, const Pose& poseA, const Shape& b,
                                              const Pose& poseB,
                                              const ManifoldSettings& settings = {},
                                              const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
