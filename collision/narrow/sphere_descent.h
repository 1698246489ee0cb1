// SPDX-License-Identifier: MIT
/// One level down two sphere trees: which children of colliding spheres collide [H96 §4.1, Fig. 3].
#pragma once

#include "narrow/box_overlap.h"
#include "narrow/moved_cache.h"
#include "narrow/pack_pairs.h"
#include "narrow/sphere_pair_work.h"
#include "narrow/sphere_tree_pair.h"
#include "narrow/visited_pairs.h"
#include "narrow/work_meter.h"

#include <cstdint>

namespace nearmiss {

/// Works on the pair of bodies that `trees` has taken up.
class SphereDescent {
 public:
  /// All must outlive this. `boxes`: whether any of the trees to come has some.
  SphereDescent(SphereTreePair& trees, PackPairPool& pool, WorkMeter& meter, bool boxes)
      : trees_(trees),
        pool_(pool),
        meter_(meter),
        movedBoxes_(boxes ? MovedCache<MovedBox>::usualRoom : 0) {}

  /// Goes on with a pair of bodies, perhaps in the middle of a step.
  void takeUp(const SpherePairWork& w);

  /// Collects in w.step the colliding children of w.colliding. False if time ran out.
  bool descend(SpherePairWork& w, const TimeBudget& budget);

 private:
  void expand(SpherePairWork& w, const PackPair& parents, int bit);
  void expandPacks(SpherePairWork& w, const PackPair& parents, int bit, PackPair found);
  void keepNew(PackPair& found);
  void compareRow(SpherePairWork& w, PackPair& found, const MovedPack& moved, int row,
                  std::uint32_t columns);
  void note(SpherePairWork& w, const PackPair& found, int row, int column);

  [[nodiscard]] std::uint32_t boxesMeeting(SpherePairStep& step, const PackPair& found, int row,
                                           std::uint32_t columns);

  SphereTreePair& trees_;
  PackPairPool& pool_;
  WorkMeter& meter_;
  MovedCache<MovedBox> movedBoxes_;
  bool boxes_ = false;    ///< one of the two trees has some
  VisitedPairs visited_;  ///< those in step.next, where one of the trees is a DAG
};

}  // namespace nearmiss
