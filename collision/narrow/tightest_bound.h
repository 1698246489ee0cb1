// SPDX-License-Identifier: MIT
/// The tightest bound over all colliding pairs of spheres of two trees [H96 §9.2]. The most
/// promising pairs are examined first.
#pragma once

#include <nearmiss/shape.h>

#include <cstdint>
#include <vector>

#include "base/work_meter.h"
#include "narrow/visited_pairs.h"
#include "spheres/moved_packs.h"

namespace nearmiss {

/// For each level of a tree, the minimum of outside() over each sphere and its descendants down to
/// that level, by slot. No pair of spheres below a given pair has a smaller bound than the sum of
/// both minima.
class MinBelow {
 public:
  explicit MinBelow(const SphereTree& tree);
  /// @pre level >= 0; beyond the last level, the last one is used.
  [[nodiscard]] const std::vector<float>& to(int level) const noexcept {
    const auto last = static_cast<int>(levels_.size()) - 1;
    return levels_[static_cast<std::size_t>(level < last ? level : last)];
  }

 private:
  std::vector<std::vector<float>> levels_;
};

/// Searches best first: descends to children of colliding pairs as in [H96 Fig. 3] if they can
/// still lower the bound. Reuses its memory.
class TightestBound {
 public:
  /// Lowers `bound`, metres, to the minimum over all pairs of spheres down to `level`. The second
  /// tree is transformed by `motion` into the frame of the first. Returns false if time ran out;
  /// `bound` is then the minimum over the examined pairs.
  /// @pre both shapes have sphere trees.
  bool lower(const Shape& a, const Shape& b, const PackMotion& motion, int level, WorkMeter& meter,
             const TimeBudget& budget, Real& bound);

 private:
  /// Two overlapping spheres that are still to be descended.
  struct Open {
    Real bound = 0.0;  ///< no pair below has a smaller bound
    SphereId a = 0, b = 0;
    int level = 0;
  };
  void expand(const Open& parents, WorkMeter& meter, Real& bound);
  void add(SphereId a, SphereId b, int level, Real& bound);

  const SphereTree *a_ = nullptr, *b_ = nullptr;
  const PackMotion* motion_ = nullptr;
  const std::vector<float>*minA_ = nullptr, *minB_ = nullptr;
  int level_ = 0;
  std::vector<Open> open_;  ///< a heap
  VisitedPairs visited_;    ///< used if one of the trees is a DAG
  MovedCache<MovedPack> moved_{MovedCache<MovedPack>::usualRoom};
};

}  // namespace nearmiss
