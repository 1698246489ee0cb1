// SPDX-License-Identifier: MIT
/// Descends one level in two sphere trees: finds which children of colliding spheres collide [H96
/// §4.1, Fig. 3]. Also holds the state of a pair of bodies between two calls.
#pragma once

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/detail/assertion.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "narrow/pair_setup.h"
#include "narrow/visited_pairs.h"
#include "spheres/box_overlap.h"
#include "spheres/moved_packs.h"
#include "spheres/sphere_lanes.h"

namespace nearmiss {

/// Which spheres of one pack collide with which of another. Bit 8 i + j: lane i of packA collides
/// with lane j of packB. Stores up to 64 pairs in 16 bytes.
struct PackPair {
  std::uint32_t packA = 0;
  std::uint32_t packB = 0;
  std::uint64_t colliding = 0;
};

/// Owns the chunks of all lists. A released list leaves its chunks to the next one, so a steady
/// scene allocates nothing.
class PackPairPool {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  /// A list of chunks of one pool; initially empty. Plain data: copies refer to the same chunks.
  struct List {
    std::uint32_t first = none;
    std::uint32_t last = none;
    [[nodiscard]] bool empty() const noexcept { return first == none; }
  };

  /// A position in a list; done() is true past the last pair. Stays valid while pairs are pushed
  /// elsewhere.
  struct Cursor {
    std::uint32_t chunk = none;
    std::uint32_t index = 0;
    [[nodiscard]] bool done() const noexcept { return chunk == none; }
  };

  [[nodiscard]] static Cursor begin(const List& list) noexcept { return {list.first, 0}; }
  /// @pre !at.done()
  [[nodiscard]] const PackPair& operator[](const Cursor& at) const noexcept {
    NEARMISS_ASSERT(!at.done());
    return chunks_[at.chunk].pairs[at.index];
  }
  void advance(Cursor& at) const noexcept {
    const Chunk& chunk = chunks_[at.chunk];
    if (++at.index == chunk.size) at = {chunk.next, 0};
  }

  void push(List& list, const PackPair& pair) {
    if (list.empty() || chunks_[list.last].size == Chunk::capacity) append(list);
    Chunk& chunk = chunks_[list.last];
    chunk.pairs[chunk.size++] = pair;
  }

  /// Empties `list` and frees its chunks for other lists.
  void release(List& list) noexcept {
    if (list.empty()) return;
    chunks_[list.last].next = free_;
    free_ = list.first;
    list = {};
  }

 private:
  /// 256 bytes: most pairs of bodies need one chunk.
  struct Chunk {
    static constexpr std::uint32_t capacity = 15;
    std::array<PackPair, capacity> pairs;
    std::uint32_t size = 0;
    std::uint32_t next = none;
  };

  void append(List& list) {
    std::uint32_t fresh = free_;
    if (fresh != none) {
      free_ = chunks_[fresh].next;
      chunks_[fresh].size = 0;
      chunks_[fresh].next = none;
    } else {
      fresh = static_cast<std::uint32_t>(chunks_.size());
      chunks_.emplace_back();
    }
    (list.empty() ? list.first : chunks_[list.last].next) = fresh;
    list.last = fresh;
  }

  std::deque<Chunk> chunks_;
  std::uint32_t free_ = none;
};

/// The sphere trees of the current pair of bodies in one frame.
class SphereTreePair {
 public:
  /// Sets two trees, the second transformed by `motion` into the frame of the first. All arguments
  /// must outlive the last call below.
  void take(const SphereTree& a, const SphereTree& b, const PackMotion& motion) noexcept {
    a_ = &a;
    b_ = &b;
    motion_ = &motion;
    moved_.reset();
  }

  [[nodiscard]] const SphereTree& a() const noexcept { return *a_; }
  [[nodiscard]] const SphereTree& b() const noexcept { return *b_; }
  [[nodiscard]] const PackMotion& motion() const noexcept { return *motion_; }
  [[nodiscard]] float slack() const noexcept { return motion_->slack; }
  [[nodiscard]] bool sharesSpheres() const noexcept { return a_->isDag() || b_->isDag(); }

  /// Returns a pack of the second tree in the frame of the first.
  [[nodiscard]] const MovedPack& movedPack(std::uint32_t pack) {
    return movedFrom(moved_, *motion_, b_->data().packs, pack);
  }

  /// Returns the overlap depth of two spheres, including the slack.
  [[nodiscard]] float overlapOf(const PackPair& pair, int row, int column) {
    const SpherePack& packA = a_->data().packs[pair.packA];
    const MovedPack& moved = movedPack(pair.packB);
    const float dx = moved.x[column] - packA.x[row];
    const float dy = moved.y[column] - packA.y[row];
    const float dz = moved.z[column] - packA.z[row];
    return packA.r[row] + motion_->slack + b_->data().packs[pair.packB].r[column] -
           std::sqrt(dx * dx + dy * dy + dz * dz);
  }

 private:
  const SphereTree* a_ = nullptr;
  const SphereTree* b_ = nullptr;
  const PackMotion* motion_ = nullptr;
  MovedCache<MovedPack> moved_{MovedCache<MovedPack>::usualRoom};
};

/// Figures for the colliding pairs of one level. Overlaps include the slack.
struct LevelFindings {
  std::size_t count = 0;
  PairRecords best;
  SphereId deepestA = 0, deepestB = 0;
};

/// The state of an unfinished step of a pair, kept when time runs out.
struct SpherePairStep {
  enum class Stage : std::uint8_t {
    Fresh,
    Proving,   ///< inner spheres are being compared
    Unproven,  ///< inner spheres were compared, and proved nothing
    Descending,
    DeepestLeaves,
    Sorting,
    Comparing
  };
  /// Leaf pairs are compared by overlap, deepest first, in sixteen classes.
  static constexpr int buckets = 16;
  Stage stage = Stage::Fresh;
  PackPairPool::Cursor at;       ///< position in the list being processed
  std::uint64_t left = 0;        ///< remaining pairs of the entry at `at`
  PackPairPool::List next;       ///< colliding pairs of the next level found so far
  LevelFindings findings;        ///< of `next`
  std::size_t boxTests = 0;      ///< pairs of spheres whose boxes were compared
  std::size_t boxesApart = 0;    ///< pairs whose boxes were apart
  PackPairPool::List nextInner;  ///< pairs of inner spheres of the next level, so far
  std::array<PackPairPool::List, buckets> sorted;
  int bucket = 0;             ///< the one being compared
  std::size_t triangles = 0;  ///< index in the comparison of two leaves
};

/// The state of a pair of bodies, from begin() to its final result.
struct SpherePairWork {
  BodyPair bodies;
  PairSetup setup;
  Refinement known;
  PackMotion motion;
  PackPairPool::List colliding;  ///< at known.level, from level 0 to the last level of spheres
  LevelFindings findings;        ///< of `colliding`
  PackPairPool::List inner;      ///< slots of inner spheres with overlapping bounds, same level
  SpherePairStep step;
};

/// Uses node boxes to prune pairs of overlapping spheres of the pair of bodies set in `trees`.
class NodeBoxSeparation {
 public:
  /// @param shapes all shapes whose pairs will be set; all arguments must outlive this
  NodeBoxSeparation(SphereTreePair& trees, WorkMeter& meter, const Shapes& shapes);

  void switchTo(const SpherePairWork& w);

  /// Returns true if comparing boxes pays at this point of the step.
  [[nodiscard]] bool pays(const SpherePairWork& w) const noexcept {
    return some_ && w.findings.count <= maxParents &&
           w.step.boxTests <= patience + w.step.boxesApart;
  }

  /// Removes pairs of spheres whose boxes are apart from `found`, as long as that pays.
  void dropParted(SpherePairWork& w, PackPair& found);

 private:
  /// Bodies that are apart have few colliding pairs at any level. For bodies that overlap deeply,
  /// nearly all boxes overlap, and the remaining ones would hardly have had children. Box tests are
  /// therefore used only in steps with at most `maxParents` pairs, and stop after `patience` boxes
  /// that overlap.
  static constexpr std::size_t maxParents = 16, patience = 16;
  [[nodiscard]] bool parted(const PackPair& pair, int row, int column, std::uint32_t numberA,
                            std::uint32_t numberB);

  SphereTreePair& trees_;
  WorkMeter& meter_;
  std::vector<std::vector<BoxLanes>> boxes_;  ///< per shape, in the order of NodeBoxes::boxes
  bool some_ = false;                         ///< one of the two trees has boxes
  std::span<const BoxLanes> boxesA_, boxesB_;
  MovedCache<BoxLanes> moved_;
};

/// Descends the trees of the pair of bodies set in `trees`.
class SphereDescent {
 public:
  /// @param shapes all shapes whose pairs will be set; all arguments must outlive this
  SphereDescent(SphereTreePair& trees, PackPairPool& pool, WorkMeter& meter, const Shapes& shapes)
      : trees_(trees), pool_(pool), meter_(meter), boxes_(trees, meter, shapes) {}

  /// Continues with a pair of bodies, possibly in the middle of a step.
  void switchTo(const SpherePairWork& w);

  /// Collects the colliding children of w.colliding in w.step. Returns false if time ran out.
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
  VisitedPairs visited_;  ///< pairs in step.next, if one of the trees is a DAG
};

}  // namespace nearmiss
