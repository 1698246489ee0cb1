// SPDX-License-Identifier: MIT
/// Distance of two surfaces by best-first search in hierarchies of oriented boxes.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "base/work_meter.h"
#include "geometry/pieces_inside.h"
#include "shape/box_hierarchy.h"

namespace nearmiss {

class DistanceSearch {
 public:
  /// Starts a search. `bToA` transforms `b` into the frame of `a`. All arguments must outlive the
  /// last step.
  void begin(const Polyhedron& a, const BoxHierarchy& boxesA, const Polyhedron& b,
             const BoxHierarchy& boxesB, const Pose& bToA);

  /// Searches until the bounds meet, until `tolerance`, if given, lies outside them, or until time
  /// runs out. Points are in the frame of `a`.
  void refine(std::optional<Real> tolerance, const TimeBudget& budget);

  [[nodiscard]] const DistanceBounds& known() const noexcept { return known_; }

 private:
  struct Pair {
    Real lower;
    std::uint32_t a, b;  ///< slots
    /// A heap has its maximum first, but the nearest pair is needed. Ties are decided by slot, the
    /// same in every standard library.
    friend bool operator<(const Pair& p, const Pair& q) noexcept {
      return std::tie(q.lower, q.a, q.b) < std::tie(p.lower, p.a, p.b);
    }
  };

  /// The pairs that result from dividing the larger box of a pair.
  struct Parts {
    std::array<Pair, SpherePack::width> pairs;
    std::size_t count = 0;
    [[nodiscard]] std::span<const Pair> all() const noexcept {
      return std::span(pairs).first(count);
    }
  };
  [[nodiscard]] bool seekPieces(const TimeBudget& budget);
  void seekMeeting(const TimeBudget& budget);
  void dive();
  [[nodiscard]] bool areLeaves(const Pair& pair) const noexcept;
  Parts split(const Pair& pair);
  void compareLeaves(const Pair& pair);
  [[nodiscard]] bool exhausted() const noexcept;
  void takePoints();
  void settle();

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  const BoxHierarchy* boxesA_ = nullptr;
  const BoxHierarchy* boxesB_ = nullptr;
  Pose bToA_;
  Real slack_ = 0.0;     ///< metres: far more than rounding can move a point
  PiecesInside pieces_;  ///< searched first
  std::vector<Pair> heap_;
  bool dived_ = false, begun_ = false;
  DistanceBounds known_;
  WorkMeter meter_;
};

}  // namespace nearmiss
