// SPDX-License-Identifier: MIT
/// Pairs of closed meshes that fit into each other closely, and how they lie when assembled.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/gtc/quaternion.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss::test {

/// Two parts, and the second's pose in the frame of the first when assembled.
struct Assembly {
  std::string name;
  TriangleMesh a, b;
  Pose assembled;
  Real clearance = 0.0;  ///< metres, about
};

/// Joined both ways round: `point(i, k)` of `n` places around and `m` along a closed loop.
inline TriangleMesh closedLoops(int n, int m, const std::function<Vec3(int, int)>& point) {
  TriangleMesh mesh;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k) mesh.positions.push_back(point(i, k));
  const auto at = [n, m](int i, int k) { return static_cast<std::uint32_t>(i % n * m + k % m); };
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      addQuad(mesh, at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
  return mesh;
}

/// Joined around the z axis and capped at both ends by fans.
inline TriangleMesh cappedTube(int n, int m, const std::function<Vec3(int, int)>& point) {
  TriangleMesh mesh;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k) mesh.positions.push_back(point(i, k));
  const auto at = [n, m](int i, int k) { return static_cast<std::uint32_t>(i % n * m + k); };
  for (int i = 0; i < n; ++i)
    for (int k = 0; k + 1 < m; ++k)
      addQuad(mesh, at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
  const auto low = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.push_back({0.0, 0.0, point(0, 0).z});
  mesh.positions.push_back({0.0, 0.0, point(0, m - 1).z});
  for (int i = 0; i < n; ++i) {
    mesh.triangles.push_back({low, at(i + 1, 0), at(i, 0)});
    mesh.triangles.push_back({low + 1, at(i, m - 1), at(i + 1, m - 1)});
  }
  return mesh;
}

inline Vec3 aroundZ(Real radius, Real angle, Real z) {
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

/// A triangle wave of height 1 and period 1.
inline Real thread(Real t) { return 2.0 * std::abs(t - std::floor(t) - 0.5); }

/// A threaded bolt, and a nut that leaves `clearance` of the pitch.
inline Assembly nutAndBolt(Real clearance) {
  // Facets of both at the same heights, so that they keep their distance
  constexpr int around = 160, along = 79, nutAlong = 41;
  constexpr Real radius = 0.16, pitch = 0.04, height = 0.6 * pitch, length = 0.5;
  constexpr Real nut = length * (nutAlong - 1) / (along - 1);
  const Real gap = clearance * pitch;
  const auto profile = [](Real angle, Real z) {
    return radius + height * thread(z / pitch - angle / (2.0 * std::numbers::pi));
  };
  const auto angleOf = [](int i) { return 2.0 * std::numbers::pi * i / around; };
  Assembly made{"nut on its bolt", {}, {}, {}, gap};
  made.a = cappedTube(around, along, [&](int i, int k) {
    const Real z = length * (Real(k) / (along - 1) - 0.5);
    return aroundZ(profile(angleOf(i), z), angleOf(i), z);
  });
  made.b = closedLoops(around, nutAlong + 2, [&](int i, int k) {
    const Real z = nut * (Real(std::min(k, nutAlong - 1)) / (nutAlong - 1) - 0.5);
    if (k < nutAlong) return aroundZ(profile(angleOf(i), z) + gap, angleOf(i), z);
    return aroundZ(0.3, angleOf(i), k == nutAlong ? 0.5 * nut : -0.5 * nut);
  });
  flip(made.b);
  return made;
}

/// A cylinder of slivers in the hole of a block of slivers.
inline Assembly pegInHole(Real clearance) {
  constexpr int around = 288, holeAround = 112;
  constexpr Real radius = 0.2;
  const Real gap = clearance * radius;
  const auto angleOf = [](int i, int n) { return 2.0 * std::numbers::pi * i / n; };
  Assembly made{"peg in its hole", {}, {}, {}, gap};
  made.a = cappedTube(around, 2, [&](int i, int k) {
    return aroundZ(radius, angleOf(i, around), k == 0 ? -0.5 : 0.5);
  });
  // The hole's corners lie outside, so that its faces keep their distance
  const Real hole = (radius + gap) / std::cos(std::numbers::pi / holeAround);
  made.b = closedLoops(holeAround, 4, [&](int i, int k) {
    const Real z = k == 0 || k == 3 ? -0.4 : 0.4;
    return aroundZ(k < 2 ? hole : 0.5, angleOf(i, holeAround), z);
  });
  flip(made.b);
  return made;
}

inline TriangleMesh gearMesh(int teeth, Real radius, int points, int along) {
  return cappedTube(teeth * points, along, [=](int i, int k) {
    const Real angle = 2.0 * std::numbers::pi * i / (teeth * points);
    const Real wave = std::clamp(1.6 * std::cos(teeth * angle), -1.0, 1.0);
    return aroundZ(radius * (1.0 + 0.9 / teeth * wave), angle, 0.3 * (Real(k) / (along - 1) - 0.5));
  });
}

/// Two spur gears with their teeth between each other's.
inline Assembly gears() {
  constexpr int teethA = 24, teethB = 14;
  constexpr Real radius = 0.5, radiusB = radius * teethB / teethA;
  Assembly made{
      "gears", gearMesh(teethA, radius, 40, 16), gearMesh(teethB, radiusB, 40, 16), {}, 0.01};
  // A tooth of one looks along x, and a gap of the other looks back
  made.assembled.position = {radius + radiusB + 0.012, 0.0, 0.0};
  made.assembled.rotation =
      glm::angleAxis(std::numbers::pi + std::numbers::pi / teethB, Vec3(0.0, 0.0, 1.0));
  return made;
}

inline TriangleMesh chainLink(Real straight, Real bend, Real tube, int around, int across) {
  return closedLoops(around, across, [=](int i, int k) {
    const Real u = 2.0 * std::numbers::pi * i / around, v = 2.0 * std::numbers::pi * k / across;
    const Real shift = std::cos(u) > 0.0 ? straight : -straight;
    const Real r = bend + tube * std::cos(v);
    return Vec3(r * std::cos(u) + shift, r * std::sin(u), tube * std::sin(v));
  });
}

inline Assembly chain() {
  const TriangleMesh link = chainLink(0.35, 0.25, 0.1, 120, 40);
  Assembly made{"chain", link, link, {}, 0.02};
  made.assembled.position = {0.35 + 0.35 + 2 * 0.25 - 0.1 - 0.1 - 0.02, 0.0, 0.0};
  made.assembled.rotation = glm::angleAxis(0.5 * std::numbers::pi, Vec3(1.0, 0.0, 0.0));
  return made;
}

inline Assembly interlockedTori() {
  const TriangleMesh ring = torus(160, 40, 0.6, 0.28);
  Assembly made{"interlocked tori", ring, ring, {}, 0.02};
  made.assembled.position = {0.6, 0.0, 0.0};
  made.assembled.rotation = glm::angleAxis(0.5 * std::numbers::pi, Vec3(1.0, 0.0, 0.0));
  return made;
}

/// A thin wavy plate, and the same above it.
inline Assembly sheets() {
  constexpr int side = 60;
  const auto plate = [] {
    TriangleMesh mesh;
    for (const Real lift : {0.0, 0.01})
      for (int i = 0; i <= side; ++i)
        for (int k = 0; k <= side; ++k) {
          const Real x = 2.0 * i / side - 1.0, y = 2.0 * k / side - 1.0;
          mesh.positions.push_back({x, y, lift + 0.15 * std::sin(6.0 * x) * std::cos(4.0 * y)});
        }
    const auto at = [](int layer, int i, int k) {
      return static_cast<std::uint32_t>((layer * (side + 1) + i) * (side + 1) + k);
    };
    for (int i = 0; i < side; ++i)
      for (int k = 0; k < side; ++k) {
        addQuad(mesh, at(1, i, k), at(1, i + 1, k), at(1, i + 1, k + 1), at(1, i, k + 1));
        addQuad(mesh, at(0, i, k), at(0, i, k + 1), at(0, i + 1, k + 1), at(0, i + 1, k));
      }
    for (int i = 0; i < side; ++i) {
      addQuad(mesh, at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0));
      addQuad(mesh, at(0, i + 1, side), at(0, i, side), at(1, i, side), at(1, i + 1, side));
      addQuad(mesh, at(0, 0, i + 1), at(0, 0, i), at(1, 0, i), at(1, 0, i + 1));
      addQuad(mesh, at(0, side, i), at(0, side, i + 1), at(1, side, i + 1), at(1, side, i));
    }
    return mesh;
  }();
  Assembly made{"sheets", plate, plate, {}, 0.01};
  made.assembled.position = {0.0, 0.0, 0.02};
  return made;
}

/// Long thin bars of three sides: a tuft, and the same turned a little.
inline Assembly hair() {
  Random random(5);
  TriangleMesh tuft;
  for (int i = 0; i < 400; ++i) {
    const Real x = random.between(-0.4, 0.4), y = random.between(-0.4, 0.4);
    const Real leanX = random.between(-0.2, 0.2), leanY = random.between(-0.2, 0.2);
    append(tuft,
           cappedTube(3, 2,
                      [&](int corner, int end) {
                        const Vec3 at = aroundZ(0.003, 2.0 * corner, end == 0 ? -0.5 : 0.5);
                        return at + Vec3(end * leanX, end * leanY, 0.0);
                      }),
           {x, y, 0.0});
  }
  Assembly made{"hair", tuft, tuft, {}, 0.01};
  made.assembled.position = {0.82, 0.0, 0.0};
  return made;
}

/// Bars along all three axes, in the gaps of the same.
inline Assembly lattices() {
  TriangleMesh bars;
  constexpr int count = 6;
  constexpr Real step = 0.2, thick = 0.02, reach = 0.5 * count * step;
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < count; ++k) {
        Vec3 low(-thick), high(thick);
        low[axis] = -reach;
        high[axis] = reach;
        Vec3 at(0.0);
        at[(axis + 1) % 3] = (i - 0.5 * (count - 1)) * step;
        at[(axis + 2) % 3] = (k - 0.5 * (count - 1)) * step;
        append(bars, box(low, high), at);
      }
  Assembly made{"lattices", bars, bars, {}, 0.05};
  made.assembled.position = {0.5 * step, 0.5 * step, 0.5 * step};
  return made;
}

inline Assembly stars() {
  Assembly made{"stars", spikyStar(3, 31, 40), spikyStar(4, 31, 40), {}, 0.05};
  made.assembled.position = {1.25, 0.0, 0.0};
  return made;
}

/// Those that settings may be chosen by, and those kept aside.
inline std::vector<Assembly> assemblies() {
  std::vector<Assembly> all{nutAndBolt(0.02), pegInHole(0.02), gears(), chain()};
  return all;
}
inline std::vector<Assembly> assembliesKeptAside() {
  return {interlockedTori(), sheets(),          hair(),           lattices(),
          stars(),           nutAndBolt(0.001), nutAndBolt(0.05), pegInHole(0.002)};
}

/// Poses of the second part near its place: moved and turned by about its clearance.
inline Pose nearAssembled(Random& random, const Assembly& assembly, Real radius) {
  const Real far = assembly.clearance * random.between(0.0, 2.0);
  Pose pose = assembly.assembled;
  pose.position += far * random.direction();
  pose.rotation = glm::normalize(
      glm::angleAxis(random.unit() * assembly.clearance / radius, random.direction()) *
      pose.rotation);
  return pose;
}

}  // namespace nearmiss::test
