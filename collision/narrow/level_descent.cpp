// SPDX-License-Identifier: MIT
#include "narrow/level_descent.h"

#include <nearmiss/shape.h>

#include <algorithm>
#include <bit>

#include "spheres/sphere_lanes.h"

namespace nearmiss {
namespace {

bool hasBoxes(const Shape& shape) noexcept { return !shape.sphereTree()->data().boxes.empty(); }

std::uint32_t numberOf(const NodeBoxes& boxes, SphereId id) noexcept {
  return boxes.empty() ? NodeBoxes::none : boxes.boxOf[id];
}

}  // namespace

NodeBoxSeparation::NodeBoxSeparation(SphereTreePair& trees, WorkMeter& meter, const Shapes& shapes)
    : trees_(trees),
      meter_(meter),
      moved_(std::ranges::any_of(shapes, hasBoxes) ? MovedCache<BoxLanes>::usualRoom : 0) {
  for (const Shape& shape : shapes) {
    const std::vector<NodeBox>& boxes = shape.sphereTree()->data().boxes.boxes;
    boxes_.emplace_back(boxes.begin(), boxes.end());
  }
}

void NodeBoxSeparation::switchTo(const SpherePairWork& w) {
  boxesA_ = boxes_[static_cast<std::size_t>(w.setup.shapeA)];
  boxesB_ = boxes_[static_cast<std::size_t>(w.setup.shapeB)];
  some_ = !boxesA_.empty() || !boxesB_.empty();
  moved_.reset();
}

/// Only points both in a sphere and in its box have to cover the surface.
void NodeBoxSeparation::dropParted(SpherePairWork& w, PackPair& found) {
  for (std::uint64_t rest = found.colliding; rest != 0 && pays(w); rest &= rest - 1) {
    const int at = std::countr_zero(rest);
    const int row = at / SpherePack::width, column = at % SpherePack::width;
    const std::uint32_t numberA = numberOf(
        trees_.a().data().boxes, found.packA * SpherePack::width + static_cast<SphereId>(row));
    const std::uint32_t numberB = numberOf(
        trees_.b().data().boxes, found.packB * SpherePack::width + static_cast<SphereId>(column));
    if (numberA == NodeBoxes::none && numberB == NodeBoxes::none) continue;
    meter_.open().boundTests += WorkMeter::boxTest;
    ++w.step.boxTests;
    if (!parted(found, row, column, numberA, numberB)) continue;
    ++w.step.boxesApart;
    found.colliding &= ~(std::uint64_t{1} << at);
  }
}

bool NodeBoxSeparation::parted(const PackPair& pair, int row, int column, std::uint32_t numberA,
                               std::uint32_t numberB) {
  const float slack = boxSlack * trees_.slack();
  if (numberB == NodeBoxes::none) {
    const MovedPack& moved = trees_.movedPack(pair.packB);
    return boxApart(boxesA_[numberA],
                    {moved.x[column], moved.y[column], moved.z[column],
                     trees_.b().data().packs[pair.packB].r[column]},
                    slack);
  }
  const BoxLanes& moved =
      moved_.get(numberB, [&](BoxLanes& box) { move(trees_.motion(), boxesB_[numberB], box); });
  if (numberA != NodeBoxes::none) return boxesApart(boxesA_[numberA], moved, slack);
  const SpherePack& pack = trees_.a().data().packs[pair.packA];
  return boxApart(moved, {pack.x[row], pack.y[row], pack.z[row], pack.r[row]}, slack);
}

void SphereDescent::switchTo(const SpherePairWork& w) {
  boxes_.switchTo(w);
  // In the middle of a step: its earlier findings must not be found again
  visited_.clear();
  if (!trees_.sharesSpheres()) return;
  for (auto at = PackPairPool::begin(w.step.next); !at.done(); pool_.advance(at)) {
    PackPair again = pool_[at];
    keepNew(again);
  }
}

/// Removes the pairs of spheres that were found before, from other parents.
void SphereDescent::keepNew(PackPair& found) {
  for (std::uint64_t rest = found.colliding; rest != 0; rest &= rest - 1) {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
    const SphereId a = found.packA * SpherePack::width + bit / SpherePack::width;
    const SphereId b = found.packB * SpherePack::width + bit % SpherePack::width;
    if (!visited_.add(trees_.a().identity(a), trees_.b().identity(b)))
      found.colliding &= ~(std::uint64_t{1} << bit);
  }
}

bool SphereDescent::descend(SpherePairWork& w, const TimeBudget& budget) {
  SpherePairStep& step = w.step;
  if (step.stage < SpherePairStep::Stage::Descending) {
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
      if (meter_.outOfTime(budget)) return false;
    }
    pool_.advance(step.at);
    if (!step.at.done()) step.left = pool_[step.at].colliding;
  }
  return true;
}

/// Finds the colliding children of one colliding pair (s1, s2). A leaf is its own child. In a DAG
/// there may be several packs of children.
void SphereDescent::expand(SpherePairWork& w, const PackPair& parents, int bit) {
  const auto laneA = static_cast<std::uint32_t>(bit / SpherePack::width);
  const auto laneB = static_cast<std::uint32_t>(bit % SpherePack::width);
  const std::uint32_t packsA =
      std::max(1u, trees_.a().childPackCount(parents.packA * SpherePack::width + laneA));
  const std::uint32_t packsB =
      std::max(1u, trees_.b().childPackCount(parents.packB * SpherePack::width + laneB));
  PackPair found{trees_.a().data().links[parents.packA].childPack[laneA],
                 trees_.b().data().links[parents.packB].childPack[laneB], 0};
  for (std::uint32_t i = 0; i < packsA; ++i)
    for (std::uint32_t j = 0; j < packsB; ++j)
      expandPacks(w, parents, bit, {found.packA + i, found.packB + j, 0});
}

/// As expand(), for one pack of children of each sphere. `found` contains the packs, or none for a
/// leaf.
void SphereDescent::expandPacks(SpherePairWork& w, const PackPair& parents, int bit,
                                PackPair found) {
  const SphereTree::Data& a = trees_.a().data();
  const SphereTree::Data& b = trees_.b().data();
  const int laneA = bit / SpherePack::width;
  const int laneB = bit % SpherePack::width;

  // Children of s1 that collide with s2
  std::uint32_t rows = 1u << laneA;
  if (found.packA == SphereLinks::none) {
    found.packA = parents.packA;
  } else {
    const SpherePack& children = a.packs[found.packA];
    const MovedPack& moved = trees_.movedPack(parents.packB);
    const SphereF s2{moved.x[laneB], moved.y[laneB], moved.z[laneB],
                     b.packs[parents.packB].r[laneB] + trees_.slack()};
    rows = lanesMeeting(children.x, children.y, children.z, children.r, s2);
    meter_.open().boundTests += SpherePack::width;
    if (rows == 0) return;
  }

  // Children of s2 that collide with s1
  std::uint32_t columns = 1u << laneB;
  if (found.packB == SphereLinks::none) {
    found.packB = parents.packB;
  } else {
    const SpherePack& pack = a.packs[parents.packA];
    const SphereF s1{pack.x[laneA], pack.y[laneA], pack.z[laneA], pack.r[laneA] + trees_.slack()};
    const MovedPack& moved = trees_.movedPack(found.packB);
    columns = lanesMeeting(moved.x, moved.y, moved.z, b.packs[found.packB].r, s1);
    meter_.open().boundTests += SpherePack::width;
    if (columns == 0) return;
  }

  // Pairs of these that collide
  std::uint64_t records = 0;
  const MovedPack& moved = trees_.movedPack(found.packB);
  for (std::uint32_t rest = rows; rest != 0; rest &= rest - 1)
    records |= compareRow(w, found, moved, std::countr_zero(rest), columns);
  meter_.open().boundTests +=
      static_cast<std::uint64_t>(SpherePack::width) * static_cast<unsigned>(std::popcount(rows));
  if (boxes_.pays(w)) boxes_.dropParted(w, found);
  for (records &= found.colliding; records != 0; records &= records - 1) {
    const int at = std::countr_zero(records);
    note(w, found, at / SpherePack::width, at % SpherePack::width);
  }
  if (trees_.sharesSpheres()) keepNew(found);
  if (found.colliding == 0) return;
  pool_.push(w.step.next, found);
  w.step.findings.count += static_cast<std::size_t>(std::popcount(found.colliding));
}

/// Finds the columns that one sphere of a collides with, and returns the pairs that break a record
/// if they collide: 64 bits as in PackPair. It has no branches, because both outcomes are equally
/// likely, and a mispredicted branch costs more than the eight comparisons.
std::uint64_t SphereDescent::compareRow(const SpherePairWork& w, PackPair& found,
                                        const MovedPack& moved, int row,
                                        std::uint32_t columns) const {
  const SpherePack& packA = trees_.a().data().packs[found.packA];
  const SpherePack& packB = trees_.b().data().packs[found.packB];
  const SphereF ball{packA.x[row], packA.y[row], packA.z[row], packA.r[row] + trees_.slack()};
  const RowFindings tested =
      rowMeeting(moved.x, moved.y, moved.z, packB.r, trees_.b().data().links[found.packB].hausdorff,
                 ball, trees_.a().data().links[found.packA].hausdorff[row], w.step.findings.best);
  found.colliding |= std::uint64_t{tested.meeting & columns} << (SpherePack::width * row);
  return std::uint64_t{tested.records} << (SpherePack::width * row);
}

/// Updates the records of the level with a colliding pair.
void SphereDescent::note(SpherePairWork& w, const PackPair& found, int row, int column) {
  const SphereId a = found.packA * SpherePack::width + static_cast<SphereId>(row);
  const SphereId b = found.packB * SpherePack::width + static_cast<SphereId>(column);
  LevelFindings& all = w.step.findings;
  const float overlap = trees_.overlapOf(found, row, column);
  const float bound = trees_.a().data().links[found.packA].hausdorff[row] +
                      trees_.b().data().links[found.packB].hausdorff[column];
  all.best.bound = std::min(all.best.bound, bound);
  all.best.estimate = std::min(all.best.estimate, bound - overlap);
  if (overlap <= all.best.overlap) return;
  all.best.overlap = overlap;
  all.deepestA = a;
  all.deepestB = b;
}

}  // namespace nearmiss
