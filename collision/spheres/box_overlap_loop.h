// SPDX-License-Identifier: MIT
/// Tests whether the boxes of spheres are apart. Compiled once for each instruction set, like
/// pair_search_loop.h.
#pragma once

#include <cstdint>

#include "base/lanes.h"
#include "spheres/box_overlap.h"

namespace nearmiss::NEARMISS_PATH {

using FourBits [[gnu::vector_size(16)]] = std::int32_t;

inline FourFloats sizeOf(FourFloats of) noexcept {
  return reinterpret_cast<FourFloats>(reinterpret_cast<FourBits>(of) & 0x7fffffff);
}

/// Returns true if one of the first three lanes is negative.
inline bool anyNegative(FourFloats room) noexcept {
#if defined(__SSE2__)
  return (_mm_movemask_ps(room) & 7) != 0;
#else
  const FourBits bits = reinterpret_cast<FourBits>(room);
  return (bits[0] | bits[1] | bits[2]) < 0;
#endif
}

/// Returns the dot products of a vector with all axes of a box.
inline FourFloats along(const BoxLanes& box, float x, float y, float z) noexcept {
  return box.x * x + box.y * y + box.z * z;
}

/// Rotates three lanes: lane j gets lane j + 1, or lane j - 1.
inline FourFloats nextLane(FourFloats of) noexcept {
  return __builtin_shufflevector(of, of, 1, 2, 0, 3);
}
inline FourFloats lastLane(FourFloats of) noexcept {
  return __builtin_shufflevector(of, of, 2, 0, 1, 3);
}

/// Transforms a box into the other tree's frame, by the rows of a rotation.
BoxLanes movedBox(const float (&rotation)[3][4], const float (&position)[4],
                  const BoxLanes& box) noexcept {
  const auto row = [&](int k) {
    const float* const m = rotation[k];
    return along(box, m[0], m[1], m[2]) + FourFloats{0.0f, 0.0f, 0.0f, position[k]};
  };
  BoxLanes moved;
  moved.x = row(0);
  moved.y = row(1);
  moved.z = row(2);
  moved.half = box.half;
  return moved;
}

bool boxLanesApart(const BoxLanes& a, const BoxLanes& b, float slack) noexcept {
  const float x = b.x[3] - a.x[3], y = b.y[3] - a.y[3], z = b.z[3] - a.z[3];

  // Faces of a, side by side
  const FourFloats betweenA = along(a, x, y, z);
  FourFloats reach = a.half + slack;
  for (int j = 0; j < 3; ++j) reach += b.half[j] * sizeOf(along(a, b.x[j], b.y[j], b.z[j]));
  if (anyNegative(reach - sizeOf(betweenA))) return true;

  // Faces of b; cosines with axis i of a, side by side
  FourFloats cosine[3];
  reach = b.half + slack;
  for (int i = 0; i < 3; ++i) {
    cosine[i] = along(b, a.x[i], a.y[i], a.z[i]);
    reach += a.half[i] * sizeOf(cosine[i]);
  }
  if (anyNegative(reach - sizeOf(along(b, x, y, z)))) return true;

  // Edge i of a with all edges of b
  for (int i = 0; i < 3; ++i) {
    const int n = (i + 1) % 3, l = (i + 2) % 3;
    const FourFloats distance = sizeOf(betweenA[l] * cosine[n] - betweenA[n] * cosine[l]);
    reach = slack + a.half[n] * sizeOf(cosine[l]) + a.half[l] * sizeOf(cosine[n]) +
            nextLane(b.half) * lastLane(sizeOf(cosine[i])) +
            lastLane(b.half) * nextLane(sizeOf(cosine[i]));
    if (anyNegative(reach - distance)) return true;
  }
  return false;
}

bool ballApart(const BoxLanes& box, const SphereF& ball, float slack) noexcept {
  const FourFloats beyond =
      sizeOf(along(box, ball.x - box.x[3], ball.y - box.y[3], ball.z - box.z[3])) - box.half;
  float squared = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const float out = beyond[k] > 0.0f ? beyond[k] : 0.0f;
    squared += out * out;
  }
  const float reach = ball.r + slack;
  return squared > reach * reach;
}

}  // namespace nearmiss::NEARMISS_PATH
