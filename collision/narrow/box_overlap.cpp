// SPDX-License-Identifier: MIT
#include "narrow/box_overlap.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace nearmiss {
namespace {

using FourBits [[gnu::vector_size(16)]] = std::int32_t;

inline FourFloats size(const FourFloats& of) noexcept {
  return std::bit_cast<FourFloats>(std::bit_cast<FourBits>(of) & 0x7fffffff);
}

/// True if one of the first three lanes is negative.
inline bool anyNegative(const FourFloats& room) noexcept {
  const auto pairs = std::bit_cast<std::array<std::uint64_t, 2>>(room);
  return ((pairs[0] & 0x8000000080000000) | (pairs[1] & 0x80000000)) != 0;
}

/// The products of a vector with all axes of a box.
inline FourFloats along(const BoxLanes& box, float x, float y, float z) noexcept {
  return box.x * x + box.y * y + box.z * z;
}

/// Lane j gets what lane j + 1 had, of three.
inline FourFloats next(const FourFloats& of) noexcept {
  return __builtin_shufflevector(of, of, 1, 2, 0, 3);
}
inline FourFloats last(const FourFloats& of) noexcept {
  return __builtin_shufflevector(of, of, 2, 0, 1, 3);
}

}  // namespace

BoxLanes::BoxLanes(const NodeBox& box) noexcept
    : x{box.axis[0][0], box.axis[1][0], box.axis[2][0], box.centre[0]},
      y{box.axis[0][1], box.axis[1][1], box.axis[2][1], box.centre[1]},
      z{box.axis[0][2], box.axis[1][2], box.axis[2][2], box.centre[2]},
      half{box.half[0], box.half[1], box.half[2], 0.0f} {}

void move(const PackMotion& by, const BoxLanes& box, BoxLanes& moved) noexcept {
  const auto& m = by.rotation;
  const auto& p = by.position;
  moved.x = along(box, m[0][0], m[0][1], m[0][2]) + FourFloats{0.0f, 0.0f, 0.0f, p[0]};
  moved.y = along(box, m[1][0], m[1][1], m[1][2]) + FourFloats{0.0f, 0.0f, 0.0f, p[1]};
  moved.z = along(box, m[2][0], m[2][1], m[2][2]) + FourFloats{0.0f, 0.0f, 0.0f, p[2]};
  moved.half = box.half;
}

bool boxesApart(const BoxLanes& a, const BoxLanes& b, float slack) noexcept {
  const float x = b.x[3] - a.x[3], y = b.y[3] - a.y[3], z = b.z[3] - a.z[3];

  // Faces of a, side by side
  const FourFloats betweenA = along(a, x, y, z);
  FourFloats reach = a.half + slack;
  for (int j = 0; j < 3; ++j) reach += b.half[j] * size(along(a, b.x[j], b.y[j], b.z[j]));
  if (anyNegative(reach - size(betweenA))) return true;

  // Faces of b; the cosines with axis i of a side by side
  FourFloats cosine[3];
  reach = b.half + slack;
  for (int i = 0; i < 3; ++i) {
    cosine[i] = along(b, a.x[i], a.y[i], a.z[i]);
    reach += a.half[i] * size(cosine[i]);
  }
  if (anyNegative(reach - size(along(b, x, y, z)))) return true;

  // Edge i of a with all edges of b
  for (int i = 0; i < 3; ++i) {
    const int n = (i + 1) % 3, l = (i + 2) % 3;
    const FourFloats distance = size(betweenA[l] * cosine[n] - betweenA[n] * cosine[l]);
    reach = slack + a.half[n] * size(cosine[l]) + a.half[l] * size(cosine[n]) +
            next(b.half) * last(size(cosine[i])) + last(b.half) * next(size(cosine[i]));
    if (anyNegative(reach - distance)) return true;
  }
  return false;
}

bool boxApart(const BoxLanes& box, const SphereF& ball, float slack) noexcept {
  const FourFloats beyond =
      size(along(box, ball.x - box.x[3], ball.y - box.y[3], ball.z - box.z[3])) - box.half;
  float squared = 0.0f;
  for (int k = 0; k < 3; ++k) squared += std::max(0.0f, beyond[k]) * std::max(0.0f, beyond[k]);
  const float reach = ball.r + slack;
  return squared > reach * reach;
}

}  // namespace nearmiss
