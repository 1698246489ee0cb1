// SPDX-License-Identifier: MIT
#include "narrow/inner_contact.h"

#include "spheres/sphere_lanes.h"

#include <algorithm>
#include <bit>

namespace nearmiss {
namespace {

SphereF ballOf(const SpherePack& pack, int lane, float more) noexcept {
  return {pack.x[lane], pack.y[lane], pack.z[lane], pack.r[lane] + more};
}

/// The maximum number of inner spheres, 4,096, fits into 585 packs.
constexpr std::size_t maxPacks = 600;

/// Returns 0 if no shape has inner spheres.
std::size_t roomFor(const Shapes& shapes) noexcept {
  return std::ranges::all_of(shapes,
                             [](const Shape& s) { return s.sphereTree()->data().inner.empty(); })
             ? 0
             : maxPacks;
}

}  // namespace

InnerContact::InnerContact(const Shapes& shapes, SphereTreePair& trees, PackPairPool& pool,
                           WorkMeter& meter)
    : trees_(trees),
      pool_(pool),
      meter_(meter),
      proofs_(shapes),
      movedBounds_(roomFor(shapes)),
      movedSpheres_(roomFor(shapes)) {}

void InnerContact::begin(SpherePairWork& w, const InnerSpheres& a, const InnerSpheres& b) {
  if (a.empty() || b.empty()) return;
  MovedPack root;
  move(w.motion, b.bounds[0], root);
  const SphereF ball = ballOf(a.bounds[0], 0, w.motion.slack);
  if (lanesMeeting(root.x, root.y, root.z, b.bounds[0].r, ball) & 1) pool_.push(w.inner, {0, 0, 1});
}

void InnerContact::switchTo() noexcept {
  movedBounds_.reset();
  movedSpheres_.reset();
}

InnerContact::Outcome InnerContact::descend(SpherePairWork& w, const TimeBudget& budget) {
  SpherePairStep& step = w.step;
  if (step.stage == SpherePairStep::Stage::Fresh) {
    step.stage = SpherePairStep::Stage::Proving;
    step.at = PackPairPool::begin(w.inner);
    if (!step.at.done()) step.left = pool_[step.at].colliding;
  }
  while (!step.at.done()) {
    const PackPair parents = pool_[step.at];
    while (step.left != 0) {
      const int bit = std::countr_zero(step.left);
      step.left &= step.left - 1;
      if (expand(w, parents, bit)) return Outcome::Proven;
      if (meter_.outOfTime(budget)) return Outcome::Unfinished;
    }
    pool_.advance(step.at);
    if (!step.at.done()) step.left = pool_[step.at].colliding;
  }
  pool_.release(w.inner);
  w.inner = step.nextInner;
  step = {};
  step.stage = SpherePairStep::Stage::Unproven;
  return Outcome::Unknown;
}

/// Compares the children of two slots with overlapping bounds. Returns true if contact is proven.
/// The slack does not cover bounds, which may extend slightly farther than all spheres; at worst
/// that misses a proof. A childless slot is its own child; two such slots were compared before.
bool InnerContact::expand(SpherePairWork& w, const PackPair& parents, int bit) {
  const InnerSpheres& a = trees_.a().data().inner;
  const InnerSpheres& b = trees_.b().data().inner;
  const int laneA = bit / SpherePack::width, laneB = bit % SpherePack::width;
  PackPair found{a.links[parents.packA].childPack[laneA], b.links[parents.packB].childPack[laneB],
                 0};
  if (found.packA == InnerSpheres::none && found.packB == InnerSpheres::none)
    return parents.packA == 0 && parents.packB == 0 && prove(w, 0, 0);

  // Slots that the other's parent reaches
  const float slack = trees_.slack();
  std::uint32_t rows = 1u << laneA, columns = 1u << laneB;
  if (found.packA == InnerSpheres::none) {
    found.packA = parents.packA;
  } else {
    const MovedPack& moved = movedFrom(movedBounds_, trees_.motion(), b.bounds, parents.packB);
    const SpherePack& children = a.bounds[found.packA];
    rows = lanesMeeting(
        children.x, children.y, children.z, children.r,
        {moved.x[laneB], moved.y[laneB], moved.z[laneB], b.bounds[parents.packB].r[laneB] + slack});
    meter_.open().boundTests += SpherePack::width;
    if (rows == 0) return false;
  }
  if (found.packB == InnerSpheres::none) {
    found.packB = parents.packB;
  } else {
    const MovedPack& moved = movedFrom(movedBounds_, trees_.motion(), b.bounds, found.packB);
    columns = lanesMeeting(moved.x, moved.y, moved.z, b.bounds[found.packB].r,
                           ballOf(a.bounds[parents.packA], laneA, slack));
    meter_.open().boundTests += SpherePack::width;
    if (columns == 0) return false;
  }

  for (; rows != 0; rows &= rows - 1)
    if (compareRow(w, found, std::countr_zero(rows), columns)) return true;
  if (found.colliding != 0) pool_.push(w.step.nextInner, found);
  return false;
}

/// Compares one slot of a with the given slots of b. Returns true if contact is proven.
bool InnerContact::compareRow(const SpherePairWork& w, PackPair& found, int row,
                              std::uint32_t columns) {
  const InnerSpheres& a = trees_.a().data().inner;
  const InnerSpheres& b = trees_.b().data().inner;
  const float slack = trees_.slack();
  const MovedPack& bounds = movedFrom(movedBounds_, trees_.motion(), b.bounds, found.packB);
  const std::uint32_t meeting =
      columns & lanesMeeting(bounds.x, bounds.y, bounds.z, b.bounds[found.packB].r,
                             ballOf(a.bounds[found.packA], row, slack));
  meter_.open().boundTests += SpherePack::width;
  if (meeting == 0) return false;
  found.colliding |= std::uint64_t{meeting} << (SpherePack::width * row);
  const MovedPack& spheres = movedFrom(movedSpheres_, trees_.motion(), b.spheres, found.packB);
  std::uint32_t perhaps =
      meeting & lanesMeeting(spheres.x, spheres.y, spheres.z, b.spheres[found.packB].r,
                             ballOf(a.spheres[found.packA], row, -slack));
  meter_.open().boundTests += SpherePack::width;
  for (; perhaps != 0; perhaps &= perhaps - 1) {
    const auto column = static_cast<SphereId>(std::countr_zero(perhaps));
    if (prove(w, found.packA * SpherePack::width + static_cast<SphereId>(row),
              found.packB * SpherePack::width + column))
      return true;
  }
  return false;
}

bool InnerContact::prove(const SpherePairWork& w, SphereId a, SphereId b) {
  return proofs_.prove(w.setup, a, b, trees_.slack());
}

}  // namespace nearmiss
