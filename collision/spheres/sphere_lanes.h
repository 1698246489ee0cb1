// SPDX-License-Identifier: MIT
/// Compares one sphere with eight: the innermost loops of the narrow phase. They have no branches,
/// so that the compiler can vectorise them.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace nearmiss {

/// One sphere in float.
struct SphereF {
  float x, y, z, r;
};

/// Combines the words of eight lanes with "or".
[[nodiscard]] inline std::uint32_t united(std::uint32_t* lanes) noexcept {
  for (int width = SpherePack::width / 2; width > 0; width /= 2)
    for (int k = 0; k < width; ++k) lanes[k] |= lanes[k + width];
  return lanes[0];
}

/// Returns `bit` if the sign bit of `no` is clear, else 0.
[[nodiscard]] inline std::uint32_t unless(std::int32_t no, std::uint32_t bit) noexcept {
  return static_cast<std::uint32_t>(~(no >> 31)) & bit;
}

/// Returns bit k if |centre k - ball| <= r[k] + ball.r and lane k is used.
[[nodiscard]] inline std::uint32_t lanesMeeting(const float* x, const float* y, const float* z,
                                                const float* r, const SphereF& ball) noexcept {
  std::uint32_t lanes[SpherePack::width];
  for (int k = 0; k < SpherePack::width; ++k) {
    const float dx = x[k] - ball.x, dy = y[k] - ball.y, dz = z[k] - ball.z;
    const float reach = r[k] + ball.r;
    const float gap = reach * reach - (dx * dx + dy * dy + dz * dz);
    lanes[k] =
        unless(std::bit_cast<std::int32_t>(gap) | std::bit_cast<std::int32_t>(r[k]), 1u << k);
  }
  return united(lanes);
}

/// The records among the colliding pairs of a level so far, metres.
struct PairRecords {
  float overlap = -std::numeric_limits<float>::infinity();  ///< the deepest
  float bound = std::numeric_limits<float>::infinity();     ///< the least H1 + H2
  float estimate = std::numeric_limits<float>::infinity();  ///< the least H1 + H2 - overlap
};

struct RowFindings {
  std::uint32_t meeting;  ///< as from lanesMeeting()
  std::uint32_t records;  ///< lanes that break a record if they collide
};

/// As lanesMeeting(), and also finds which lanes need a closer look. Let d be the distance of the
/// centres, s the sum of the radii and h of both H, the Hausdorff distances. A record is broken iff
/// s - d > overlap, h < bound, or h - (s - d) < estimate; this is decided without square roots.
[[nodiscard]] inline RowFindings rowMeeting(const float* x, const float* y, const float* z,
                                            const float* r, const float* hausdorff,
                                            const SphereF& ball, float ballHausdorff,
                                            const PairRecords& best) noexcept {
  // Two loops, because gcc 12 extracts the bits of floats in vectors only if they were stored
  // before
  std::int32_t apart[SpherePack::width], record[SpherePack::width];
  for (int k = 0; k < SpherePack::width; ++k) {
    const float dx = x[k] - ball.x, dy = y[k] - ball.y, dz = z[k] - ball.z;
    const float square = dx * dx + dy * dy + dz * dz;
    const float reach = r[k] + ball.r;
    const float gap = reach * reach - square;
    apart[k] = std::bit_cast<std::int32_t>(gap) | std::bit_cast<std::int32_t>(r[k]);
    const float h = hausdorff[k] + ballHausdorff;
    // The square of a length, negative if the length is: no root and no branch
    const float deeper = reach - best.overlap;
    const float nearer = best.estimate - h + reach;
    const float byOverlap = square - deeper * std::abs(deeper);
    const float byEstimate = square - nearer * std::abs(nearer);
    const float byBound = h - best.bound;
    record[k] = std::bit_cast<std::int32_t>(byOverlap) | std::bit_cast<std::int32_t>(byEstimate) |
                std::bit_cast<std::int32_t>(byBound);
  }
  std::uint32_t lanes[SpherePack::width];
  for (int k = 0; k < SpherePack::width; ++k)
    lanes[k] = unless(apart[k], 1u << k) | unless(~record[k], 0x100u << k);
  const std::uint32_t found = united(lanes);
  return {found & 0xff, found >> 8};
}

}  // namespace nearmiss
