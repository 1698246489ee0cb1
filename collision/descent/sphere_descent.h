// SPDX-License-Identifier: MIT
/// One level down two sphere trees: which children of colliding spheres collide [H96 §4.1, Fig. 3].
#pragma once

#include "descent/node_box_separation.h"
#include "descent/pack_pairs.h"
#include "descent/sphere_pair_work.h"
#include "descent/sphere_tree_pair.h"
#include "descent/visited_pairs.h"
#include "narrow/work_meter.h"

#include <cstdint>

namespace nearmiss {

/// Works on the pair of bodies that `trees` has taken up.
class SphereDescent {
 public:
  /// `shapes`: those of which pairs will be taken up. All must outlive this.
  SphereDescent(SphereTreePair& trees, PackPairPool& pool, WorkMeter& meter, const Shapes& shapes)
      : trees_(trees), pool_(pool), meter_(meter), boxes_(trees, meter, shapes) {}

  /// Goes on with a pair of bodies, perhaps in the middle of a step.
  void takeUp(const SpherePairWork& w);

  /// Collects in w.step the colliding children of w.colliding. False if time ran out.
  bool descend(SpherePairWork& w, const TimeBudget& budget);

 private:
  void expand(SpherePairWork& w, const PackPair& parents, int bit);
  void expandPacks(SpherePairWork& w, const PackPair& parents, int bit, PackPair found);
  void keepNew(PackPair& found);
  std::uint64_t compareRow(const SpherePairWork& w, PackPair& found, const MovedPack& moved,
                           int row, std::uint32_t columns) const;
  void note(SpherePairWork& w, const PackPair& found, int row, int column);

  SphereTreePair& trees_;
  PackPairPool& pool_;
  WorkMeter& meter_;
  NodeBoxSeparation boxes_;
  VisitedPairs visited_;  ///< those in step.next, where one of the trees is a DAG
};

}  // namespace nearmiss
