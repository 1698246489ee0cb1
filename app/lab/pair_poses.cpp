// SPDX-License-Identifier: MIT
#include "lab/pair_poses.h"

#include <nearmiss/detail/split_mix.h>

#include <array>
#include <chrono>
#include <cmath>

namespace nearmiss::app::lab {
namespace {

/// Calls `compare(pose)` for all poses and returns the mean time in microseconds; NaN without
/// poses.
double timed(const std::vector<Pose>& poses, const auto& compare) {
  const auto start = std::chrono::steady_clock::now();
  for (const Pose& pose : poses) compare(pose);
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  return poses.empty() ? NAN : spent.count() / static_cast<double>(poses.size());
}

/// A uniformly distributed direction: a random point of the unit ball, not too close to the centre,
/// normalised.
template <int dimensions>
std::array<Real, dimensions> direction(SplitMix& random) {
  std::array<Real, dimensions> at{};
  while (true) {
    Real square = 0.0;
    for (Real& each : at) {
      each = random.between(-1.0, 1.0);
      square += each * each;
    }
    if (square > 1.0 || square < 0.01) continue;
    for (Real& each : at) each /= std::sqrt(square);
    return at;
  }
}

Pose drawPose(const Shape& shape, SplitMix& random) {
  const auto q = direction<4>(random);
  const auto d = direction<3>(random);
  const Real apart = random.between(0.2, 1.0) * 2.0 * shape.radius();
  return {apart * Vec3(d[0], d[1], d[2]), Quat(q[0], q[1], q[2], q[3])};
}

}  // namespace

std::vector<Pose> drawPoses(const Shape& shape, std::size_t count, std::uint64_t seed) {
  SplitMix random(seed);
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i) poses.push_back(drawPose(shape, random));
  return poses;
}

PairPoses drawPairPoses(const Shape& shape, std::size_t count, std::uint64_t seed) {
  constexpr std::size_t patience = 20;  // maximum draws per requested pose
  SplitMix random(seed);
  PairComparison comparison(shape);
  PairPoses poses;
  for (std::size_t i = 0; i < patience * count && poses.separated.size() < count; ++i) {
    const Pose pose = drawPose(shape, random);
    const bool separate = comparison.refine(pose, [](const Refinement&) {}) == Verdict::Separate;
    (separate ? poses.separated : poses.touching).push_back(pose);
  }
  return poses;
}

FalseAlarms countFalseAlarms(const Shape& shape, const PairPoses& poses) {
  FalseAlarms alarms;
  const int levels = shape.sphereTree()->levelCount();
  alarms.atLevel.assign(static_cast<std::size_t>(levels), 0);
  PairComparison comparison(shape);
  alarms.separatedMicroseconds = timed(poses.separated, [&](const Pose& pose) {
    comparison.refine(pose, [&](const Refinement& found) {
      if (found.level < levels) ++alarms.atLevel[static_cast<std::size_t>(found.level)];
    });
  });
  alarms.touchingMicroseconds = timed(poses.touching, [&](const Pose& pose) {
    if (comparison.refine(pose, [](const Refinement&) {}) == Verdict::Separate) ++alarms.missed;
  });
  return alarms;
}

}  // namespace nearmiss::app::lab
