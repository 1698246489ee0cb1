// SPDX-License-Identifier: MIT
/// How deep the vertices of one body reach into another, as CAD and building models measure a
/// clash. Not the shortest translation that separates them: see penetration() in distance.h.
///
/// Any number of threads may ask at once, also about the same shapes; a query object is for one
/// thread at a time.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <memory>

namespace nearmiss {

/// The deepest vertex of either body inside the other.
struct Protrusion {
  Real depth = 0.0;        ///< metres from it to the nearest face around it; 0: no vertex is inside
  bool ofB = false;        ///< it is a vertex of b, inside a
  std::uint32_t vertex{};  ///< its index in the positions of its mesh; of no use at depth 0
  Vec3 from{0.0};          ///< the vertex, world frame; of no use at depth 0
  Vec3 to{0.0};            ///< the nearest point of the face, world frame; likewise
  bool canRefine = true;   ///< false: every vertex was looked at. Until then `depth` may grow
};

/// A resumable search. Only what is a solid has an inside; bodies whose edges cross, with no vertex
/// inside the other, have no protrusion.
/// If a step throws std::bad_alloc, call begin() before the next one.
/// What was moved from may only be assigned to or destroyed.
class ProtrusionQuery {
 public:
  ProtrusionQuery();
  ProtrusionQuery(ProtrusionQuery&&) noexcept;
  ProtrusionQuery& operator=(ProtrusionQuery&&) noexcept;
  ~ProtrusionQuery();

  /// Starts a search for the deepest vertex. Poses are in the world frame. If it throws
  /// std::bad_alloc, the query keeps the previous pair.
  /// @pre check(pose) succeeds for both poses.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// Looks at vertices until none is left or `budget` is exhausted.
  /// @pre begin() was called.
  Protrusion refine(const TimeBudget& budget = TimeBudget::unlimited());

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// One protrusion, from scratch.
/// @pre as ProtrusionQuery::begin()
[[nodiscard]] Protrusion protrusion(const Shape& a, const Pose& poseA, const Shape& b,
                                    const Pose& poseB,
                                    const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
