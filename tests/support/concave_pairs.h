// SPDX-License-Identifier: MIT
/// Pairs of concave solids that overlap by little: L in L, T in T, combs, pegs in slots, chains and
/// threads, each with the shortest translation that parts them.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "support/box_solids.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss::test {

struct ConcavePair {
  std::string_view family;
  TriangleMesh a, b;
  Pose poseA, poseB;
  /// The length of the shortest translation that parts them, where it is known in closed form; 0
  /// where it is not.
  Real parting = 0.0;
};

namespace concave {

/// Boxes in a plane: the outline of a profile, as thick as `depth`.
inline Box plate(Real x0, Real x1, Real y0, Real y1, Real depth) {
  return {{x0, y0, -depth}, {x1, y1, depth}};
}
inline std::vector<Box> angle(Real arm, Real thick, Real depth) {
  return {plate(0, arm, 0, thick, depth), plate(0, thick, 0, arm, depth)};
}
inline std::vector<Box> tee(Real width, Real height, Real thick, Real depth) {
  return {plate(-width, width, 0, thick, depth),
          plate(-0.5 * thick, 0.5 * thick, -height, thick, depth)};
}
inline std::vector<Box> comb(int teeth, Real pitch, Real tooth, Real length, Real depth) {
  std::vector<Box> boxes{plate(0, teeth * pitch, -0.2, 0, depth)};
  for (int i = 0; i < teeth; ++i)
    boxes.push_back(plate(i * pitch, i * pitch + tooth, -0.2, length, depth));
  return boxes;
}
/// A block with a slot along x, open above; and a square ring.
inline std::vector<Box> slotted(Real width, Real wall, Real deep, Real depth) {
  return {plate(-width - wall, width + wall, -0.3, 0, depth),
          plate(-width - wall, -width, -0.3, deep, depth),
          plate(width, width + wall, -0.3, deep, depth)};
}
inline std::vector<Box> ring(Real half, Real thick) {
  return {plate(-half, half, -half, -half + thick, 0.5 * thick),
          plate(-half, half, half - thick, half, 0.5 * thick),
          plate(-half, -half + thick, -half, half, 0.5 * thick),
          plate(half - thick, half, -half, half, 0.5 * thick)};
}
/// Moved, then with two axes exchanged so that links of a chain stand across.
inline std::vector<Box> moved(std::vector<Box> boxes, const Vec3& by, bool across = false) {
  for (Box& box : boxes) {
    for (Vec3* corner : {&box.low, &box.high}) {
      if (across) std::swap(corner->y, corner->z);
      *corner += by;
    }
  }
  return boxes;
}
inline std::vector<Box> turnedOver(std::vector<Box> boxes) {
  for (Box& box : boxes) box = {-box.high, -box.low};
  return boxes;
}

/// A rod with a thread along z, or with a ring about it the nut to it.
inline TriangleMesh threaded(int around, int turns, Real radius, Real height, Real outer) {
  const int stepsPerTurn = 8, along = turns * stepsPerTurn;
  const Real pitch = 0.4;
  const auto crest = [&](int z, int slice) {
    const Real phase = static_cast<Real>(z) / stepsPerTurn - static_cast<Real>(slice) / around;
    return height * (1.0 - std::abs(2.0 * (phase - std::floor(phase)) - 1.0));
  };
  TriangleMesh mesh;
  const auto ringOf = [&](int z, bool inner) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int s = 0; s < around; ++s) {
      const Real angle = 2.0 * std::numbers::pi * s / around;
      const Real r = inner ? radius + crest(z, s) : outer;
      mesh.positions.emplace_back(r * std::cos(angle), r * std::sin(angle),
                                  pitch * z / stepsPerTurn);
    }
    return first;
  };
  const auto band = [&](std::uint32_t low, std::uint32_t high) {
    for (int s = 0; s < around; ++s) {
      const auto i = static_cast<std::uint32_t>(s);
      const auto j = static_cast<std::uint32_t>((s + 1) % around);
      addQuad(mesh, low + i, low + j, high + j, high + i);
    }
  };
  std::vector<std::uint32_t> rings;
  for (int z = 0; z <= along; ++z) rings.push_back(ringOf(z, true));
  for (std::size_t z = 0; z + 1 < rings.size(); ++z) band(rings[z], rings[z + 1]);
  if (outer > 0.0) {
    // A nut: what was the outside of the rod is its hole
    const std::uint32_t low = ringOf(0, false), high = ringOf(along, false);
    band(rings.back(), high);
    band(high, low);
    band(low, rings.front());
    flip(mesh);
    return mesh;
  }
  for (const bool top : {false, true}) {
    const auto middle = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.emplace_back(0.0, 0.0, top ? pitch * along / stepsPerTurn : 0.0);
    const std::uint32_t ring = top ? rings.back() : rings.front();
    for (int s = 0; s < around; ++s) {
      const auto i = ring + static_cast<std::uint32_t>(s);
      const auto j = ring + static_cast<std::uint32_t>((s + 1) % around);
      mesh.triangles.push_back({middle, top ? i : j, top ? j : i});
    }
  }
  return mesh;
}

/// Solids of boxes, `b` at a place in the frame of `a`.
struct Boxes {
  std::vector<Box> a, b;
};

inline Boxes drawn(std::string_view family, Random& random) {
  const Real depth = random.between(0.1, 0.5);
  if (family == "L") {
    const Real thick = random.between(0.15, 0.3);
    const Real in = thick - random.between(0.02, 0.12);
    return {angle(1.0, thick, depth),
            moved(angle(random.between(0.6, 1.0), thick, random.between(0.1, 0.5)),
                  {in + random.between(0, 0.2), in + random.between(-0.02, 0.02),
                   random.between(-0.1, 0.1)})};
  }
  if (family == "T") {
    const Real thick = random.between(0.15, 0.25);
    const Real over = random.between(0.01, 0.1);
    // Two hooked behind each other's heads
    return {tee(0.6, 0.9, thick, depth),
            moved(turnedOver(tee(0.6, 0.9, thick, random.between(0.1, 0.5))),
                  {0.5 * thick + random.between(0.2, 0.45), -random.between(0.0, 0.05) + over,
                   random.between(-0.2, 0.2)})};
  }
  if (family == "comb") {
    const int teeth = random.whole(3, 5);
    const Real tooth = random.between(0.12, 0.17);
    return {comb(teeth, 0.3, tooth, 0.8, depth),
            moved(turnedOver(comb(teeth, 0.3, tooth, 0.8, depth)),
                  {0.3 * teeth + tooth - random.between(0.005, 0.05) + 0.3 * random.whole(-1, 0),
                   random.between(0.85, 1.2), random.between(-0.1, 0.1)})};
  }
  if (family == "slot") {
    // A tight peg is wider than its slot; a loose one has slid into a wall
    const Real width = random.between(0.2, 0.4), over = random.between(0.01, 0.08);
    const bool tight = random.chance(0.3);
    const Real play = over + random.between(0.01, 0.05);
    const Real peg = tight ? width + 0.5 * over : width - 0.5 * play;
    const Real slid = tight ? random.between(-0.4, 0.4) * over : 0.5 * play + over;
    return {slotted(width, random.between(0.2, 0.5), 0.9, random.between(0.5, 1.0)),
            moved({plate(-peg, peg, 0, 1.5, random.between(0.2, 0.6))},
                  {slid, random.between(tight ? -0.05 : 0.01, 0.3), random.between(-0.2, 0.2)})};
  }
  // Square links of a chain
  const Real thick = random.between(0.15, 0.3), half = random.between(0.6, 0.9);
  const Real over = random.between(0.01, 0.1);
  return {ring(half, thick), moved(ring(half, thick),
                                   {2.0 * half - 2.0 * thick + over, random.between(-0.1, 0.1),
                                    random.between(-0.1, 0.1)},
                                   true)};
}

}  // namespace concave

/// The pairs of one seed, `count` of each of the seven families.
inline std::vector<ConcavePair> concavePairs(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<ConcavePair> pairs;
  for (const std::string_view family : {"L", "T", "comb", "slot", "link"}) {
    for (int i = 0; i < count;) {
      const concave::Boxes boxes = concave::drawn(family, random);
      ConcavePair pair{family, meshOf(boxes.a), meshOf(boxes.b), {}, {}};
      pair.parting = partingOf(boxes.a, boxes.b);
      if (!(pair.parting > 0.003)) continue;
      pair.poseA = pair.poseB = {random.inCube(2.0), random.rotation()};
      pairs.push_back(std::move(pair));
      ++i;
    }
  }
  for (int i = 0; i < count; ++i) {
    const Real tube = random.between(0.12, 0.25);
    ConcavePair pair{"torus",
                     torus(random.whole(16, 28), random.whole(8, 14), 1.0, tube),
                     torus(random.whole(16, 28), random.whole(8, 14), 1.0, tube),
                     {},
                     {}};
    const Quat across =
        glm::angleAxis(std::numbers::pi / 2 + random.between(-0.2, 0.2), Vec3(1.0, 0.0, 0.0));
    pair.poseB = {{2.0 - 2.0 * tube + random.between(0.01, 0.1), random.between(-0.05, 0.05),
                   random.between(-0.05, 0.05)},
                  across};
    pairs.push_back(std::move(pair));
  }
  for (int i = 0; i < count; ++i) {
    const Real over = random.between(-0.02, 0.02), height = random.between(0.08, 0.15);
    ConcavePair pair{"thread",
                     concave::threaded(20, 5, 0.5, height, 0.0),
                     concave::threaded(20, 2, 0.5 + over, height, 1.0),
                     {},
                     {}};
    pair.poseB = {{random.between(-0.02, 0.02), random.between(-0.02, 0.02),
                   0.4 + random.between(-0.04, 0.04)},
                  glm::angleAxis(random.between(-0.1, 0.1), Vec3(0.0, 0.0, 1.0))};
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace nearmiss::test
