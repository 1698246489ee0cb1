// SPDX-License-Identifier: MIT
/// A world of bodies that are addressed by handle: which of them touch, contact points for a
/// solver, the nearest pair, rays and points.
///
/// A world finds contacts; it does not move bodies or respond to contacts. A program with its own
/// list of bodies and velocities can use the Detector in advanced/detector.h, which looks ahead.
///
/// Not thread-safe. Worlds that share shapes may be used concurrently.
#pragma once

#include <nearmiss/math.h>
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

/// Identifies a body of one World. Never reused; later bodies have higher handles; never 0.
enum class BodyHandle : std::uint32_t {};

/// What a body may touch. A pair counts if the group of each body shares a bit with the mask of the
/// other, both are not of the same assembly, and not both are sensors.
struct BodyTraits {
  std::uint32_t group = 1;          ///< bits
  std::uint32_t mask = 0xffffffff;  ///< bits
  /// Parts of one machine have the same number above 0; they never touch each other.
  std::uint32_t assembly = 0;
  /// Below the maximum: if time runs out, pairs of this body may wait. The importance of a pair is
  /// the lower of both.
  std::uint32_t importance = 0xffffffff;
  /// A sensor, such as a doorway, only notices who touches it. Its pairs are reported and marked;
  /// minDistance() ignores sensors.
  bool sensor = false;
};

/// Two bodies of one world. Each pair has exactly one form.
struct HandlePair {
  BodyHandle a{}, b{};  ///< a < b
  friend auto operator<=>(const HandlePair&, const HandlePair&) = default;
};

/// A pair of bodies that touch or may touch.
struct TouchingPair {
  HandlePair bodies;
  /// Contact or Possible. Possible if time ran out, no method knows more, or the coverage of a
  /// sphere tree does not guarantee separation.
  Refinement known;
  bool sensed = false;  ///< one of the two is a sensor: no response needed
};

/// The result of World::collisions(), valid until its next call.
struct WorldCollisions {
  std::vector<TouchingPair> pairs;  ///< by handle; all examined pairs that are not proven Separate
  /// Pairs with overlapping bounding spheres that were not examined for lack of time, by handle.
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

/// The result of World::contacts(). Valid until the next call of contacts(), even if bodies are
/// moved or removed.
struct WorldContacts {
  std::vector<PairContacts> pairs;  ///< by handle
  bool complete = true;             ///< no pair can be refined further

  [[nodiscard]] auto begin() const noexcept { return pairs.begin(); }
  [[nodiscard]] auto end() const noexcept { return pairs.end(); }
  [[nodiscard]] std::size_t size() const noexcept { return pairs.size(); }
};

/// The two bodies of a world that are nearest to each other.
struct NearestBodies {
  HandlePair bodies;      ///< `bounds.upper` apart; meaningless if that is infinite
  DistanceBounds bounds;  ///< of the minimum distance over all pairs
};

/// Bodies with shapes, poses and traits. Functions that fail leave the world unchanged. Besides the
/// listed errors, each may return OutOfMemory.
class World {
 public:
  World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  /// Adds a body. Its shape needs no sphere tree: without one, collisions() compares triangles
  /// directly after the bounding spheres.
  ///
  /// Errors: those of check(pose); Unsupported (a shape without sphere tree that reaches farther
  /// than 4e17 metres); TooLarge (2^31 bodies, or 2^32 handles given).
  Result<BodyHandle> add(const Shape& shape, const Pose& pose, const BodyTraits& traits = {});
  /// Errors: those of check(pose); NotFound (there is no such body, or it was removed).
  Result<Success> setPose(BodyHandle body, const Pose& pose);
  /// Errors: NotFound.
  Result<Success> setTraits(BodyHandle body, const BodyTraits& traits);
  /// Errors: NotFound.
  Result<Success> remove(BodyHandle body);

  [[nodiscard]] std::size_t size() const noexcept;
  /// Returns all handles, ascending.
  [[nodiscard]] std::vector<BodyHandle> handles() const;
  /// Return null for an unknown body. The pointers are valid until the next call of a non-const
  /// function.
  [[nodiscard]] const Shape* shapeOf(BodyHandle body) const noexcept;
  [[nodiscard]] const Pose* poseOf(BodyHandle body) const noexcept;
  [[nodiscard]] const BodyTraits* traitsOf(BodyHandle body) const noexcept;

  /// Finds the pairs of bodies that touch now. If time runs out, pairs below full importance wait,
  /// each for at most 32 calls, as in Detector::detect(). Waiting times restart after a new shape
  /// was added. Never returns null.
  Result<const WorldCollisions*> collisions(const TimeBudget& budget = TimeBudget::unlimited());

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
  /// Never returns null: `for (const PairContacts& c : **world.contacts(settings, budget))`.
  /// Deterministic if the budget is unlimited or its clock is a WorkClock. Errors: those of
  /// check(settings). After OutOfMemory, ids may change.
  Result<const WorldContacts*> contacts(const ManifoldSettings& settings = {},
                                        const TimeBudget& budget = TimeBudget::unlimited());

  /// Computes the minimum distance over all pairs that count and have no sensor. Ignores pairs
  /// farther apart than `within` metres: if no pair is nearer, bounds.upper is infinite and
  /// bounds.lower is at least `within`, within rounding. If time runs out before all near pairs are
  /// listed, bounds.lower is 0, and the pair is the one with the nearest spheres so far.
  ///
  /// Errors: Unsupported (`within` is NaN or negative).
  Result<NearestBodies> minDistance(Real within = std::numeric_limits<Real>::infinity(),
                                    const TimeBudget& budget = TimeBudget::unlimited());

  // Rays and points. They meet sensors too, and ignore traits. RayHit::body or NearestPoint::body
  // names the body that was found, the lowest handle of equally near ones; 0 if there is none.
  // Bounds hold for all bodies. The first call after a change of the world sorts all bodies.

  /// Finds the first body that a ray hits, except the body `ignore`.
  ///
  /// Errors: those of check(ray); NotFound (`ignore` is not 0 and not a body).
  Result<RayHit> raycast(const Ray& ray, BodyHandle ignore = {},
                         const TimeBudget& budget = TimeBudget::unlimited());

  /// Finds the nearest surface point within `reach` metres, except on the body `ignore`.
  ///
  /// Errors: those of check(point, reach); NotFound, as raycast().
  Result<NearestPoint> nearestPoint(const Vec3& point,
                                    Real reach = std::numeric_limits<Real>::infinity(),
                                    BodyHandle ignore = {},
                                    const TimeBudget& budget = TimeBudget::unlimited());

  /// Writes the bodies that contain a point inside or on their surface to `out`, in ascending
  /// order. Returns false if time ran out, so that some may be missing.
  ///
  /// Errors: those of check(point); `out` is then unchanged.
  Result<bool> containing(const Vec3& point, std::vector<BodyHandle>& out,
                          const TimeBudget& budget = TimeBudget::unlimited());

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss
