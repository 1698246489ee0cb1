// SPDX-License-Identifier: MIT
#include "spheres/box_overlap.h"

namespace nearmiss {

// Compiled with the search, which has variants for other instruction sets
namespace baseline {
BoxLanes movedBox(const float (&rotation)[3][4], const float (&position)[4],
                  const BoxLanes& box) noexcept;
bool boxLanesApart(const BoxLanes& a, const BoxLanes& b, float slack) noexcept;
bool ballApart(const BoxLanes& box, const SphereF& ball, float slack) noexcept;
}  // namespace baseline

BoxLanes::BoxLanes(const NodeBox& box) noexcept
    : x{box.axis[0][0], box.axis[1][0], box.axis[2][0], box.centre[0]},
      y{box.axis[0][1], box.axis[1][1], box.axis[2][1], box.centre[1]},
      z{box.axis[0][2], box.axis[1][2], box.axis[2][2], box.centre[2]},
      half{box.half[0], box.half[1], box.half[2], 0.0f} {}

void move(const PackMotion& by, const BoxLanes& box, BoxLanes& moved) noexcept {
  moved = baseline::movedBox(by.rotation, by.position, box);
}

bool boxesApart(const BoxLanes& a, const BoxLanes& b, float slack) noexcept {
  return baseline::boxLanesApart(a, b, slack);
}

bool boxApart(const BoxLanes& box, const SphereF& ball, float slack) noexcept {
  return baseline::ballApart(box, ball, slack);
}

}  // namespace nearmiss
