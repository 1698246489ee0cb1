// SPDX-License-Identifier: MIT
/// All that the sphere-tree narrow phase keeps of a pair of bodies between two calls.
#pragma once

#include <nearmiss/narrow_phase.h>
#include <nearmiss/sphere_tree.h>

#include "descent/pack_pairs.h"
#include "narrow/moved_packs.h"
#include "narrow/pair_setup.h"
#include "narrow/sphere_lanes.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace nearmiss {

/// Figures of the colliding pairs of one level. Overlaps include the slack.
struct LevelFindings {
  std::size_t count = 0;
  PairRecords best;
  SphereId deepestA = 0, deepestB = 0;
};

/// The step that a pair is in the middle of, kept when time runs out.
struct SpherePairStep {
  enum class Stage : std::uint8_t {
    Fresh,
    Proving,   ///< inner spheres are compared
    Unproven,  ///< they were, and proved nothing
    Descending,
    DeepestLeaves,
    Sorting,
    Comparing
  };
  /// Leaf pairs are compared in order of overlap, the deepest sixteenth first.
  static constexpr int buckets = 16;
  Stage stage = Stage::Fresh;
  PackPairPool::Cursor at;       ///< in the list that is worked through
  std::uint64_t left = 0;        ///< pairs of the entry at `at` that are still to do
  PackPairPool::List next;       ///< colliding pairs of the next level so far
  LevelFindings findings;        ///< of `next`
  std::size_t boxTests = 0;      ///< pairs of spheres whose boxes were compared
  std::size_t boxesApart = 0;    ///< and were apart
  PackPairPool::List nextInner;  ///< pairs of inner spheres, one level on, so far
  std::array<PackPairPool::List, buckets> sorted;
  int bucket = 0;             ///< that is compared
  std::size_t triangles = 0;  ///< index in the comparison of two leaves
};

/// A pair of bodies, from begin() to its final answer.
struct SpherePairWork {
  BodyPair bodies;
  PairSetup setup;
  Refinement known;
  PackMotion motion;
  PackPairPool::List colliding;  ///< at known.level, from level 0 to the last level of spheres
  LevelFindings findings;        ///< of `colliding`
  PackPairPool::List inner;      ///< slots of inner spheres with meeting bounds, same level
  SpherePairStep step;
};

}  // namespace nearmiss
