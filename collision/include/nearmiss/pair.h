// SPDX-License-Identifier: MIT
/// Queries about two shapes: whether they touch, their distance, penetration depth, contact points,
/// protrusion, and the time until they touch. Also where one shape touches itself. For many bodies
/// see world.h.
///
/// Each query is a function that answers once, and a class that can stop and resume and reuses its
/// memory. All query classes, here and in ray.h, have the same three functions:
/// - begin(...) starts a query and discards the previous one. Poses are in the world frame.
/// - refine(budget) continues until the result is final or `budget` is exhausted. Returns the
///   result so far. It is valid at any time, and more time only tightens it. `canRefine` is false
///   once it is final. Without a budget, refine() runs until then.
/// - known() returns the result so far without further work.
///
/// Functions that answer once equal begin() and refine() of their class.
///
/// Preconditions: check() succeeds for every pose and setting given to begin(), and begin() was
/// called before refine() and known(). A violation terminates the program with a sentence that
/// names the argument, such as "poseB: position.x is nan, but must be finite".
///
/// Thread-safe for concurrent use of the same shapes; a query object belongs to one thread at a
/// time. If begin() throws std::bad_alloc, the query keeps the previous pair; if refine() does,
/// call begin() before the next refine(). Moved-from queries can only be assigned to or destroyed.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace nearmiss {

// Collision: do two shapes touch?

/// Whether two bodies touch.
enum class Verdict : std::uint8_t {
  Separate,  ///< no contact; final, and guaranteed if `conservative` is true
  Possible,  ///< approximations overlap at `level`; the surfaces may not
  Contact,   ///< the solids touch, by triangles or by inner spheres; final
};

/// The evidence for a verdict.
enum class Stage : std::uint8_t {
  Bounds,   ///< the bounding spheres alone
  Spheres,  ///< levels of spheres or other volumes; with Contact, spheres inside both
  Exact,    ///< the triangles
};

/// Two overlapping spheres, one of each body, in world space.
struct ContactSpheres {
  Sphere a;
  Sphere b;
  /// Maximum distance of the parts of the bodies inside them, metres: H1 + H2 for surfaces [H96
  /// §9.2], Ho1 + Ho2 for solids.
  Real separationBound = std::numeric_limits<Real>::infinity();
};

/// What is known about a pair: the result of a collision query. Plain data.
struct Refinement {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Verdict verdict = Verdict::Possible;
  bool canRefine = true;     ///< false: the last level is reached, or the verdict is final
  bool conservative = true;  ///< false: the coverage does not guarantee a Separate [H96 §9.1]
  Stage stage = Stage::Bounds;
  int level = 0;  ///< deepest level of spheres that was completed; 0: the bounding spheres
  /// Upper bound on the distance of the bodies, metres: the minimum over the colliding spheres
  /// found at all levels so far. 0 for Contact; infinite if no bound is known.
  Real separationBound = std::numeric_limits<Real>::infinity();
  /// True if the bound is between solids, which also touch if one contains the other. False if it
  /// is between surfaces.
  bool betweenSolids = false;
  /// The bound minus the overlap of the spheres, at least 0: an estimate, not a bound, because
  /// interleaved parts can violate it [H96 §9.2, Fig. 10].
  Real separationEstimate = std::numeric_limits<Real>::infinity();
  /// Number of colliding sphere pairs found at `level`: all of them, or 1 if the method stops at
  /// the first.
  std::size_t collidingSpheres = 0;
  /// The deepest overlap among these pairs, used as the contact [H96 §4.1]. The bounding spheres if
  /// a method has no others; meaningless if Separate.
  ContactSpheres deepest;
  /// With Contact: proven early by overlapping inner spheres of both solids; no triangle was
  /// compared.
  bool byInnerSpheres = false;
  std::uint32_t triangleA = noTriangle;  ///< with Contact: two triangles that intersect, if known
  std::uint32_t triangleB = noTriangle;
  std::uint32_t linkA = 0;  ///< of an articulated body: the link to which `deepest` refers
  std::uint32_t linkB = 0;
};

/// Decides whether two shapes touch.
[[nodiscard]] Refinement collide(const Shape& a, const Pose& poseA, const Shape& b,
                                 const Pose& poseB,
                                 const TimeBudget& budget = TimeBudget::unlimited());

/// A resumable collision query, level by level of the shapes' sphere trees. The triangles come
/// last, or earlier if comparing them takes less time than the next level.
///
/// The method depends on the trees of both shapes:
/// - Sphere trees are used if there are any. A shape without one is a single sphere.
/// - BSP trees are used if both shapes have one and neither has a sphere tree.
/// - Shapes without trees that reach farther than 4e17 m are compared triangle by triangle.
///
/// The same two shapes in other poses allocate nothing.
class CollisionQuery {
 public:
  CollisionQuery();
  CollisionQuery(CollisionQuery&&) noexcept;
  CollisionQuery& operator=(CollisionQuery&&) noexcept;
  ~CollisionQuery();

  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// If only bounding spheres have been compared so far, completes the first step even if the
  /// budget is exhausted.
  Refinement refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// As refine(), but also stops once `level` is complete. Later calls resume from there. Level 1
  /// is the first below the bounding spheres.
  Refinement refineTo(int level, const TimeBudget& budget = TimeBudget::unlimited());

  /// As refineTo(), but returns only the verdict. Faster, because the spheres found are not
  /// described. known() still returns the whole result.
  Verdict verdictAt(int level, const TimeBudget& budget = TimeBudget::unlimited());

  /// Separate at Stage::Bounds if the bounding spheres do not overlap.
  [[nodiscard]] Refinement known() const noexcept;

  /// Writes up to `maxCount` pairs of spheres that overlap at known().level to `out`, world frame.
  void contacts(std::size_t maxCount, std::vector<ContactSpheres>& out) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Distance

/// Bounds on the distance of two bodies, metres. The distance is 0 if their surfaces intersect or
/// one solid contains the other.
struct DistanceBounds {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Real lower = 0.0;                                    ///< the distance is at least this
  Real upper = std::numeric_limits<Real>::infinity();  ///< the distance is at most this
  bool canRefine = true;  ///< false: the bounds cannot be tightened further in double precision
  /// A point on each surface, `upper` apart, world frame. Meaningless if there are no triangles,
  /// that is, if one body contains the other and their surfaces do not intersect.
  Vec3 pointA{0.0}, pointB{0.0};
  /// The triangles that contain the points.
  std::uint32_t triangleA = noTriangle, triangleB = noTriangle;

  /// Returns whether the bodies are at most `tolerance` metres apart, or nothing if the bounds do
  /// not decide it.
  [[nodiscard]] std::optional<bool> isWithin(Real tolerance) const noexcept {
    if (upper <= tolerance) return true;
    return lower > tolerance ? std::optional(false) : std::nullopt;
  }
};

/// Computes the distance of two shapes.
[[nodiscard]] DistanceBounds distance(const Shape& a, const Pose& poseA, const Shape& b,
                                      const Pose& poseB,
                                      const TimeBudget& budget = TimeBudget::unlimited());

/// A resumable distance query: a best-first search [LGL99] in the hierarchies of oriented boxes
/// that makeShape() built.
class DistanceQuery {
 public:
  DistanceQuery();
  DistanceQuery(DistanceQuery&&) noexcept;
  DistanceQuery& operator=(DistanceQuery&&) noexcept;
  ~DistanceQuery();

  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// Even with no time left, the first call finds a pair of points, unless a vertex of one body
  /// lies inside the other.
  DistanceBounds refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// As refine(), but also stops as soon as the bounds decide whether the bodies are at most
  /// `tolerance` metres apart.
  DistanceBounds refineUntil(Real tolerance, const TimeBudget& budget = TimeBudget::unlimited());

  [[nodiscard]] const DistanceBounds& known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Penetration depth

/// Bounds on the penetration depth of two bodies: the length of the shortest translation that
/// separates them, metres.
struct PenetrationBounds {
  Real lower = 0.0;  ///< no shorter translation separates them; stays 0 if neither is a solid
  /// A translation of this length along `direction` separates them, by the exact test. Infinite
  /// before the first refine(); 0 if they are separate.
  Real upper = 0.0;
  Vec3 direction{0.0};  ///< unit vector along which b moves, world frame; zero if already separate
  /// False if the bounds are within 4 % of each other or cannot be tightened further, or if the
  /// bodies are separate. Also false if the bodies touch in one plane that contains both;
  /// `direction` is then its normal.
  bool canRefine = true;
};

/// Computes the penetration depth of two shapes. Without a budget, the worst pairs, wedged with
/// almost no clearance, take about ten seconds.
[[nodiscard]] PenetrationBounds penetration(const Shape& a, const Pose& poseA, const Shape& b,
                                            const Pose& poseB,
                                            const TimeBudget& budget = TimeBudget::unlimited());

/// A resumable penetration query for concave bodies.
///
/// 1. Computes the penetration depth of the convex hulls, which is an upper bound.
/// 2. Looks for a shorter translation along contact normals and axes. The exact test decides
///    whether it separates the bodies.
/// 3. Examines all shorter translations by branch and bound. Raises `lower` where a point deep
///    inside both bodies proves that a translation leaves them in contact.
///
/// Step 1 is completed even if the budget is exhausted; later steps check it every few
/// microseconds. Stops after about 10^5 cubes of translations. Most pairs finish in less than
/// 100 ms.
///
/// Hulls, hierarchies and inner balls are built when any query first uses a shape, and cached with
/// it. Building them is not charged to the budget's clock. With a WorkClock, results are therefore
/// independent of earlier queries.
class PenetrationQuery {
 public:
  PenetrationQuery();
  PenetrationQuery(PenetrationQuery&&) noexcept;
  PenetrationQuery& operator=(PenetrationQuery&&) noexcept;
  ~PenetrationQuery();

  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);
  PenetrationBounds refine(const TimeBudget& budget = TimeBudget::unlimited());
  [[nodiscard]] PenetrationBounds known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Contact points for a rigid-body solver

/// A contact point: a vertex of one body against a face of the other, or two edges that cross.
/// World frame.
///
/// `onB - onA` equals `depth * normal` within rounding. Both points lie on their surfaces, with two
/// exceptions:
/// - A vertex slightly outside a face of a convex solid, by at most 1e-4 of the smaller radius of
///   both bodies, counts as above that face. The point on the face then lies in its plane.
/// - A point of two solids is never deeper than penetration().upper. If the features overlap by
///   more, both points lie between the surfaces.
struct ManifoldPoint {
  Vec3 onA{0.0}, onB{0.0};  ///< on the surface of a and of b
  /// Unit vector from b to a: the normal of the face, or the cross product of the two edges. On the
  /// border of a surface that is not a solid, it may point sideways, away from the surface.
  Vec3 normal{0.0};
  Real depth = 0.0;  ///< overlap, metres; negative: the gap
  /// Identifies the vertex or the two edges. Unique in a manifold, and stable across frames while
  /// the same features touch.
  std::uint64_t id = 0;
};

/// The contact points of two bodies, as a rigid-body solver needs them.
struct ContactManifold {
  std::vector<ManifoldPoint> points;  ///< deepest first; empty: no contact
  /// False if the bodies touch but the depth is undefined, because neither is a solid. The points
  /// then lie where the surfaces intersect and have depth 0.
  bool depthKnown = true;
  bool canRefine = true;  ///< false: all contacts were found
};

/// Settings of contactManifold().
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

/// Computes the contact points of two shapes.
[[nodiscard]] ContactManifold contactManifold(const Shape& a, const Pose& poseA, const Shape& b,
                                              const Pose& poseB,
                                              const ManifoldSettings& settings = {},
                                              const TimeBudget& budget = TimeBudget::unlimited());

/// A resumable search for contact points. Keep one query per pair of bodies to get stable ids.
///
/// Caches the features that are near each other. While the relative motion of the bodies is small,
/// only these are compared, with the same result as a new search. If the relative pose has not
/// changed, the previous manifold is returned immediately. A point of the previous manifold is kept
/// unless another choice is clearly better.
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
class ManifoldQuery {
 public:
  ManifoldQuery();
  ManifoldQuery(ManifoldQuery&&) noexcept;
  ManifoldQuery& operator=(ManifoldQuery&&) noexcept;
  ~ManifoldQuery();

  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
             const ManifoldSettings& settings = {});

  /// Compares points of the previous manifold first. If the budget runs out, points may be missing.
  /// The result then includes points of the previous manifold, moved along with their bodies, so
  /// touching bodies keep a point unless they move far. If none is left, it has a point at which
  /// the surfaces intersect, with depth 0. Depths that were not computed are bounded by those of
  /// the previous manifold plus the motion since. The result is valid until the next call.
  const ContactManifold& refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// Without points until refine() was called.
  [[nodiscard]] const ContactManifold& known() const noexcept;

  /// Discards all cached data, so that the next manifold depends only on its arguments. From then
  /// on, the first manifold of two bodies takes less time, because no features are cached for later
  /// poses. Edges that overlap by more than the width of their triangles may then be missing.
  void forget() noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Protrusion: how deep the vertices of one body reach into another, the measure of a clash in CAD
// and building models. Not the shortest translation that separates the bodies: see penetration()

/// The deepest vertex of either body inside the other.
struct Protrusion {
  /// Metres from the vertex to the nearest face around it; 0: none is inside.
  Real depth = 0.0;
  bool ofB = false;        ///< true: a vertex of b, inside a
  std::uint32_t vertex{};  ///< index in the positions of its mesh; meaningless at depth 0
  Vec3 from{0.0};          ///< the vertex, world frame; meaningless at depth 0
  Vec3 to{0.0};            ///< nearest point of the face, world frame; meaningless at depth 0
  bool canRefine = true;   ///< true: `depth` may still increase; false: all vertices were examined
};

/// Finds the deepest vertex of either shape inside the other. Only solids have an inside. If edges
/// cross but no vertex of one body lies inside the other, there is no protrusion.
[[nodiscard]] Protrusion protrusion(const Shape& a, const Pose& poseA, const Shape& b,
                                    const Pose& poseB,
                                    const TimeBudget& budget = TimeBudget::unlimited());

/// A resumable search for the deepest vertex.
class ProtrusionQuery {
 public:
  ProtrusionQuery();
  ProtrusionQuery(ProtrusionQuery&&) noexcept;
  ProtrusionQuery& operator=(ProtrusionQuery&&) noexcept;
  ~ProtrusionQuery();

  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);
  Protrusion refine(const TimeBudget& budget = TimeBudget::unlimited());
  [[nodiscard]] Protrusion known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Time to contact

/// Motion with constant linear and angular velocity, world frame. The body rotates about the origin
/// of its frame.
struct SteadyMotion {
  Pose pose;                  ///< at time 0
  Vec3 velocity{0.0};         ///< metres per second, each coordinate within maxPoseMagnitude
  Vec3 angularVelocity{0.0};  ///< radians per second, same limit
};

/// Checks that a motion is valid input. Errors: Unsupported, in a sentence that names the first
/// invalid field; OutOfMemory.
Result<Success> check(const SteadyMotion& motion);

/// Returns the body's pose after `seconds`.
[[nodiscard]] Pose poseAfter(const SteadyMotion& motion, Real seconds) noexcept;

/// The result of timeToContact().
struct ContactTime {
  Real noContactBefore = 0.0;  ///< seconds: the bodies certainly do not touch before
  bool reached = false;        ///< at that time their distance is at most the tolerance
  /// False if `reached` is true, if there is no contact within the horizon or until a body leaves
  /// the range of poses, or if the remaining gap is below rounding.
  bool canRefine = true;
  /// Distance bounds at the last evaluated poses: those at `noContactBefore` if `reached`,
  /// otherwise earlier ones. Unbounded if a body has left the range of poses.
  DistanceBounds bounds;
};

/// Computes a time before which two bodies do not touch, by conservative advancement: each step
/// advances as far as the distance allows.
///
/// Stops when the bodies are at most `tolerance` metres apart (above 0), after `horizon` seconds,
/// when `budget` is exhausted, or when a body leaves maxPoseMagnitude. The time reached so far is
/// always safe. With an unlimited budget it also stops after a million steps, about ten seconds,
/// because a narrow gap allows only short steps; `canRefine` is then true. An infinite horizon
/// requires a limited budget. So does a very distant horizon, if the bodies rotate within reach of
/// each other. An infinite tolerance is reached immediately.
/// @pre check(motion) succeeds for both motions, and checkHorizon() succeeds for the same
/// arguments.
[[nodiscard]] ContactTime timeToContact(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                                        const SteadyMotion& motionB, Real horizon, Real tolerance,
                                        const TimeBudget& budget = TimeBudget::unlimited());
/// As above, with the memory of a query, which is left at some pose of the motion.
[[nodiscard]] ContactTime timeToContact(DistanceQuery& query, const Shape& a,
                                        const SteadyMotion& motionA, const Shape& b,
                                        const SteadyMotion& motionB, Real horizon, Real tolerance,
                                        const TimeBudget& budget = TimeBudget::unlimited());

/// Checks whether timeToContact() terminates for these arguments. Errors: OutOfMemory; Unsupported,
/// in a sentence, in these cases:
/// - the tolerance is 0 or less, or the horizon is below 0
/// - without a limited budget: the horizon is infinite, or until then points of the bodies rotate
///   by more than 1e9 times the sum of both radii and the tolerance (allowed if no rotation brings
///   the bodies into contact)
/// @pre check(motion) succeeds for both motions.
Result<Success> checkHorizon(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                             const SteadyMotion& motionB, Real horizon, Real tolerance,
                             const TimeBudget& budget = TimeBudget::unlimited());

// Self-contacts: where a surface intersects itself, such as that of a deforming body

/// The places where a surface intersects itself.
struct SelfContacts {
  /// Pairs of triangles that intersect away from shared vertices and edges, the lower index first:
  /// indices in shape.polyhedron().mesh().triangles. Exact. The order is arbitrary but the same on
  /// every machine. At most maxSelfIntersections.
  std::vector<std::array<std::uint32_t, 2>> pairs;
  bool canRefine = true;  ///< false: all pairs, or maxSelfIntersections of them, were found
};

/// Finds all self-contacts of a shape.
[[nodiscard]] SelfContacts selfContacts(const Shape& shape,
                                        const TimeBudget& budget = TimeBudget::unlimited());

/// A resumable search for self-contacts. Keep one query per deforming body: if only the vertices
/// have moved, it reuses its memory and all data that depend on connectivity alone.
class SelfContactQuery {
 public:
  SelfContactQuery();
  SelfContactQuery(SelfContactQuery&&) noexcept;
  SelfContactQuery& operator=(SelfContactQuery&&) noexcept;
  ~SelfContactQuery();

  /// Takes time linear in the triangles, about as long as a refit.
  void begin(const Shape& shape);

  /// Pairs found earlier keep their positions. The result is valid until the next call.
  const SelfContacts& refine(const TimeBudget& budget = TimeBudget::unlimited());

  [[nodiscard]] const SelfContacts& known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss
