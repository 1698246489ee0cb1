// SPDX-License-Identifier: MIT
/// Bodies of a World whose contacts are tested, and what each pair of them says on its own.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/pair.h>
#include <nearmiss/world.h>

#include <map>
#include <utility>
#include <vector>

#include "support/meshes.h"
#include "support/shapes.h"
#include "support/sized_solids.h"

namespace nearmiss::test {

/// With and without sphere trees, solid and open.
inline const std::vector<Shape>& touchingShapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> made = shapesOf({cube(0.5), torus(12, 8), spikyStar(1, 5, 7), openTorus()});
    made.push_back(*makeShape(box({-1, -0.3, -0.2}, {1, 0.3, 0.2}),
                              {.treeBuilder = "octree", .tree = {.levels = 2}}));
    return made;
  }();
  return all;
}

/// The bodies of a world, to look at each pair on its own.
struct ListedBodies {
  struct Body {
    Shape shape;
    Pose pose;
    BodyTraits traits;
  };
  std::map<BodyHandle, Body> bodies;

  BodyHandle add(World& world, const Shape& shape, const Pose& pose,
                 const BodyTraits& traits = {}) {
    const BodyHandle body = *world.add(shape, pose, traits);
    bodies.emplace(body, Body{shape, pose, traits});
    return body;
  }
  void move(World& world, BodyHandle body, const Pose& pose) {
    ASSERT_TRUE(world.setPose(body, pose));
    bodies.at(body).pose = pose;
  }
  [[nodiscard]] ContactManifold manifold(const HandlePair& pair,
                                         const ManifoldSettings& settings) const {
    const Body &a = bodies.at(pair.a), &b = bodies.at(pair.b);
    return contactManifold(a.shape, a.pose, b.shape, b.pose, settings);
  }
  [[nodiscard]] std::map<HandlePair, ContactManifold> manifolds(
      const ManifoldSettings& settings) const {
    std::map<HandlePair, ContactManifold> all;
    for (auto a = bodies.begin(); a != bodies.end(); ++a)
      for (auto b = std::next(a); b != bodies.end(); ++b) {
        const BodyTraits &one = a->second.traits, &other = b->second.traits;
        if (!(one.group & other.mask) || !(other.group & one.mask)) continue;
        if ((one.assembly && one.assembly == other.assembly) || (one.sensor && other.sensor))
          continue;
        const HandlePair pair{a->first, b->first};
        ContactManifold found = manifold(pair, settings);
        if (!found.points.empty() || !found.depthKnown) all.emplace(pair, std::move(found));
      }
    return all;
  }
};

inline const PairContacts* find(const WorldContacts& found, const HandlePair& pair) {
  for (const PairContacts& contacts : found)
    if (contacts.bodies == pair) return &contacts;
  return nullptr;
}

inline void expectSound(const ManifoldPoint& point) {
  EXPECT_NEAR(glm::length(point.normal), 1.0, 1e-9);
  EXPECT_LT(glm::distance(point.onB - point.onA, point.depth * point.normal), 1e-9);
}

/// Cubes of one metre on each other, each `overlap` metres deep in the one below.
struct Stack {
  World world;
  ListedBodies listed;
  std::vector<BodyHandle> bodies;
  explicit Stack(int count, Real overlap = 0.001) {
    for (int i = 0; i < count; ++i)
      bodies.push_back(
          listed.add(world, touchingShapes()[0], {{0.0, 0.0, (1.0 - overlap) * Real(i)}}));
  }
};

}  // namespace nearmiss::test
