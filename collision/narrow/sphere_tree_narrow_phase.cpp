// SPDX-License-Identifier: MIT
#include <nearmiss/narrow_phases.h>

#include "narrow/leaf_triangles.h"
#include "narrow/moved_packs.h"
#include "narrow/pack_pairs.h"
#include "narrow/pair_setup.h"
#include "narrow/sphere_lanes.h"
#include "narrow/sphere_pair_work.h"
#include "narrow/visited_pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace nearmiss {
namespace {

/// Bound tests between two looks at the budget: about a microsecond.
constexpr std::uint64_t quantum = 1024;

class SphereTreeNarrowPhase final : public NarrowPhase {
 public:
  SphereTreeNarrowPhase(std::span<const SphereTree> trees, std::span<const Polyhedron> polyhedra);

  std::string_view name() const noexcept override { return "sphere-tree"; }
  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override;
  bool refine(std::size_t i, const TimeBudget& budget) override;
  Refinement result(std::size_t i) const noexcept override { return pairs_[i].known; }
  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const override;
  WorkCount work() const noexcept override { return work_; }

 private:
  const SphereTree& treeA(const SpherePairWork& w) const noexcept { return trees_[w.setup.shapeA]; }
  const SphereTree& treeB(const SpherePairWork& w) const noexcept { return trees_[w.setup.shapeB]; }
  /// The number of the step that compares triangles.
  int exactLevel(const SpherePairWork& w) const noexcept {
    return std::max(treeA(w).levelCount(), treeB(w).levelCount());
  }
  const MovedPack& movedPack(const SpherePairWork& w, std::uint32_t pack) {
    return moved_.get(w.motion, treeB(w).data().packs, pack);
  }

  void takeUp(std::size_t i);
  bool outOfTime(const TimeBudget& budget);
  void settle(const TimeBudget& budget);

  bool descend(SpherePairWork& w, const TimeBudget& budget);
  void expand(SpherePairWork& w, const PackPair& parents, int bit);
  void expandPacks(SpherePairWork& w, const PackPair& parents, int bit, PackPair found);
  bool sharesSpheres(const SpherePairWork& w) const noexcept {
    return treeA(w).isDag() || treeB(w).isDag();
  }
  void keepNew(const SpherePairWork& w, PackPair& found);
  void compareRow(SpherePairWork& w, PackPair& found, int row, std::uint32_t columns);
  void note(SpherePairWork& w, const PackPair& found, int row, int column);
  float overlapOf(const SpherePairWork& w, const PackPair& pair, int row, int column);
  void completeLevel(SpherePairWork& w);

  bool compareTriangles(SpherePairWork& w, const TimeBudget& budget);
  bool sortLeaves(SpherePairWork& w, const TimeBudget& budget);
  void shelve(SpherePairWork& w, const PackPair& leaves);
  bool compareShelves(SpherePairWork& w, const TimeBudget& budget);
  LeafTriangles::Outcome compareLeaves(SpherePairWork& w, SphereId a, SphereId b);

  void finish(SpherePairWork& w, bool contact);
  ContactSpheres inWorld(const SpherePairWork& w, SphereId a, SphereId b) const noexcept;

  std::span<const SphereTree> trees_;
  std::span<const Polyhedron> polyhedra_;
  std::vector<Real> reach_;  ///< per shape: farthest point of any sphere from the origin
  std::span<const BodyState> bodies_;
  std::vector<SpherePairWork> pairs_;
  PackPairPool pool_;

  /// The pair that the caches below belong to.
  std::size_t taken_ = none;
  bool leavesTaken_ = false;
  MovedPackCache moved_;
  LeafTriangles leafTriangles_;
  VisitedPairs visited_;  ///< those in step.next, where one of the trees is a DAG

  WorkCount work_, unsettled_;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

SphereTreeNarrowPhase::SphereTreeNarrowPhase(std::span<const SphereTree> trees,
                                             std::span<const Polyhedron> polyhedra)
    : trees_(trees), polyhedra_(polyhedra), leafTriangles_(polyhedra) {
  std::vector<SphereId> spheres;
  for (const SphereTree& tree : trees) {
    Real reach = 0.0;
    for (int level = 0; level < tree.levelCount(); ++level) {
      tree.spheresOf(level, spheres);
      for (const SphereId id : spheres) {
        const Sphere sphere = tree.sphere(id);
        reach = std::max(reach, glm::length(sphere.centre) + sphere.radius);
      }
    }
    reach_.push_back(reach);
  }
}

void SphereTreeNarrowPhase::begin(std::span<const BodyState> bodies,
                                  std::span<const BodyPair> pairs) {
  for (SpherePairWork& w : pairs_) {
    pool_.release(w.colliding);
    pool_.release(w.step.next);
    for (PackPairPool::List& shelf : w.step.sorted) pool_.release(shelf);
  }
  bodies_ = bodies;
  taken_ = none;
  work_ = unsettled_ = {};
  pairs_.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SpherePairWork& w = pairs_[i];
    w = {};
    w.bodies = pairs[i];
    w.setup = setUpPair(bodies, pairs[i]);
    w.motion = PackMotion(w.setup.bToA, reach_[w.setup.shapeA], reach_[w.setup.shapeB]);
    w.known = boundingLevel(w.setup);
    w.known.conservative =
        treeA(w).coverage() == Coverage::Guaranteed && treeB(w).coverage() == Coverage::Guaranteed;
    // Roots that do not meet leave an empty list, and the first step says so
    MovedPack root;
    move(w.motion, treeB(w).data().packs[0], root);
    const SpherePack& pack = treeA(w).data().packs[0];
    const Ball ball{pack.x[0], pack.y[0], pack.z[0], pack.r[0] + w.motion.slack};
    if (lanesMeeting(root.x, root.y, root.z, treeB(w).data().packs[0].r, ball) & 1)
      pool_.push(w.colliding, {0, 0, 1});
  }
}

bool SphereTreeNarrowPhase::refine(std::size_t i, const TimeBudget& budget) {
  SpherePairWork& w = pairs_[i];
  if (taken_ != i) takeUp(i);
  const bool completed =
      w.known.level + 1 < exactLevel(w) ? descend(w, budget) : compareTriangles(w, budget);
  settle(budget);
  return completed;
}

void SphereTreeNarrowPhase::takeUp(std::size_t i) {
  const SpherePairWork& w = pairs_[i];
  taken_ = i;
  leavesTaken_ = false;
  moved_.reset();
  leafTriangles_.setBodies(polyhedra_[w.setup.shapeA], polyhedra_[w.setup.shapeB], w.setup.bToA);
  // In the middle of a step: what it found so far is not to be found again
  visited_.clear();
  if (sharesSpheres(w))
    for (auto at = PackPairPool::begin(w.step.next); !at.done(); pool_.advance(at)) {
      PackPair again = pool_[at];
      keepNew(w, again);
    }
}

/// Takes out the pairs of spheres that were found before, from other parents.
void SphereTreeNarrowPhase::keepNew(const SpherePairWork& w, PackPair& found) {
  for (std::uint64_t rest = found.colliding; rest != 0; rest &= rest - 1) {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
    const SphereId a = found.packA * SpherePack::width + bit / SpherePack::width;
    const SphereId b = found.packB * SpherePack::width + bit % SpherePack::width;
    if (!visited_.add(treeA(w).identity(a), treeB(w).identity(b)))
      found.colliding &= ~(std::uint64_t{1} << bit);
  }
}

/// After a quantum of work: charges it, and says whether that was the last.
bool SphereTreeNarrowPhase::outOfTime(const TimeBudget& budget) {
  if (unsettled_.boundTests + 50 * unsettled_.triangleTests < quantum) return false;
  const WorkCount spent = unsettled_;
  work_ += spent;
  unsettled_ = {};
  return budget.spend(spent);
}

void SphereTreeNarrowPhase::settle(const TimeBudget& budget) {
  work_ += unsettled_;
  budget.spend(unsettled_);
  unsettled_ = {};
}

/// One level down for all colliding pairs of spheres [H96 §4.1, Fig. 3]. False if time ran out.
bool SphereTreeNarrowPhase::descend(SpherePairWork& w, const TimeBudget& budget) {
  SpherePairStep& step = w.step;
  if (step.stage == SpherePairStep::Stage::Fresh) {
    step.stage = SpherePairStep::Stage::Descending;
    step.at = PackPairPool::begin(w.colliding);
    if (!step.at.done()) step.left = pool_[step.at].colliding;
    visited_.clear();
  }
  while (!step.at.done()) {
    const PackPair parents = pool_[step.at];
    while (step.left != 0) {
      const int bit = std::countr_zero(step.left);
      step.left &= step.left - 1;
      expand(w, parents, bit);
      if (outOfTime(budget)) return false;
    }
    pool_.advance(step.at);
    if (!step.at.done()) step.left = pool_[step.at].colliding;
  }
  completeLevel(w);
  return true;
}

/// Finds the colliding children of one colliding pair (s1, s2). A leaf stands for itself; in a DAG
/// there may be several packs of children.
void SphereTreeNarrowPhase::expand(SpherePairWork& w, const PackPair& parents, int bit) {
  const auto laneA = static_cast<std::uint32_t>(bit / SpherePack::width);
  const auto laneB = static_cast<std::uint32_t>(bit % SpherePack::width);
  const std::uint32_t packsA =
      std::max(1u, treeA(w).childPackCount(parents.packA * SpherePack::width + laneA));
  const std::uint32_t packsB =
      std::max(1u, treeB(w).childPackCount(parents.packB * SpherePack::width + laneB));
  PackPair found{treeA(w).data().links[parents.packA].childPack[laneA],
                 treeB(w).data().links[parents.packB].childPack[laneB], 0};
  for (std::uint32_t i = 0; i < packsA; ++i)
    for (std::uint32_t j = 0; j < packsB; ++j)
      expandPacks(w, parents, bit, {found.packA + i, found.packB + j, 0});
}

/// As expand(), for one pack of children each; `found` names them, or none for a leaf.
void SphereTreeNarrowPhase::expandPacks(SpherePairWork& w, const PackPair& parents, int bit,
                                        PackPair found) {
  const SphereTree::Data& a = treeA(w).data();
  const SphereTree::Data& b = treeB(w).data();
  const int laneA = bit / SpherePack::width;
  const int laneB = bit % SpherePack::width;

  // Children of s1 that hit s2
  std::uint32_t rows = 1u << laneA;
  if (found.packA == SphereLinks::none) {
    found.packA = parents.packA;
  } else {
    const SpherePack& children = a.packs[found.packA];
    const MovedPack& moved = movedPack(w, parents.packB);
    const Ball s2{moved.x[laneB], moved.y[laneB], moved.z[laneB],
                  b.packs[parents.packB].r[laneB] + w.motion.slack};
    rows = lanesMeeting(children.x, children.y, children.z, children.r, s2);
    unsettled_.boundTests += SpherePack::width;
    if (rows == 0) return;
  }

  // Children of s2 that hit s1
  std::uint32_t columns = 1u << laneB;
  if (found.packB == SphereLinks::none) {
    found.packB = parents.packB;
  } else {
    const SpherePack& pack = a.packs[parents.packA];
    const Ball s1{pack.x[laneA], pack.y[laneA], pack.z[laneA], pack.r[laneA] + w.motion.slack};
    const MovedPack& moved = movedPack(w, found.packB);
    columns = lanesMeeting(moved.x, moved.y, moved.z, b.packs[found.packB].r, s1);
    unsettled_.boundTests += SpherePack::width;
    if (columns == 0) return;
  }

  // Pairs of these that hit each other
  for (std::uint32_t rest = rows; rest != 0; rest &= rest - 1)
    compareRow(w, found, std::countr_zero(rest), columns);
  if (sharesSpheres(w)) keepNew(w, found);
  if (found.colliding == 0) return;
  pool_.push(w.step.next, found);
  w.step.findings.count += static_cast<std::size_t>(std::popcount(found.colliding));
}

/// One sphere of a against those of b that are in question.
void SphereTreeNarrowPhase::compareRow(SpherePairWork& w, PackPair& found, int row,
                                       std::uint32_t columns) {
  const SpherePack& packA = treeA(w).data().packs[found.packA];
  const SpherePack& packB = treeB(w).data().packs[found.packB];
  const MovedPack& moved = movedPack(w, found.packB);
  const Ball ball{packA.x[row], packA.y[row], packA.z[row], packA.r[row] + w.motion.slack};
  const RowFindings tested =
      rowMeeting(moved.x, moved.y, moved.z, packB.r, treeB(w).data().links[found.packB].hausdorff,
                 ball, treeA(w).data().links[found.packA].hausdorff[row], w.step.findings.best);
  unsettled_.boundTests += SpherePack::width;
  const std::uint32_t meeting = tested.meeting & columns;
  found.colliding |= std::uint64_t{meeting} << (SpherePack::width * row);
  for (std::uint32_t rest = meeting & tested.records; rest != 0; rest &= rest - 1)
    note(w, found, row, std::countr_zero(rest));
}

/// Enters a colliding pair in the records of the level.
void SphereTreeNarrowPhase::note(SpherePairWork& w, const PackPair& found, int row, int column) {
  const SphereId a = found.packA * SpherePack::width + static_cast<SphereId>(row);
  const SphereId b = found.packB * SpherePack::width + static_cast<SphereId>(column);
  LevelFindings& all = w.step.findings;
  const float overlap = overlapOf(w, found, row, column);
  const float bound = treeA(w).data().links[found.packA].hausdorff[row] +
                      treeB(w).data().links[found.packB].hausdorff[column];
  all.best.bound = std::min(all.best.bound, bound);
  all.best.estimate = std::min(all.best.estimate, bound - overlap);
  if (overlap <= all.best.overlap) return;
  all.best.overlap = overlap;
  all.deepestA = a;
  all.deepestB = b;
}

/// How deep two spheres reach into each other, the slack included.
float SphereTreeNarrowPhase::overlapOf(const SpherePairWork& w, const PackPair& pair, int row,
                                       int column) {
  const SpherePack& packA = treeA(w).data().packs[pair.packA];
  const MovedPack& moved = movedPack(w, pair.packB);
  const float dx = moved.x[column] - packA.x[row];
  const float dy = moved.y[column] - packA.y[row];
  const float dz = moved.z[column] - packA.z[row];
  return packA.r[row] + w.motion.slack + treeB(w).data().packs[pair.packB].r[column] -
         std::sqrt(dx * dx + dy * dy + dz * dz);
}

void SphereTreeNarrowPhase::completeLevel(SpherePairWork& w) {
  const LevelFindings found = w.step.findings;
  pool_.release(w.colliding);
  w.colliding = w.step.next;
  w.step = {};
  ++w.known.level;
  if (found.count == 0) {
    finish(w, false);
    return;
  }
  // Spheres that meet only by the slack are as far apart as that. A bound of an earlier level still
  // holds when the pair that gave it has died since.
  const Real slack = w.motion.slack;
  w.findings = found;
  w.known.collidingSpheres = found.count;
  w.known.separationBound = std::min(w.known.separationBound, found.best.bound + slack);
  w.known.separationEstimate =
      std::clamp(found.best.estimate + slack, 0.0, w.known.separationBound);
  w.known.deepest = inWorld(w, found.deepestA, found.deepestB);
}

/// The step after the last level of spheres: triangles in colliding leaves [H96 §9.1, §11.2]. The
/// deepest pair of leaves goes first, then all others by depth. False if time ran out.
bool SphereTreeNarrowPhase::compareTriangles(SpherePairWork& w, const TimeBudget& budget) {
  SpherePairStep& step = w.step;
  if (step.stage == SpherePairStep::Stage::Fresh) {
    step.stage = SpherePairStep::Stage::DeepestLeaves;
    leavesTaken_ = false;
  }
  using Outcome = LeafTriangles::Outcome;
  while (step.stage == SpherePairStep::Stage::DeepestLeaves) {
    const Outcome outcome = compareLeaves(w, w.findings.deepestA, w.findings.deepestB);
    if (outcome == Outcome::Meet) return true;
    if (outcome == Outcome::Apart) {
      step.stage = SpherePairStep::Stage::Sorting;
      step.at = PackPairPool::begin(w.colliding);
    }
    if (outOfTime(budget)) return false;
  }
  if (step.stage == SpherePairStep::Stage::Sorting && !sortLeaves(w, budget)) return false;
  return compareShelves(w, budget);
}

bool SphereTreeNarrowPhase::sortLeaves(SpherePairWork& w, const TimeBudget& budget) {
  SpherePairStep& step = w.step;
  while (!step.at.done()) {
    shelve(w, pool_[step.at]);
    pool_.advance(step.at);
    if (outOfTime(budget)) return false;
  }
  step.stage = SpherePairStep::Stage::Comparing;
  step.shelf = 0;
  step.at = PackPairPool::begin(step.sorted[0]);
  if (!step.at.done()) step.left = pool_[step.at].colliding;
  return true;
}

/// Distributes the pairs of one entry over the shelves. Ties keep the order of the list.
void SphereTreeNarrowPhase::shelve(SpherePairWork& w, const PackPair& leaves) {
  const float scale =
      static_cast<float>(SpherePairStep::shelves) / std::max(w.findings.best.overlap, 1e-30f);
  std::array<std::uint64_t, SpherePairStep::shelves> parts{};
  for (std::uint64_t rest = leaves.colliding; rest != 0; rest &= rest - 1) {
    const int bit = std::countr_zero(rest);
    const float overlap = overlapOf(w, leaves, bit / SpherePack::width, bit % SpherePack::width);
    const float depth =
        std::clamp(overlap * scale, 0.0f, static_cast<float>(SpherePairStep::shelves - 1));
    parts[static_cast<std::size_t>(SpherePairStep::shelves - 1 - static_cast<int>(depth))] |=
        std::uint64_t{1} << bit;
  }
  unsettled_.boundTests += static_cast<std::uint64_t>(std::popcount(leaves.colliding));
  for (std::size_t shelf = 0; shelf < parts.size(); ++shelf)
    if (parts[shelf] != 0)
      pool_.push(w.step.sorted[shelf], {leaves.packA, leaves.packB, parts[shelf]});
}

bool SphereTreeNarrowPhase::compareShelves(SpherePairWork& w, const TimeBudget& budget) {
  SpherePairStep& step = w.step;
  for (;;) {
    while (step.at.done()) {
      if (++step.shelf == SpherePairStep::shelves) {
        w.known.level = exactLevel(w);
        finish(w, false);
        return true;
      }
      step.at = PackPairPool::begin(step.sorted[static_cast<std::size_t>(step.shelf)]);
      if (!step.at.done()) step.left = pool_[step.at].colliding;
    }
    const PackPair leaves = pool_[step.at];
    while (step.left != 0) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(step.left));
      const SphereId a = leaves.packA * SpherePack::width + bit / SpherePack::width;
      const SphereId b = leaves.packB * SpherePack::width + bit % SpherePack::width;
      const LeafTriangles::Outcome outcome = a == w.findings.deepestA && b == w.findings.deepestB
                                                 ? LeafTriangles::Outcome::Apart
                                                 : compareLeaves(w, a, b);
      if (outcome == LeafTriangles::Outcome::Meet) return true;
      if (outcome == LeafTriangles::Outcome::Apart) step.left &= step.left - 1;
      if (outOfTime(budget)) return false;
    }
    pool_.advance(step.at);
    if (!step.at.done()) step.left = pool_[step.at].colliding;
  }
}

/// Compares the triangles of two leaves, up to a quantum of them; finishes the pair if two meet.
LeafTriangles::Outcome SphereTreeNarrowPhase::compareLeaves(SpherePairWork& w, SphereId a,
                                                            SphereId b) {
  if (!leavesTaken_) {
    // A point of contact has a chain of spheres in both trees, so it lies in two leaves that list
    // its triangles: outside of both spheres, other leaves are in charge
    const Sphere sphereA = treeA(w).sphere(a);
    Sphere sphereB = treeB(w).sphere(b);
    sphereB.centre = transformed(w.setup.bToA, sphereB.centre);
    const Real slack = w.motion.slack;
    const Box region{glm::max(sphereA.centre - (sphereA.radius + slack),
                              sphereB.centre - (sphereB.radius + slack)),
                     glm::min(sphereA.centre + (sphereA.radius + slack),
                              sphereB.centre + (sphereB.radius + slack))};
    leafTriangles_.setLeaves(treeA(w).trianglesOf(a), treeB(w).trianglesOf(b), region, unsettled_);
    leavesTaken_ = true;
  }
  const LeafTriangles::Outcome outcome =
      leafTriangles_.compare(w.step.triangles, quantum, unsettled_);
  if (outcome == LeafTriangles::Outcome::Unfinished) return outcome;
  leavesTaken_ = false;
  w.step.triangles = 0;
  if (outcome == LeafTriangles::Outcome::Meet) {
    w.known.triangleA = leafTriangles_.triangleA();
    w.known.triangleB = leafTriangles_.triangleB();
    w.known.deepest = inWorld(w, a, b);
    w.known.level = exactLevel(w);
    finish(w, true);
  }
  return outcome;
}

/// The final answer, once the surfaces are known to meet or not to meet.
void SphereTreeNarrowPhase::finish(SpherePairWork& w, bool contact) {
  const bool surfacesMeet = contact;
  pool_.release(w.colliding);
  pool_.release(w.step.next);
  for (PackPairPool::List& shelf : w.step.sorted) pool_.release(shelf);
  w.step = {};
  w.known.canRefine = false;
  // Where one solid lies inside the other no spheres around the surfaces need to collide
  if (!contact)
    contact = oneInsideOther(polyhedra_[w.setup.shapeA], polyhedra_[w.setup.shapeB], w.setup.bToA);
  if (!contact) {
    w.known.verdict = Verdict::Separate;
    w.known.collidingSpheres = 0;
    return;
  }
  w.known.verdict = Verdict::Contact;
  w.known.collidingSpheres = 1;
  if (!surfacesMeet) w.known.deepest = w.setup.bounding;
  w.known.separationBound = w.known.separationEstimate = 0.0;
  w.known.deepest.separationBound = 0.0;
}

ContactSpheres SphereTreeNarrowPhase::inWorld(const SpherePairWork& w, SphereId a,
                                              SphereId b) const noexcept {
  ContactSpheres spheres{treeA(w).sphere(a), treeB(w).sphere(b),
                         treeA(w).hausdorff(a) + treeB(w).hausdorff(b) + w.motion.slack};
  spheres.a.centre = transformed(bodies_[w.bodies.a].pose, spheres.a.centre);
  spheres.b.centre = transformed(bodies_[w.bodies.b].pose, spheres.b.centre);
  return spheres;
}

void SphereTreeNarrowPhase::contacts(std::size_t i, std::size_t most,
                                     std::vector<ContactSpheres>& out) const {
  out.clear();
  const SpherePairWork& w = pairs_[i];
  if (w.known.verdict == Verdict::Separate || most == 0) return;
  if (w.known.verdict == Verdict::Contact || w.known.level == 0) {
    out.push_back(w.known.deepest);
    return;
  }
  for (auto at = PackPairPool::begin(w.colliding); !at.done(); pool_.advance(at)) {
    const PackPair& pair = pool_[at];
    for (std::uint64_t rest = pair.colliding; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (out.size() == most) return;
      out.push_back(inWorld(w, pair.packA * SpherePack::width + bit / SpherePack::width,
                            pair.packB * SpherePack::width + bit % SpherePack::width));
    }
  }
}

}  // namespace

std::unique_ptr<NarrowPhase> makeSphereTreeNarrowPhase(std::span<const SphereTree> trees,
                                                       std::span<const Polyhedron> polyhedra) {
  return std::make_unique<SphereTreeNarrowPhase>(trees, polyhedra);
}

}  // namespace nearmiss
