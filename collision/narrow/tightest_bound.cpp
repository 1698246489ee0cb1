// SPDX-License-Identifier: MIT
#include "narrow/tightest_bound.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "spheres/sphere_lanes.h"

namespace nearmiss {
namespace {

constexpr std::uint32_t laneCount = SpherePack::width;

/// The packs that represent a sphere one level down: those of its children, or its own for a leaf.
struct NextPacks {
  std::uint32_t first = 0, count = 0;
  std::uint32_t lanes = 0;  ///< for a leaf its own lane; otherwise all
  bool leaf = false;
};

NextPacks nextPacksOf(const SphereTree& tree, SphereId id) noexcept {
  const std::uint32_t count = tree.childPackCount(id);
  if (count == 0) return {id / laneCount, 1, 1u << (id % laneCount), true};
  return {tree.data().links[id / laneCount].childPack[id % laneCount], count, 0xff, false};
}

const MinBelow& minBelow(const Shape& shape) {
  return KeptWithShape::ofTree(shape).get<MinBelow>(
      [&shape] { return MinBelow(*shape.sphereTree()); });
}

}  // namespace

MinBelow::MinBelow(const SphereTree& tree) {
  const std::vector<std::uint32_t>& begin = tree.data().levelBegin;
  const std::size_t slots = tree.data().packs.size() * laneCount;
  for (int level = 0; level < tree.levelCount(); ++level) {
    std::vector<float>& below = levels_.emplace_back(slots);
    for (std::size_t slot = slots; slot-- > 0;) {
      const auto id = static_cast<SphereId>(slot);
      below[slot] = static_cast<float>(tree.outside(id));
      if (tree.data().packs[slot / laneCount].r[slot % laneCount] < 0.0f) continue;
      // Spheres of the level and below have no children to consider
      if (slot / laneCount >= begin[static_cast<std::size_t>(level)]) continue;
      const NextPacks next = nextPacksOf(tree, id);
      if (next.leaf) continue;
      for (std::uint32_t child = next.first * laneCount;
           child < (next.first + next.count) * laneCount; ++child)
        if (tree.data().packs[child / laneCount].r[child % laneCount] >= 0.0f)
          below[slot] = std::min(below[slot], below[child]);
    }
  }
}

bool TightestBound::lower(const Shape& a, const Shape& b, const PackMotion& motion, int level,
                          WorkMeter& meter, const TimeBudget& budget, Real& bound) {
  a_ = a.sphereTree();
  b_ = b.sphereTree();
  motion_ = &motion;
  minA_ = &minBelow(a).to(level);
  minB_ = &minBelow(b).to(level);
  level_ = level;
  open_.clear();
  visited_.clear();
  moved_.reset();

  add(0, 0, 0, bound);
  while (!open_.empty()) {
    std::ranges::pop_heap(open_, std::ranges::greater{},
                          [](const Open& o) { return std::tuple(o.bound, o.a, o.b); });
    const Open best = open_.back();
    open_.pop_back();
    // All others are no better
    if (best.bound >= bound) return true;
    expand(best, meter, bound);
    if (meter.outOfTime(budget)) return false;
  }
  return true;
}

/// Adds a colliding pair.
void TightestBound::add(SphereId a, SphereId b, int level, Real& bound) {
  if ((a_->isDag() || b_->isDag()) && !visited_.add(a_->identity(a), b_->identity(b))) return;
  // Spheres may be that far apart, plus the errors for which the slack allows
  const Real slack = 2.0 * Real{motion_->slack};
  // The root of a tree gives no bound: level 0 is the bounding spheres
  if (level > 0) bound = std::min(bound, a_->outside(a) + b_->outside(b) + slack);
  if (level == level_ || (a_->childPackCount(a) == 0 && b_->childPackCount(b) == 0)) return;
  const Real possible = Real{(*minA_)[a]} + Real{(*minB_)[b]} + slack;
  if (possible >= bound) return;
  open_.push_back({possible, a, b, level});
  std::ranges::push_heap(open_, std::ranges::greater{},
                         [](const Open& o) { return std::tuple(o.bound, o.a, o.b); });
}

/// Finds the colliding children of a pair; a leaf is its own child. Compared in float as in the
/// published list, so that none of its pairs is missed.
void TightestBound::expand(const Open& parents, WorkMeter& meter, Real& bound) {
  const std::vector<SpherePack>&packsA = a_->data().packs, &packsB = b_->data().packs;
  const NextPacks nextA = nextPacksOf(*a_, parents.a), nextB = nextPacksOf(*b_, parents.b);
  const auto movedPack = [&](std::uint32_t pack) {
    return movedFrom(moved_, *motion_, packsB, pack);
  };
  const std::uint32_t laneA = parents.a % laneCount, laneB = parents.b % laneCount;
  const SpherePack &ownA = packsA[parents.a / laneCount], &ownB = packsB[parents.b / laneCount];
  const MovedPack movedB = movedPack(parents.b / laneCount);
  const SphereF s1{ownA.x[laneA], ownA.y[laneA], ownA.z[laneA], ownA.r[laneA] + motion_->slack};
  const SphereF s2{movedB.x[laneB], movedB.y[laneB], movedB.z[laneB],
                   ownB.r[laneB] + motion_->slack};
  for (std::uint32_t i = nextA.first; i < nextA.first + nextA.count; ++i) {
    const SpherePack& childrenA = packsA[i];
    std::uint32_t rows = nextA.lanes;
    if (!nextA.leaf) {
      rows &= lanesMeeting(childrenA.x, childrenA.y, childrenA.z, childrenA.r, s2);
      meter.open().boundTests += laneCount;
    }
    for (std::uint32_t j = nextB.first; rows != 0 && j < nextB.first + nextB.count; ++j) {
      const MovedPack moved = movedPack(j);
      std::uint32_t columns = nextB.lanes;
      if (!nextB.leaf) {
        columns &= lanesMeeting(moved.x, moved.y, moved.z, packsB[j].r, s1);
        meter.open().boundTests += laneCount;
      }
      for (std::uint32_t rest = columns == 0 ? 0 : rows; rest != 0; rest &= rest - 1) {
        const auto row = static_cast<std::uint32_t>(std::countr_zero(rest));
        const SphereF ball{childrenA.x[row], childrenA.y[row], childrenA.z[row],
                           childrenA.r[row] + motion_->slack};
        meter.open().boundTests += laneCount;
        std::uint32_t meeting =
            columns & lanesMeeting(moved.x, moved.y, moved.z, packsB[j].r, ball);
        for (; meeting != 0; meeting &= meeting - 1)
          add(i * laneCount + row,
              j * laneCount + static_cast<std::uint32_t>(std::countr_zero(meeting)),
              parents.level + 1, bound);
      }
    }
  }
}

}  // namespace nearmiss
