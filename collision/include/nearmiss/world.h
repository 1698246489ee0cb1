// SPDX-License-Identifier: MIT
/// A set of bodies addressed by handle, for programs that store no body states of their own.
///
/// Does: store shapes, poses and groups; add, move and remove bodies; detect contacts under a
/// budget; compute contact points for a solver; find the minimum distance; cast rays and look up
/// points among all bodies.
/// Does not: simulate motion, respond to contacts. A game loop with its own states and velocities
/// should use a Detector, which looks ahead.
///
/// Not thread-safe. Sets that share shapes may be used concurrently.
#pragma once

#include <nearmiss/pair.h>
#include <nearmiss/ray.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss {

class Shapes;
struct BodyState;

/// Identifies a body of one BodySet. Never reused; later bodies have higher handles; never 0.
enum class BodyHandle : std::uint32_t {};

/// What a body may touch. A pair counts if the group of each body shares a bit with the mask of the
/// other, and both are not of the same assembly.
struct BodyTraits {
  std::uint32_t group = 1;          ///< bits
  std::uint32_t mask = 0xffffffff;  ///< bits
  std::uint32_t assembly = 0;       ///< see BodyState::assembly
  /// Below the maximum: pairs of the body may be postponed when time runs out; see
  /// Detector::detect().
  std::uint32_t importance = 0xffffffff;
  /// A sensor, such as a doorway, only notices who touches it. Its pairs are reported and marked;
  /// two sensors never form a pair, and nearest() ignores sensors.
  bool sensor = false;
};

struct HandlePair {
  BodyHandle a{}, b{};  ///< a < b
  friend auto operator<=>(const HandlePair&, const HandlePair&) = default;
};

struct TouchingPair {
  HandlePair bodies;
  /// Contact or Possible. Possible if time ran out, no method knows more, or the coverage of a
  /// sphere tree does not guarantee separation.
  Refinement known;
  bool sensed = false;  ///< one of the two is a sensor: no response needed
};

/// The result of BodySet::collisions(), valid until its next call.
struct BodySetCollisions {
  std::vector<TouchingPair> pairs;  ///< by handle; all examined pairs that are not proven Separate
  /// Pairs with overlapping bounding spheres that were not examined, by handle.
  std::vector<HandlePair> waiting;
  bool complete = true;  ///< nothing waits, and no pair can be refined further
};

/// The contact points of two bodies.
struct PairContacts {
  HandlePair bodies;
  /// As ContactManifold::points, with bodies.a as `a`: normals point from bodies.b to bodies.a.
  std::span<const ManifoldPoint> points;
  bool depthKnown = true;  ///< as ContactManifold::depthKnown
  /// True if the search was cut short: further points may touch. If there are no points, the bodies
  /// may touch.
  bool canRefine = true;
  bool sensed = false;  ///< one of the two is a sensor: no response needed
};

/// The result of BodySet::contacts(). Valid until the next call of contacts(), even if bodies are
/// moved or removed.
struct BodySetContacts {
  std::vector<PairContacts> pairs;  ///< by handle
  bool complete = true;             ///< no pair can be refined further

  [[nodiscard]] auto begin() const noexcept { return pairs.begin(); }
  [[nodiscard]] auto end() const noexcept { return pairs.end(); }
  [[nodiscard]] std::size_t size() const noexcept { return pairs.size(); }
};

/// The first body that a ray hits.
struct BodySetRayHit {
  BodyHandle body{};  ///< 0 if nothing was hit so far
  RayHit hit;         ///< `lower` holds for all bodies
};

/// The body nearest to a point.
struct BodySetNearestPoint {
  BodyHandle body{};     ///< 0 if none was found so far
  NearestPoint nearest;  ///< `lower` holds for all bodies
};

/// The two bodies of a set that are nearest to each other.
struct NearestBodies {
  /// The bodies that are `bounds.upper` apart; meaningless if that is infinite.
  HandlePair bodies;
  DistanceBounds bounds;  ///< of the minimum distance over all pairs; see BodySet::nearest()
};

/// A set of bodies. Moved-from objects can only be assigned to or destroyed.
class BodySet {
 public:
  BodySet();
  BodySet(BodySet&&) noexcept;
  BodySet& operator=(BodySet&&) noexcept;
  ~BodySet();

  /// Adds a body. Its shape needs no sphere tree: without one, collisions() compares triangles
  /// directly after the bounding spheres. Errors leave the set unchanged: Unsupported (a pose that
  /// is not finite, beyond maxPoseMagnitude or not of unit length; a shape without sphere tree that
  /// reaches farther than 4e17 metres); TooLarge (2^31 bodies, or 2^32 handles given); OutOfMemory.
  Result<BodyHandle> add(const Shape& shape, const Pose& pose, const BodyTraits& traits = {});
  /// Errors: NotFound (no body, or one that was removed), Unsupported (as add()).
  Result<Success> setPose(BodyHandle body, const Pose& pose);
  /// Errors: NotFound.
  Result<Success> setTraits(BodyHandle body, const BodyTraits& traits);
  /// Errors: NotFound.
  Result<Success> remove(BodyHandle body);

  [[nodiscard]] std::size_t size() const noexcept;
  /// Returns all handles, ascending.
  [[nodiscard]] std::vector<BodyHandle> handles() const;
  /// Return null for an unknown body. The pointers are valid until the set changes or a non-const
  /// function is called, which may reorder bodies. A shape is also released by the next call of
  /// add(), even a failed one, because it drops unused shapes.
  [[nodiscard]] const Shape* shapeOf(BodyHandle body) const noexcept;
  [[nodiscard]] const Pose* poseOf(BodyHandle body) const noexcept;
  [[nodiscard]] const BodyTraits* traitsOf(BodyHandle body) const noexcept;

  /// Finds the pairs that touch now, as Detector::detect() does within `budget`. Never returns
  /// null. Waiting times restart after a new shape was added, and after most shapes were dropped.
  /// Errors: OutOfMemory.
  Result<const BodySetCollisions*> collisions(const TimeBudget& budget = TimeBudget::unlimited());

  /// Computes contact points: a manifold, as by contactManifold(), for each pair that counts and
  /// whose gap is at most `settings.margin`. Does not require collisions().
  ///
  /// Keeps one ManifoldQuery for each near pair, so ids are stable from call to call. Discards it
  /// 30 calls after the pair separated, or when a body is removed. Pairs whose poses have not
  /// changed are not searched again. Allocates nothing while the same pairs are near.
  ///
  /// All pairs share the time, at least 100 microseconds each. If it runs out, the other pairs
  /// wait. They come first in the next call, after new pairs. A waiting pair has the points of its
  /// last search, moved along with its bodies, and `canRefine` is true. At least one pair is
  /// searched, even if the budget is exhausted.
  ///
  /// Never returns null: `for (const PairContacts& c : **set.contacts(settings, budget))`.
  /// Deterministic if the budget is unlimited or its clock is a WorkClock. Errors: Unsupported (a
  /// margin that is negative or not finite, maxPoints of 0); OutOfMemory, after which ids may
  /// change.
  Result<const BodySetContacts*> contacts(const ManifoldSettings& settings = {},
                                          const TimeBudget& budget = TimeBudget::unlimited());

  /// Returns the first body that a ray hits, including sensors, except `except`: see
  /// BodyQueries::raycast(). The first call after a change of the set sorts all bodies. Errors:
  /// those of check(ray); NotFound (`except` is not 0 and was removed or never added); OutOfMemory.
  Result<BodySetRayHit> raycast(const Ray& ray, const TimeBudget& budget = TimeBudget::unlimited(),
                                BodyHandle except = {});
  /// Returns the nearest surface point within `reach` metres: see BodyQueries::nearest(). Errors:
  /// Unsupported (a point or reach out of range), and as raycast().
  Result<BodySetNearestPoint> nearestPoint(const Vec3& point,
                                           const TimeBudget& budget = TimeBudget::unlimited(),
                                           Real reach = std::numeric_limits<Real>::infinity(),
                                           BodyHandle except = {});
  /// Writes the bodies that contain a point inside or on their surface to `out`, in ascending
  /// order. Returns false if time ran out, so that some may be missing. Errors: as nearestPoint();
  /// `out` is then unchanged.
  Result<bool> holding(const Vec3& point, std::vector<BodyHandle>& out,
                       const TimeBudget& budget = TimeBudget::unlimited());

  /// Computes the minimum distance over all pairs that count and have no sensor. Keeps nothing
  /// between calls. Ignores pairs farther apart than `within`: if no pair is nearer, bounds.upper
  /// is infinite and bounds.lower is at least `within`, within rounding. If time runs out before
  /// all near pairs are listed, bounds.lower is 0, and the pair is the one with the nearest spheres
  /// so far. Errors: Unsupported (`within` is NaN or negative), OutOfMemory.
  Result<NearestBodies> nearest(Real within = std::numeric_limits<Real>::infinity(),
                                const TimeBudget& budget = TimeBudget::unlimited());

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Rays and points among bodies of your own

inline constexpr std::uint32_t noBody = 0xffffffff;

/// Identifies one of the bodies given to take().
struct FoundBody {
  std::uint32_t index = noBody;  ///< index in the span
  std::uint32_t key = 0;         ///< BodyState::key
  std::uint32_t link = 0;        ///< link index, for articulated bodies
};

/// A RayHit for all bodies; `lower` holds for each of them. If several are hit at the same t, the
/// body of lowest index.
struct BodyRayHit {
  FoundBody body;
  RayHit hit;
};

/// A NearestPoint for all bodies; `lower` holds for each of them.
struct BodyNearestPoint {
  FoundBody body;
  NearestPoint nearest;
};

/// Ray and point queries against a set of bodies. Moved-from objects can only be assigned to or
/// destroyed.
class BodyQueries {
 public:
  /// Makes queries for bodies of these shapes.
  explicit BodyQueries(Shapes shapes);
  BodyQueries(BodyQueries&&) noexcept;
  BodyQueries& operator=(BodyQueries&&) noexcept;
  ~BodyQueries();

  /// Replaces the current bodies. Copies their poses and shapes and sorts their bounding spheres
  /// into a hierarchy. Allocates nothing unless there are more bodies than before. If it throws
  /// std::bad_alloc, no bodies are left.
  /// @pre checkBodies(bodies, beforeExpiry, &shapes) succeeds.
  void take(std::span<const BodyState> bodies);

  /// Returns the first hit with any body but `except` (an index). If time runs out, a repeated call
  /// with more time gives the same result as one call with that time.
  /// @pre check(ray) succeeds.
  [[nodiscard]] BodyRayHit raycast(const Ray& ray,
                                   const TimeBudget& budget = TimeBudget::unlimited(),
                                   std::uint32_t except = noBody) const;

  /// Returns the nearest surface point of any body but `except` (an index), within `reach` metres.
  /// @pre check(point, reach) succeeds.
  [[nodiscard]] BodyNearestPoint nearest(const Vec3& point,
                                         const TimeBudget& budget = TimeBudget::unlimited(),
                                         Real reach = std::numeric_limits<Real>::infinity(),
                                         std::uint32_t except = noBody) const;

  /// Writes the bodies that contain a point inside or on their surface to `out`, in ascending
  /// order, each link once. Returns false if time ran out, so that some may be missing.
  /// @pre check(point) succeeds.
  bool holding(const Vec3& point, std::vector<FoundBody>& out,
               const TimeBudget& budget = TimeBudget::unlimited()) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss
