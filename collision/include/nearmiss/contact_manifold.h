// SPDX-License-Identifier: MIT
/// Where two bodies touch, as solvers of motion want it: a few pairs of points with normals and
/// depths, which keep their names from frame to frame.
///
/// Any number of threads may ask at once, also about the same shapes; a query object is for one
/// thread at a time.
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

/// A vertex and the nearest point of the other surface, or the nearest points of two edges that
/// cross. Of a vertex that lies along a wall of a solid, or just behind one that its body passes
/// through, as those of boxes do that are stacked and overlap, the point of the face that it came
/// in through. Of a vertex of a solid that has passed through a surface without an inside, terrain
/// say, the nearest point of that. Of edges of two faces that lie on each other, the points that
/// cross seen along these. World frame; onB - onA is depth * normal within rounding.
struct ManifoldPoint {
  Vec3 onA{0.0}, onB{0.0};  ///< points of both surfaces
  Vec3 normal{0.0};         ///< unit, from b to a
  Real depth = 0.0;         ///< metres that the two points overlap; negative: the gap between them
  /// Names the vertex, or both edges: the same as long as these touch, whatever the poses are. Each
  /// occurs once in a manifold.
  std::uint64_t id = 0;
};

struct ContactManifold {
  std::vector<ManifoldPoint> points;  ///< the deepest first; empty: no contact
  /// False if the bodies touch but the depth is unknown, because neither has an inside: points then
  /// lie where the surfaces cross and have depth 0.
  bool depthKnown = true;
  bool canRefine = true;              ///< false: nothing else touches
};

struct ManifoldSettings {
  /// Metres: points with a gap of at most this count too; of two edges also those with a gap below
  /// 1e-9 of the bodies' sizes and distance.
  Real margin = 0.0;
  std::size_t maxPoints = 4;  ///< the deepest, then those that keep the patch as wide as it is
};

/// Builds everything about a shape that contact queries otherwise build at their first use, which
/// takes milliseconds for a large mesh. Later calls return at once. Thread-safe.
void prepare(const Shape& shape);

/// A resumable search: vertices of each body inside the other or near it, then crossing edges.
/// Where two solids cross without either, as a needle does a plate, the deepest point that is found
/// in both stands for the contact; of two surfaces without an inside, and where no depth is found,
/// points where they cross, at depth 0. A surface whose triangles wind alike may be met from both
/// sides: a solid that crosses it is moved to the one on which it reaches farther.
///
/// Remembers the manifold before, if that is of the same two meshes: where as good, its points are
/// chosen again. The search begins with the eight deepest of them; where the one before ran out of
/// time, it goes on where that stopped. So keep a query for each pair.
///
/// If a step throws std::bad_alloc, call begin() before the next one. What was moved from may only
/// be assigned to or destroyed.
class ManifoldQuery {
 public:
  ManifoldQuery();
  ManifoldQuery(ManifoldQuery&&) noexcept;
  ManifoldQuery& operator=(ManifoldQuery&&) noexcept;
  ~ManifoldQuery();

  /// Takes up two shapes in the poses of their bodies, world frame.
  /// @pre Positions are within maxPoseMagnitude, rotations of unit length; margin >= 0, maxPoints >
  /// 0.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
             const ManifoldSettings& settings = {});

  /// The same for unchecked values. An error leaves the previous pair. Errors: Unsupported, in a
  /// sentence (a position that is not finite or beyond maxPoseMagnitude, a rotation that is not of
  /// unit length, a margin below 0 or not finite, no points wanted); OutOfMemory.
  Result<Success> beginChecked(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                               const ManifoldSettings& settings = {});

  /// Looks for points until none is left or `budget` is exhausted. In the latter case some may be
  /// missing, and a solid that crosses a surface is moved to the side on which its middle lies.
  /// Valid until the next call.
  /// @pre begin() was called.
  const ContactManifold& refine(const TimeBudget& budget = TimeBudget::unlimited());

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

/// The same for unchecked values. Errors: those of ManifoldQuery::beginChecked().
Result<ContactManifold> contactManifoldChecked(const Shape& a, const Pose& poseA, const Shape& b,
                                               const Pose& poseB,
                                               const ManifoldSettings& settings = {},
                                               const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
