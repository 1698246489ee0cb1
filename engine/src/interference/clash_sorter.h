// SPDX-License-Identifier: MIT
/// Sorts pairs of objects into classes of clashes.
#pragma once

#include <engine/interference/clash.h>
#include <nearmiss/collide.h>
#include <nearmiss/distance.h>
#include <nearmiss/protrusion.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <optional>

#include "interference/cancellation_clock.h"
#include "interference/edge_search.h"

namespace nearmiss::engine {

/// What rounding may move, relative to the sizes of both: no tolerance is less.
inline constexpr Real clashRounding = 1e-9;

/// Sorts pairs of two shapes, in any poses. Keeps what it has learnt about them.
class ClashSorter {
 public:
  /// Once `cancelled` is true, which may be null, answers are quick and of no use.
  /// @pre limits are finite and 0 or more
  ClashSorter(Shape a, Shape b, const ClashLimits& limits,
              const std::atomic<bool>* cancelled = nullptr);

  /// `pair` of the answer is left to the caller. @pre as PairQuery::begin()
  [[nodiscard]] Clash sort(const Pose& poseA, const Pose& poseB);

 private:
  [[nodiscard]] EdgeSearch searchOf(bool ofB) const;
  [[nodiscard]] bool sortApart(const Pose& poseA, const Pose& poseB, Clash& clash);
  [[nodiscard]] bool sortHeld(const Pose& poseA, const Pose& poseB, Clash& clash);
  [[nodiscard]] bool sortProtruding(const Pose& poseA, const Pose& poseB, Clash& clash);
  void makeEdges();

  Shape a_, b_;
  ClashLimits limits_;
  Real tolerance_;
  CancellationClock clock_;
  PairQuery contact_;
  DistanceQuery distance_;
  ProtrusionQuery protrusion_;
  Pose aToB_, bToA_;
  std::optional<MeshEdges> edgesA_, edgesB_;
};

}  // namespace nearmiss::engine
