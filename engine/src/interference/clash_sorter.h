// SPDX-License-Identifier: MIT
/// Classifies clashes of pairs of objects.
#pragma once

#include <engine/interference/clash.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <optional>
#include <vector>

#include "interference/cancellation_clock.h"
#include "interference/edge_search.h"

namespace nearmiss::engine {

/// Tolerance for rounding, relative to the sizes of both objects; the minimum of all tolerances.
inline constexpr Real clashRounding = 1e-9;

/// Classifies pairs of two shapes in any poses. Caches data about the shapes.
class ClashSorter {
 public:
  /// Once `cancelled` is true, calls return quickly with invalid results. It may be null.
  /// @pre limits are finite and at least 0
  ClashSorter(Shape a, Shape b, const ClashLimits& limits,
              const std::atomic<bool>* cancelled = nullptr);

  /// Classifies a pair; the caller must set Clash::pair.
  /// @pre as CollisionQuery::begin()
  [[nodiscard]] Clash sort(const Pose& poseA, const Pose& poseB);

 private:
  [[nodiscard]] EdgeSearch searchOf(bool ofB) const;
  [[nodiscard]] bool classifyByDistance(const Pose& poseA, const Pose& poseB, Clash& clash);
  [[nodiscard]] bool sortHeld(const Pose& poseA, const Pose& poseB, Clash& clash);
  [[nodiscard]] bool sortProtruding(const Pose& poseA, const Pose& poseB, Clash& clash);
  void makeEdges();
  [[nodiscard]] bool isKnownDuplicate() const noexcept;

  Shape a_, b_;
  ClashLimits limits_;
  Real tolerance_;
  CancellationClock clock_;
  CollisionQuery contact_;
  DistanceQuery distance_;
  ProtrusionQuery protrusion_;
  Pose aToB_, bToA_;
  std::optional<MeshEdges> edgesA_, edgesB_;
  /// Relative poses, from a to b, that made duplicates: parts that were copied in place by mistake
  /// have the same one again and again.
  std::vector<Pose> duplicates_;
};

}  // namespace nearmiss::engine
