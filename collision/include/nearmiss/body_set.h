// SPDX-License-Identifier: MIT
/// Bodies by handle, for programs that keep no body states of their own: add, move and remove them,
/// and ask which touch, where they touch and which are nearest.
///
/// Does: keep shapes, poses and groups; detect under a budget; give contact points for a solver;
/// find the least distance; cast rays and look up points among all bodies.
/// Does not: move bodies, respond to contacts. A game loop that has states and velocities of its
/// own calls a Detector, which looks ahead.
///
/// One call at a time; sets that share shapes may be used at once.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/contact_manifold.h>
#include <nearmiss/distance.h>
#include <nearmiss/narrow_phase.h>
#include <nearmiss/point_query.h>
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

/// Of a body in one BodySet; never given to another one. Later bodies have greater handles. 0 is
/// never given to a body.
enum class BodyHandle : std::uint32_t {};

/// What a body may touch. A pair counts if the group of each has a bit of the other's mask, and
/// both are not of the same assembly.
struct BodyTraits {
  std::uint32_t group = 1;          ///< bits
  std::uint32_t mask = 0xffffffff;  ///< bits
  std::uint32_t assembly = 0;       ///< see BodyState::assembly
  /// Below fullImportance: pairs of the body may wait when time runs out; see Detector::detect().
  std::uint32_t importance = fullImportance;
  /// Only notices who touches it, as a doorway does: pairs of it are reported and marked, two
  /// sensors are no pair, and nearest() passes it over.
  bool sensor = false;
};

struct HandlePair {
  BodyHandle a{}, b{};  ///< a < b
  friend auto operator<=>(const HandlePair&, const HandlePair&) = default;
};

struct TouchingPair {
  HandlePair bodies;
  /// Contact, or Possible where time ran out, no method knows more or the coverage of a sphere tree
  /// does not guarantee that they are apart.
  Refinement known;
  bool sensed = false;  ///< one of the two is a sensor: nothing to respond to
};

/// The answer of BodySet::collisions(), valid until the next one.
struct BodySetCollisions {
  std::vector<TouchingPair>
      pairs;  ///< by handle; pairs that were looked at and are certainly Separate are not
  /// Pairs whose bounding spheres meet and that nobody looked at, by handle.
  std::vector<HandlePair> waiting;
  bool complete = true;  ///< nothing waits, and no pair could have been refined further
};

/// Where two bodies touch.
struct PairContacts {
  HandlePair bodies;
  /// As in ContactManifold::points, with bodies.a as `a`; normals point from bodies.b to bodies.a.
  std::span<const ManifoldPoint> points;
  bool depthKnown = true;  ///< as ContactManifold::depthKnown
  /// True if the search was cut short: other points may touch too. Without points: they may touch.
  bool canRefine = true;
  bool sensed = false;  ///< one of the two is a sensor: nothing to respond to
};

/// The answer of BodySet::contacts(). Valid until the next call of contacts(), even if bodies are
/// moved or removed.
struct BodySetContacts {
  std::vector<PairContacts> pairs;  ///< by handle
  bool complete = true;             ///< no pair can be refined further

  [[nodiscard]] auto begin() const noexcept { return pairs.begin(); }
  [[nodiscard]] auto end() const noexcept { return pairs.end(); }
  [[nodiscard]] std::size_t size() const noexcept { return pairs.size(); }
};

/// The first body that a ray meets.
struct BodySetRayHit {
  BodyHandle body{};  ///< 0 if none was met so far
  RayHit hit;         ///< `lower` holds for all bodies
};

/// The body nearest to a point.
struct BodySetNearestPoint {
  BodyHandle body{};     ///< 0 if none was found so far
  NearestPoint nearest;  ///< `lower` holds for all bodies
};

/// The two bodies of a set that are nearest to each other.
struct NearestBodies {
  HandlePair bodies;  ///< those that are `bounds.upper` apart; meaningless where that is infinite
  DistanceBounds bounds;  ///< of the least distance of all pairs; see BodySet::nearest()
};

/// What was moved from may only be assigned to or destroyed.
class BodySet {
 public:
  BodySet();
  BodySet(BodySet&&) noexcept;
  BodySet& operator=(BodySet&&) noexcept;
  ~BodySet();

  /// Adds a body. Its shape needs no sphere tree: without one, collisions() goes from the bounding
  /// spheres straight to the triangles, with no levels between.
  /// Errors: Unsupported (a pose that is not finite, beyond maxPoseMagnitude or not of unit length;
  /// a shape without sphere tree that reaches farther than 4e17 metres); TooLarge (2^31 bodies, or
  /// 2^32 handles given); OutOfMemory. An error leaves the set as it was.
  Result<BodyHandle> add(const Shape& shape, const Pose& pose, const BodyTraits& traits = {});
  /// Errors: NotFound (no body, or one that was removed), Unsupported (as add()).
  Result<Success> setPose(BodyHandle body, const Pose& pose);
  /// Errors: NotFound.
  Result<Success> setTraits(BodyHandle body, const BodyTraits& traits);
  /// Errors: NotFound.
  Result<Success> remove(BodyHandle body);

  [[nodiscard]] std::size_t size() const noexcept;
  /// By handle.
  [[nodiscard]] std::vector<BodyHandle> handles() const;
  /// Null where there is no such body; valid until the next change of the set or call of a function
  /// that is not const, which may put bodies in order. A shape only until the next call of add()
  /// too, one that fails as well: both drop unused shapes.
  [[nodiscard]] const Shape* shapeOf(BodyHandle body) const noexcept;
  [[nodiscard]] const Pose* poseOf(BodyHandle body) const noexcept;
  [[nodiscard]] const BodyTraits* traitsOf(BodyHandle body) const noexcept;

  /// Which pairs touch now, as Detector::detect() finds them within `budget`. Never null. After a
  /// shape that the set did not have, and after most of its shapes have gone, waiting times begin
  /// again. Errors: OutOfMemory.
  Result<const BodySetCollisions*> collisions(const TimeBudget& budget = TimeBudget::unlimited());

  /// Finds where bodies touch: a manifold for each pair that counts and whose gap is at most
  /// `settings.margin`, as contactManifold() finds it. Needs no call of collisions().
  ///
  /// Keeps one ManifoldQuery for each pair that is near, so ids last from call to call; forgets it
  /// 30 calls after the pair parted, or when a body is removed. Pairs whose bodies kept their poses
  /// are not searched again. Allocates nothing while the same pairs are near.
  ///
  /// All pairs share the time, at least 100 microseconds each. When it runs out, the other pairs
  /// wait; they come first in the next call, after pairs that are new.
  /// A pair that waits has the points that its last search found, moved along with its bodies, and
  /// `canRefine` is true. One pair gets its turn however short the time.
  ///
  /// Never null: `for (const PairContacts& c : **set.contacts(settings, budget))`. Deterministic if
  /// the budget is unlimited or its clock is a WorkClock. Errors: Unsupported (a margin that is
  /// negative or not finite, no room for a point); OutOfMemory, after which ids may change.
  Result<const BodySetContacts*> contacts(const ManifoldSettings& settings = {},
                                          const TimeBudget& budget = TimeBudget::unlimited());

  /// Finds the first body that a ray meets, sensors included, but not `except`: see
  /// BodyQueries::raycast(). The first call after a change of the set sorts all bodies.
  /// Errors: those of checkRay(); NotFound (`except` is not 0 and was removed or never added);
  /// OutOfMemory.
  Result<BodySetRayHit> raycast(const Ray& ray, const TimeBudget& budget = TimeBudget::unlimited(),
                                BodyHandle except = {});
  /// Finds the surface nearest to a point, within `reach` metres: see BodyQueries::nearest().
  /// Errors: Unsupported (a point or reach that is out of range), and as raycast().
  Result<BodySetNearestPoint> nearestPoint(const Vec3& point,
                                           const TimeBudget& budget = TimeBudget::unlimited(),
                                           Real reach = std::numeric_limits<Real>::infinity(),
                                           BodyHandle except = {});
  /// Writes the bodies that hold a point inside or on their surface to `out`, in ascending order.
  /// False: time ran out, and some may be missing. Errors: as nearestPoint(); they leave `out`.
  Result<bool> holding(const Vec3& point, std::vector<BodyHandle>& out,
                       const TimeBudget& budget = TimeBudget::unlimited());

  /// The least distance of all pairs that count and have no sensor, from scratch. Pairs farther
  /// apart than `within` need not be found: without a nearer one, bounds.upper is infinite and
  /// bounds.lower at least `within`, rounding aside. Where time runs out before all near pairs are
  /// listed, bounds.lower is 0, and the pair is that of the spheres nearest to each other so far.
  /// Errors: Unsupported (`within` is NaN or negative), OutOfMemory.
  Result<NearestBodies> nearest(Real within = std::numeric_limits<Real>::infinity(),
                                const TimeBudget& budget = TimeBudget::unlimited());

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss
