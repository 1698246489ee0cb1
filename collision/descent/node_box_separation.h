// SPDX-License-Identifier: MIT
/// Node boxes: which pairs of spheres that meet need not be followed.
#pragma once

#include "descent/pack_pairs.h"
#include "descent/sphere_pair_work.h"
#include "descent/sphere_tree_pair.h"
#include "narrow/box_overlap.h"
#include "narrow/moved_cache.h"
#include "narrow/work_meter.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Works on the pair of bodies that `trees` has taken up.
class NodeBoxSeparation {
 public:
  /// `shapes`: those of which pairs will be taken up. All must outlive this.
  NodeBoxSeparation(SphereTreePair& trees, WorkMeter& meter, const Shapes& shapes);

  void takeUp(const SpherePairWork& w);

  /// Whether comparing boxes is worth while at this point of the step.
  [[nodiscard]] bool pays(const SpherePairWork& w) const noexcept {
    return some_ && w.findings.count <= mostParents &&
           w.step.boxTests <= patience + w.step.boxesApart;
  }

  /// Takes pairs of spheres out of `found` whose boxes are apart, as long as that pays.
  void dropParted(SpherePairWork& w, PackPair& found);

 private:
  /// Bodies that are apart have few colliding pairs left at any level; in those that reach deep
  /// into each other nearly all boxes meet, and the others would hardly have had children. So a
  /// step begins only with so many pairs, and gives up after so many pairs of boxes that meet.
  static constexpr std::size_t mostParents = 16, patience = 16;
  [[nodiscard]] bool parted(const PackPair& pair, int row, int column, std::uint32_t numberA,
                            std::uint32_t numberB);

  SphereTreePair& trees_;
  WorkMeter& meter_;
  std::vector<std::vector<BoxLanes>> boxes_;  ///< per shape, in the order of NodeBoxes::boxes
  bool some_ = false;                         ///< one of the two trees has some
  std::span<const BoxLanes> boxesA_, boxesB_;
  MovedCache<BoxLanes> moved_;
};

}  // namespace nearmiss
