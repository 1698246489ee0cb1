// SPDX-License-Identifier: MIT
/// Makes each method of both tiers, and a tree by each builder.
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>

#include <cstdio>

int main() {
  using namespace nearmiss;
  const Shapes none;
  std::size_t made = 0, built = 0;
  for (const BroadPhaseEntry& entry : broadPhaseCatalog()) made += entry.make() != nullptr;
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog())
    made += bool(makeNarrowPhase(entry, none));
  const Polyhedron tetrahedron({{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
                                {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
  for (const SphereTreeBuilderEntry& entry : sphereTreeBuilderCatalog())
    built += bool(buildSphereTree(entry, tetrahedron, {.levels = 1}));
  const std::size_t methods = broadPhaseCatalog().size() + narrowPhaseCatalog().size();
  const std::size_t builders = sphereTreeBuilderCatalog().size();
  if (made == methods && built == builders)
    std::printf("all of %zu methods, all of %zu builders\n", methods, builders);
}
