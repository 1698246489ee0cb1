// SPDX-License-Identifier: MIT
/// How deep the vertices of one body reach into another, the measure of a clash in CAD and building
/// models. This is not the shortest translation that separates the bodies: see penetration() in
/// distance.h.
///
/// Thread-safe for concurrent use of the same shapes; a query object belongs to one thread at a
/// time.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <memory>

namespace nearmiss {

/// The deepest vertex of either body inside the other.
struct Protrusion {
  /// Metres from the vertex to the nearest face around it; 0: none is inside.
  Real depth = 0.0;
  bool ofB = false;        ///< true: a vertex of b, inside a
  std::uint32_t vertex{};  ///< index in the positions of its mesh; meaningless at depth 0
  Vec3 from{0.0};          ///< the vertex, world frame; meaningless at depth 0
  Vec3 to{0.0};            ///< nearest point of the face, world frame; same
  bool canRefine = true;   ///< true: `depth` may still increase; false: all vertices were examined
};

/// A resumable search for the deepest vertex. Only solids have an inside. If edges cross but no
/// vertex of one body lies inside the other, there is no protrusion.
///
/// If a step throws std::bad_alloc, call begin() before the next one. Moved-from queries can only
/// be assigned to or destroyed.
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

  /// Examines vertices until none is left or `budget` is exhausted.
  /// @pre begin() was called.
  Protrusion refine(const TimeBudget& budget = TimeBudget::unlimited());

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Computes one protrusion.
/// @pre as ProtrusionQuery::begin()
[[nodiscard]] Protrusion protrusion(const Shape& a, const Pose& poseA, const Shape& b,
                                    const Pose& poseB,
                                    const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
