// SPDX-License-Identifier: MIT
/// The distance of two surfaces, best first over hierarchies of swept rectangles [LGL99].
#pragma once

#include <nearmiss/distance.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/pieces_inside.h"
#include "narrow/work_meter.h"
#include "query/swept_volumes.h"
#include "query/volume_tree.h"

namespace nearmiss {

struct DistanceTree : VolumeTree<SweptRectangle> {
  using VolumeTree::VolumeTree;
};
/// Made when it is first asked for, and kept with the shape.
[[nodiscard]] const DistanceTree& distanceTreeOf(const Shape& shape);

/// The distance of two surfaces, best first over hierarchies of swept rectangles [LGL99].
class DistanceSearch {
 public:
  /// `b` is moved by `bToA` into the frame of `a`. All must outlive the last step.
  void begin(const Polyhedron& a, const DistanceTree& treeA, const Polyhedron& b,
             const DistanceTree& treeB, const Pose& bToA);

  /// Until the bounds meet, `tolerance`, if there is one, lies outside of them, or time runs out.
  /// Points are in the frame of `a`.
  void refine(std::optional<Real> tolerance, const TimeBudget& budget);

  [[nodiscard]] const DistanceBounds& known() const noexcept { return known_; }

 private:
  struct Pair {
    Real lower;
    std::uint32_t a, b;
    /// A heap has the greatest first, and the nearest pair is wanted.
    friend bool operator<(const Pair& p, const Pair& q) noexcept { return p.lower > q.lower; }
  };

  [[nodiscard]] Pair pairOf(std::uint32_t a, std::uint32_t b);
  void push(const Pair& pair);
  [[nodiscard]] bool seekPieces(const TimeBudget& budget);
  void seekMeeting(const TimeBudget& budget);
  void dive();
  std::array<Pair, 2> split(const Pair& pair);
  void compareLeaves(const Pair& pair);
  [[nodiscard]] bool exhausted() const noexcept;
  void takePoints();
  void settle();

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  const DistanceTree* treeA_ = nullptr;
  const DistanceTree* treeB_ = nullptr;
  Pose bToA_;
  VolumeMotion motion_{Pose{}, 0.0};
  PiecesInside pieces_;  ///< sought first
  std::vector<Pair> heap_;
  bool dived_ = false, begun_ = false;
  DistanceBounds known_;
  WorkMeter meter_;
};

}  // namespace nearmiss
