// SPDX-License-Identifier: MIT
#include "descent/node_box_separation.h"

#include <nearmiss/shape.h>

#include <algorithm>
#include <bit>

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

void NodeBoxSeparation::takeUp(const SpherePairWork& w) {
  boxesA_ = boxes_[static_cast<std::size_t>(w.setup.shapeA)];
  boxesB_ = boxes_[static_cast<std::size_t>(w.setup.shapeB)];
  some_ = !boxesA_.empty() || !boxesB_.empty();
  moved_.reset();
}

/// Only what lies both in a sphere and in its box has to cover surface.
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

}  // namespace nearmiss
