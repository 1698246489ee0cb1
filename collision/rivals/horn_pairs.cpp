// SPDX-License-Identifier: MIT
#include "rivals/horn_pairs.h"

#include <glm/geometric.hpp>

namespace nearmiss {
namespace {

/// Returns the radius of the ball around the unaccelerated position, `s` seconds after the start.
Real radiusAt(const SpaceTimeBound& bound, Real s) noexcept {
  return bound.radius + 0.5 * bound.acceleration * s * s;
}

/// Returns true if two horns stay apart because not even balls of their final radii meet on the
/// way. False proves nothing.
bool clearlyApart(const SpaceTimeBound& a, const SpaceTimeBound& b, Real from,
                  Real until) noexcept {
  const Vec3 dv = b.velocity - a.velocity;
  const Vec3 dc =
      b.position - a.position + b.velocity * (from - b.start) - a.velocity * (from - a.start);
  const Real reach = (radiusAt(a, until - a.start) + radiusAt(b, until - b.start)) * (1.0 + 1e-9);
  const Real approach = -glm::dot(dc, dv), speed2 = glm::dot(dv, dv);
  const Real life = until - from;
  const Real s = approach <= 0.0 ? 0.0 : approach < speed2 * life ? approach / speed2 : life;
  const Vec3 nearest = dc + dv * s;
  return glm::dot(nearest, nearest) > reach * reach;
}

}  // namespace

void HornPairs::enclose(std::span<const SpaceTimeBound> bounds, Real from, Real until) {
  boxes_.clear();
  for (const SpaceTimeBound& bound : bounds) {
    // The hull of the first and the last cube, which contains the horn
    const Vec3 first = bound.position + bound.velocity * (from - bound.start);
    const Vec3 last = bound.position + bound.velocity * (until - bound.start);
    const Real narrow = radiusAt(bound, from - bound.start);
    const Real wide = radiusAt(bound, until - bound.start);
    boxes_.push_back(
        {glm::min(first - narrow, last - wide), glm::max(first + narrow, last + wide)});
  }
}

void HornPairs::start(std::span<const SpaceTimeBound> bounds,
                      std::span<const std::uint32_t> assemblies, Real from, Real until,
                      Real resolution) {
  counts_ = {};
  meeting_.clear();
  enclose(bounds, from, until);
  for (const BodyPair& pair : boxPairs_.find(boxes_)) {
    if (sameAssembly(assemblies, pair)) continue;
    const SpaceTimeBound &a = bounds[pair.a], &b = bounds[pair.b];
    ++counts_.pairTests;
    if (clearlyApart(a, b, from, until)) continue;
    ++counts_.pairTests;
    if (const auto time = hornMeeting(a, b, resolution)) meeting_.add({*time, pair});
  }
  counts_.pairTests += boxPairs_.tests();
}

std::optional<BoundMeeting> HornPairs::next() {
  if (meeting_.empty()) return std::nullopt;
  return meeting_.takeFirst();
}

}  // namespace nearmiss
