// SPDX-License-Identifier: MIT
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/work_meter.h"
#include "geometry/polyhedron_pair.h"
#include "narrow/kept_pairs.h"
#include "narrow/pair_setup.h"
#include "rivals/bounding_volumes.h"
#include "rivals/hull_volume.h"
#include "rivals/obb_tree.h"
#include "rivals/region_tree.h"
#include "rivals/swept_volumes.h"
#include "rivals/volume_tree.h"

namespace nearmiss {
namespace {

/// Binary levels per level of the result. It then has as many volumes as a level of spheres: eight
/// times those of the level before.
constexpr int depthsOfLevel = 3;
/// Levels before the triangles.
constexpr int levels = 4;

/// Pairs of triangles of two leaves between two checks of the budget. Most leaves have fewer, but
/// triangles with a common centroid form one leaf.
constexpr std::size_t pairsAtATime = 1024;

/// Two nodes whose volumes may overlap.
struct NodePair {
  std::uint32_t a, b;
  std::uint8_t depthA, depthB;
};

/// Volumes with data worth keeping until the next frame.
template <class Volume>
concept Coherent = requires {
  typename Volume::Kept;
};

/// For volumes without such data.
struct NothingKept {};
template <class Volume>
struct KeptOf {
  using Type = NothingKept;
};
template <Coherent Volume>
struct KeptOf<Volume> {
  using Type = typename Volume::Kept;
};

template <class Volume, class Tree = VolumeTree<Volume>>
class VolumeTreePhase final : public NarrowPhase {
 public:
  using Motion = typename Volume::Motion;
  using Trees = std::vector<std::shared_ptr<const Tree>>;

  VolumeTreePhase(const Shapes& shapes, std::string_view name, Trees trees)
      : shapes_(shapes), name_(name), trees_(std::move(trees)) {}

  std::string_view name() const noexcept override { return name_; }
  const Shapes* shapes() const noexcept override { return &shapes_; }
  std::unique_ptr<NarrowPhase> another() const override {
    auto other = std::make_unique<VolumeTreePhase>(shapes_, name_, trees_);
    other->setCoherence(coherent_);
    return other;
  }
  void setCoherence(bool on) override {
    coherent_ = on;
    if (!on) kept_.clear();
  }
  WorkCount work() const noexcept override { return meter_.total(); }

  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override {
    bodies_ = bodies;
    pairs_ = pairs;
    slotOf_.assign(pairs.size(), noSlot);
    used_ = 0;
    meter_.reset();
  }

  Refinement result(std::size_t i) const noexcept override {
    return slotOf_[i] == noSlot ? boundingLevel(boundingSpheres(bodies_, pairs_[i]))
                                : slots_[slotOf_[i]].known;
  }

  bool mayRefine(std::size_t i, int level) const noexcept override {
    if (slotOf_[i] == noSlot) return level > 0;
    const Refinement& known = slots_[slotOf_[i]].known;
    return known.canRefine && known.level < level;
  }

  bool refine(std::size_t i, const TimeBudget& budget) override {
    NEARMISS_ASSERT(result(i).canRefine, i);
    Work& w = slotOf_[i] == noSlot ? setUp(i) : slots_[slotOf_[i]];
    const bool completed = step(w, budget);
    meter_.settle(budget);
    return completed;
  }

  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const override {
    out.clear();
    const Refinement known = result(i);
    if (most != 0 && known.verdict != Verdict::Separate) out.push_back(known.deepest);
  }

 private:
  /// The state of a pair of bodies, from its first step to its final result.
  struct Work {
    BodyPair bodies;
    PairSetup setup;
    Motion motion{Pose{}, 0.0};
    Refinement known;
    std::vector<NodePair> open;
    /// Number of triangle pairs already compared in the two leaves that were opened last.
    std::size_t compared = 0;
  };
  enum class Leaves : std::uint8_t { Apart, Meet, Unfinished };

  const Tree& treeA(const Work& w) const noexcept { return treeOf(w.setup.shapeA); }
  const Tree& treeB(const Work& w) const noexcept { return treeOf(w.setup.shapeB); }
  const Tree& treeOf(std::uint32_t id) const noexcept {
    return *trees_[static_cast<std::size_t>(id)];
  }
  const Polyhedron& polyhedronOf(std::uint32_t id) const noexcept {
    return shapes_[id].polyhedron();
  }

  Work& setUp(std::size_t i) {
    if (slots_.size() == used_) slots_.emplace_back();
    Work& w = slots_[used_];
    w.bodies = pairs_[i];
    w.setup = setUpPair(bodies_, w.bodies);
    w.motion = Motion(w.setup.bToA, slackOf(polyhedronOf(w.setup.shapeA),
                                            polyhedronOf(w.setup.shapeB), w.setup.bToA));
    w.known = boundingLevel(w.setup.bounding);
    w.open.clear();
    w.compared = 0;
    meter_.open().boundTests += WorkMeter::boxTest;
    if (!rootsApart(w)) w.open.push_back({0, 0, 0, 0});
    slotOf_[i] = used_++;
    return w;
  }

  /// Compares the roots, the pair of volumes that every frame compares, and the only one for which
  /// keeping data pays.
  bool rootsApart(const Work& w) {
    if constexpr (Coherent<Volume>) {
      if (coherent_)
        return apart(treeA(w).volume(0), treeB(w).volume(0), w.motion,
                     kept_[kept_.slotOf(bodies_[w.bodies.a], bodies_[w.bodies.b])]);
    }
    return apart(treeA(w).volume(0), treeB(w).volume(0), w.motion);
  }

  void push(Work& w, const NodePair& pair) {
    meter_.open().boundTests += WorkMeter::boxTest;
    if (!apart(treeA(w).volume(pair.a), treeB(w).volume(pair.b), w.motion)) w.open.push_back(pair);
  }

  /// Completes one level, or the triangles. Returns false if time ran out.
  bool step(Work& w, const TimeBudget& budget) {
    const bool exactly = w.known.level >= levels;
    const int depth = depthsOfLevel * (w.known.level + 1);
    while (!w.open.empty()) {
      const NodePair at = w.open.back();
      const bool leafA = treeA(w).leaf(at.a), leafB = treeB(w).leaf(at.b);
      const bool endA = leafA || (!exactly && at.depthA >= depth);
      const bool endB = leafB || (!exactly && at.depthB >= depth);
      if (endA && endB && !exactly) {
        completeLevel(w, at);
        return true;
      }
      if (endA && endB) {
        const Leaves leaves = compareLeaves(w, at, budget);
        if (leaves == Leaves::Unfinished) return false;
        if (leaves == Leaves::Meet) {
          finish(w, Stage::Exact, true);
          return true;
        }
        w.open.pop_back();
        w.compared = 0;
      } else {
        w.open.pop_back();
        descend(w, at, endB || (!endA && larger(w, at)));
      }
      if (meter_.outOfTime(budget)) return false;
    }
    if (!exactly) ++w.known.level;
    finish(w, exactly ? Stage::Exact : Stage::Spheres, false);
    return true;
  }

  bool larger(const Work& w, const NodePair& at) const noexcept {
    return treeA(w).volume(at.a).enclosing().radius >= treeB(w).volume(at.b).enclosing().radius;
  }

  void descend(Work& w, const NodePair& at, bool ofA) {
    if (ofA) {
      const auto depth = static_cast<std::uint8_t>(at.depthA + 1);
      push(w, {treeA(w).boxes.nodes[at.a].offset, at.b, depth, at.depthB});
      push(w, {at.a + 1, at.b, depth, at.depthB});
    } else {
      const auto depth = static_cast<std::uint8_t>(at.depthB + 1);
      push(w, {at.a, treeB(w).boxes.nodes[at.b].offset, at.depthA, depth});
      push(w, {at.a, at.b + 1, at.depthA, depth});
    }
  }

  /// Continues where it stopped.
  Leaves compareLeaves(Work& w, const NodePair& at, const TimeBudget& budget) {
    const TriangleMesh &meshA = polyhedronOf(w.setup.shapeA).mesh(),
                       &meshB = polyhedronOf(w.setup.shapeB).mesh();
    const auto inA = treeA(w).boxes.trianglesOf(treeA(w).boxes.nodes[at.a]);
    const auto inB = treeB(w).boxes.trianglesOf(treeB(w).boxes.nodes[at.b]);
    for (std::size_t row = w.compared / inA.size(); row < inB.size(); ++row) {
      const Triangle other = moved(meshB, inB[row], w.setup.bToA);
      const Box box = boxOf(other);
      for (const std::uint32_t ta : inA.subspan(w.compared % inA.size())) {
        if (meet(meshA.corners(ta), other, box)) {
          w.known.triangleA = ta;
          w.known.triangleB = inB[row];
          return Leaves::Meet;
        }
        if (++w.compared % pairsAtATime == 0 && meter_.outOfTime(budget)) return Leaves::Unfinished;
      }
    }
    return Leaves::Apart;
  }

  bool meet(const Triangle& own, const Triangle& other, const Box& boxOfOther) {
    ++meter_.open().boundTests;
    if (!overlap(boxOfOther, boxOf(own))) return false;
    ++meter_.open().triangleTests;
    return trianglesMeet(own, other);
  }

  void completeLevel(Work& w, const NodePair& at) {
    ++w.known.level;
    w.known.stage = Stage::Spheres;
    // A point in both volumes is that near to each surface, within the slack
    const Real bound = treeA(w).reach(at.a) + treeB(w).reach(at.b) + w.motion.slack;
    w.known.separationBound = std::min(w.known.separationBound, bound);
    Sphere a = treeA(w).volume(at.a).enclosing(), b = treeB(w).volume(at.b).enclosing();
    a.centre = transformed(bodies_[w.bodies.a].pose, a.centre);
    b.centre = transformed(bodies_[w.bodies.b].pose, b.centre);
    w.known.deepest = {a, b, bound};
    w.known.separationEstimate = std::clamp(bound - overlap(a, b), 0.0, w.known.separationBound);
  }

  void finish(Work& w, Stage stage, bool surfacesMeet) {
    w.open.clear();
    w.known.stage = stage;
    conclude(shapes_, w.setup, surfacesMeet, meter_, w.known);
  }

  static constexpr std::uint32_t noSlot = 0xffffffff;

  Shapes shapes_;
  std::string_view name_;
  Trees trees_;
  std::span<const BodyState> bodies_;
  std::span<const BodyPair> pairs_;
  std::vector<std::uint32_t> slotOf_;  ///< for refined pairs
  std::vector<Work> slots_;
  std::uint32_t used_ = 0;
  KeptPairs<typename KeptOf<Volume>::Type> kept_;
  bool coherent_ = false;
  WorkMeter meter_;
};

template <class Volume, class Tree = VolumeTree<Volume>>
std::unique_ptr<NarrowPhase> make(const Shapes& shapes, std::string_view name) {
  using Phase = VolumeTreePhase<Volume, Tree>;
  typename Phase::Trees trees;
  for (const Shape& shape : shapes)
    trees.push_back(std::make_shared<const Tree>(shape.polyhedron().mesh()));
  return std::make_unique<Phase>(shapes, name, std::move(trees));
}

}  // namespace

std::unique_ptr<NarrowPhase> makeVolumeTreeNarrowPhase(const Shapes& shapes, VolumeKind kind) {
  switch (kind) {
    case VolumeKind::Ball:
      return make<BallVolume>(shapes, "ball-tree");
    case VolumeKind::AlignedBox:
      return make<AlignedBoxVolume>(shapes, "aabb-tree");
    case VolumeKind::TurnedBox:
      return make<TurnedBoxVolume>(shapes, "obb-tree-corners");
    case VolumeKind::Slabs:
      return make<SlabVolume>(shapes, "kdop-tree");
    case VolumeKind::SweptPoint:
      return make<SweptPoint>(shapes, "pss-tree");
    case VolumeKind::SweptSegment:
      return make<SweptSegment>(shapes, "lss-tree");
    case VolumeKind::SweptRectangle:
      return make<SweptRectangle>(shapes, "rss-tree");
    case VolumeKind::Hull:
      return make<GjkVolume>(shapes, "gjk");
    case VolumeKind::HullFeatures:
      return make<LinCannyVolume>(shapes, "lin-canny");
    case VolumeKind::Region:
      return make<AlignedBoxVolume, RegionTree>(shapes, "region-bsp");
    case VolumeKind::HullBox:
      return make<TurnedBoxVolume, ObbTree>(shapes, "obb-tree");
  }
  return nullptr;
}

}  // namespace nearmiss
