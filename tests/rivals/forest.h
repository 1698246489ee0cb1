// SPDX-License-Identifier: MIT
/// Sphere trees of all depths and the methods that search them, against brute force.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "support/borrowed.h"
#include "support/meshes.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss::test {

/// The children of sphere `id`, or the sphere itself where it is a leaf.
inline std::vector<SphereId> childrenOf(const SphereTree& tree, SphereId id) {
  const auto& data = tree.data();
  const std::uint32_t pack = data.links[id / SpherePack::width].childPack[id % SpherePack::width];
  if (pack == SphereLinks::none) return {id};
  std::vector<SphereId> children;
  for (std::uint32_t lane = 0; lane < SpherePack::width && data.packs[pack].r[lane] >= 0.0f; ++lane)
    children.push_back(pack * SpherePack::width + lane);
  return children;
}

/// A sphere of the tree under construction below, and where it is in the old one.
struct Kept {
  SphereId old;
  std::size_t pack;
  int lane;
};

/// The triangles below `id`, each once, ascending.
inline std::vector<std::uint32_t> trianglesBelow(const SphereTree& tree, SphereId id) {
  std::set<std::uint32_t> all;
  std::vector<SphereId> open{id};
  while (!open.empty()) {
    const SphereId at = open.back();
    open.pop_back();
    const auto children = childrenOf(tree, at);
    if (children == std::vector<SphereId>{at}) {
      const auto own = tree.trianglesOf(at);
      all.insert(own.begin(), own.end());
    } else {
      open.insert(open.end(), children.begin(), children.end());
    }
  }
  return {all.begin(), all.end()};
}

/// The same tree with some spheres below the root made leaves, at random: leaves lie on all levels.
inline SphereTree pruned(const SphereTree& tree, std::uint64_t seed, Real share) {
  Random random(seed);
  const SphereTree::Data& old = tree.data();
  SphereTree::Data data;
  data.coverage = old.coverage;
  data.packs = {old.packs[0]};
  data.links = {old.links[0]};
  data.levelBegin = {0, 1};
  std::vector<Kept> level{{0, 0, 0}};
  std::vector<std::pair<std::size_t, SphereId>> leaves;  // new place, old sphere
  while (!level.empty()) {
    std::vector<Kept> next;
    for (const Kept& sphere : level) {
      std::uint32_t& link = data.links[sphere.pack].childPack[sphere.lane];
      const auto children = childrenOf(tree, sphere.old);
      const bool leaf = link == SphereLinks::none || (sphere.old != 0 && random.chance(share));
      if (leaf) {
        link = SphereLinks::none;
        leaves.emplace_back(sphere.pack * SpherePack::width + static_cast<std::size_t>(sphere.lane),
                            sphere.old);
        continue;
      }
      const std::size_t oldPack = link;
      link = static_cast<std::uint32_t>(data.packs.size());
      for (std::size_t lane = 0; lane < children.size(); ++lane)
        next.push_back({children[lane], data.packs.size(), static_cast<int>(lane)});
      data.packs.push_back(old.packs[oldPack]);
      data.links.push_back(old.links[oldPack]);
    }
    if (!next.empty()) data.levelBegin.push_back(static_cast<std::uint32_t>(data.packs.size()));
    level = std::move(next);
  }
  std::sort(leaves.begin(), leaves.end());
  data.triangleBegin.assign(data.packs.size() * SpherePack::width + 1, 0);
  for (const auto& [place, sphere] : leaves) {
    const auto triangles = trianglesBelow(tree, sphere);
    data.leafTriangles.insert(data.leafTriangles.end(), triangles.begin(), triangles.end());
    data.triangleBegin[place + 1] = static_cast<std::uint32_t>(triangles.size());
  }
  for (std::size_t i = 1; i < data.triangleBegin.size(); ++i)
    data.triangleBegin[i] += data.triangleBegin[i - 1];
  return SphereTree(std::move(data));
}

/// Shapes whose trees differ in depth, some with leaves on all levels.
struct Forest {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> trees;
  Forest() {
    const auto add = [this](TriangleMesh mesh, int levels, Real share) {
      polyhedra.emplace_back(std::move(mesh));
      const SphereTree tree =
          *buildOctreeSphereTree(polyhedra.back(), {.levels = levels, .hausdorffTolerance = 0.1});
      trees.push_back(share > 0.0 ? pruned(tree, polyhedra.size(), share) : tree);
    };
    add(test::spikyStar(1, 7, 9), 4, 0.0);
    add(test::spikyStar(2, 7, 9), 1, 0.0);
    add(test::torus(8, 5), 5, 0.0);
    add(test::torus(12, 6), 4, 0.3);
    add(test::bedOfNails(3), 3, 0.2);
    add(test::comb(), 2, 0.0);
    add(test::cube(0.5), 4, 0.6);
    add(test::sphere(5, 7, 0.2), 3, 0.0);
    // Leaves with more combinations of triangles than one quantum allows
    add(test::spikyStar(3, 14, 18), 1, 0.0);
  }
};

inline const Forest& forest() {
  static const Forest trees;
  return trees;
}

/// The published method and the search for one pair.
struct Method {
  const char* name;
  std::unique_ptr<NarrowPhase> (*make)(const Shapes&);
};
inline constexpr std::array methods{Method{"all", makeSphereTreeAllNarrowPhase},
                                    Method{"first", makeSphereTreeNarrowPhase}};

class SphereTreePhase : public testing::TestWithParam<Method> {
 protected:
  static const SphereTree& treeOf(const BodyState& body) {
    return forest().trees[body.shape.index()];
  }
  TwoBodies randomPair(Random& random) {
    return test::randomNearMissPair(random, forest().polyhedra);
  }

  std::unique_ptr<NarrowPhase> phase_ =
      GetParam().make(test::borrowed(forest().polyhedra, forest().trees));
  std::unique_ptr<NarrowPhase> reference_ =
      makeBruteForceNarrowPhase(test::borrowed(forest().polyhedra));
};

}  // namespace nearmiss::test
