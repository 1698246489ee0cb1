// SPDX-License-Identifier: MIT
#include "spheres/hausdorff_probe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nearmiss {

Real insideWeight(const Polyhedron& polyhedron, SphereObjective objective) noexcept {
  return objective == SphereObjective::Outside && polyhedron.report().solid() ? 0.0 : 1.0;
}

/// Directions: the corners of an icosahedron, the thirds of its edges and the middles of its faces,
/// all projected to the unit sphere.
HausdorffProbe::HausdorffProbe(const DistanceField& field, Real insideWeight,
                               const ExposureField* exposure)
    : field_(&field), exposure_(exposure), insideWeight_(static_cast<float>(insideWeight)) {
  const Real golden = 0.5 * (1.0 + std::sqrt(5.0));
  std::array<Vec3, 12> corners;
  std::size_t corner = 0;
  for (const Real one : {-1.0, 1.0})
    for (const Real g : {-golden, golden}) {
      corners[corner++] = {0.0, one, g};
      corners[corner++] = {one, g, 0.0};
      corners[corner++] = {g, 0.0, one};
    }
  const auto neighbours = [&corners](std::size_t i, std::size_t j) {
    return glm::distance(corners[i], corners[j]) < 2.5;
  };
  std::size_t size = 0;
  const auto add = [&](const Vec3& v, bool coarse) {
    isCoarse_[size] = coarse;
    directions_[size++] = glm::normalize(v);
  };
  isCoarse_[size] = true;
  directions_[size++] = Vec3(0.0);
  for (const Vec3& c : corners) add(c, true);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = i + 1; j < 12; ++j) {
      if (!neighbours(i, j)) continue;
      add(2.0 * corners[i] + corners[j], false);
      add(corners[i] + 2.0 * corners[j], false);
      for (std::size_t k = j + 1; k < 12; ++k)
        if (neighbours(i, k) && neighbours(j, k)) add(corners[i] + corners[j] + corners[k], true);
    }
}

Real HausdorffProbe::estimate(const Sphere& ball, ProbeMemory& memory, Real giveUp,
                              ProbeDensity density) const noexcept {
  const auto stop = static_cast<float>(giveUp);
  auto& samples = memory.byHeight;
  const bool known = memory.reference.radius >= 0.0;
  if (!known)
    for (std::size_t i = 0; i < samples.size(); ++i)
      samples[i].direction = static_cast<std::uint8_t>(i);
  // Distances change no faster than sample points have moved since the reference ball
  const Vec3 shift = known ? ball.centre - memory.reference.centre : Vec3(0.0);
  const Real growth = known ? ball.radius - memory.reference.radius : 0.0;
  const auto moved = static_cast<float>(glm::length(shift) + std::abs(growth));

  // The old summits reject most bad candidates at once
  float most = 0.0f, far = 0.0f;
  ProbeMemory::Summit best;
  for (std::size_t i = 0; i < memory.summitCount; ++i) {
    ProbeMemory::Summit& old = memory.summits[i];
    const Vec3 point = ball.centre + ball.radius * old.at;
    const float found = counted(point, weightOf(point), old.witness, most, stop, far);
    if (found <= most) continue;
    most = found;
    best = old;
    if (most >= stop) {
      std::swap(memory.summits[i], memory.summits[i / 2]);
      return static_cast<Real>(most);
    }
  }
  std::array<float, ProbeMemory::samples> atMost;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ProbeMemory::Sample& sample = samples[i];
    // Nothing is known about skipped samples
    atMost[i] = std::numeric_limits<float>::infinity();
    if (density == ProbeDensity::Coarse && !isCoarse_[sample.direction]) continue;
    atMost[i] = sample.atMost + moved;
    if (atMost[i] <= most) continue;
    const Vec3& direction = directions_[sample.direction];
    atMost[i] = sample.atMost + static_cast<float>(glm::length(shift + growth * direction));
    if (atMost[i] <= most) continue;
    const Vec3 point = ball.centre + ball.radius * direction;
    const float found = counted(point, weightOf(point), sample.witness, most, stop, atMost[i]);
    if (found <= most) continue;
    most = found;
    best = {direction, sample.witness};
    if (most >= stop) {
      // Move it forward, so that it is tested earlier next time
      if (known) std::swap(samples[i], samples[i / 2]);
      return static_cast<Real>(most);
    }
  }
  most = climb(ball, best, most, stop);
  if (most >= stop) return static_cast<Real>(most);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].atMost = atMost[i];
  memory.reference = ball;
  if (memory.summitCount == 0) memory.summitCount = 1;
  memory.summits[0] = best;
  return static_cast<Real>(most);
}

Real HausdorffProbe::explore(const Sphere& ball, ProbeMemory& memory) const noexcept {
  constexpr auto noLimit = std::numeric_limits<float>::infinity();
  const auto first = static_cast<float>(estimate(ball, memory, noLimit));
  auto& summits = memory.summits;
  memory.summitCount = 1;
  float most = first, ignored = 0.0f;
  for (const ProbeMemory::Sample& sample : memory.byHeight) {
    if (memory.summitCount == summits.size()) break;
    if (sample.atMost < 0.7f * first) continue;
    // Climb from samples that do not lead to a known summit
    ProbeMemory::Summit from{directions_[sample.direction], sample.witness};
    const auto near = [&](const ProbeMemory::Summit& other) {
      return glm::distance(other.at, from.at) < 0.5;
    };
    const auto known = summits.begin() + static_cast<std::ptrdiff_t>(memory.summitCount);
    if (std::any_of(summits.begin(), known, near)) continue;
    const Vec3 point = ball.centre + ball.radius * from.at;
    const float foot = counted(point, weightOf(point), from.witness, 0.0f, noLimit, ignored);
    const float height = climb(ball, from, foot, noLimit);
    summits[memory.summitCount++] = from;
    if (height <= most) continue;
    most = height;
    std::swap(summits[0], summits[memory.summitCount - 1]);
  }
  return static_cast<Real>(most);
}

/// Returns the height of a local maximum of the distance in the ball, reached uphill from `summit`.
float HausdorffProbe::climb(const Sphere& ball, ProbeMemory::Summit& summit, float height,
                            float stop) const noexcept {
  // Triangles that ended recent climbs, the last first: they usually do so again
  std::array<std::uint32_t, 3> barriers{summit.witness};
  std::size_t known = 1;
  float ignored = 0.0f;
  for (Real step = 0.16; step > 0.015;) {
    bool higher = false;
    for (int way = 0; way < 6; ++way) {
      Vec3 to = summit.at;
      to[way / 2] += way % 2 == 0 ? step : -step;
      const Real length = glm::length(to);
      if (length > 1.0) to /= length;
      const Vec3 point = ball.centre + ball.radius * to;
      const float weight = weightOf(point);
      const float bar = height / weight;
      const auto barred = [&](std::uint32_t triangle) {
        return field_->isNear(triangle, point, bar);
      };
      const auto end = barriers.begin() + static_cast<std::ptrdiff_t>(known);
      if (std::any_of(barriers.begin(), end, barred)) continue;
      std::uint32_t near = summit.witness;
      const float found = counted(point, weight, near, height, stop, ignored);
      if (found <= height * 1.0005f) {
        barriers = {near, barriers[0], barriers[1]};
        known = std::min(known + 1, barriers.size());
        continue;
      }
      height = found;
      summit = {to, near};
      higher = true;
      if (height >= stop) return height;
    }
    if (!higher) step *= 0.5;
  }
  return height;
}

}  // namespace nearmiss
