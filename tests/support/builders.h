// SPDX-License-Identifier: MIT
/// Builders of sphere trees as parameters of tests.
#pragma once

#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <string_view>
#include <vector>

namespace nearmiss {

/// For names of tests and messages.
inline void PrintTo(const SphereTreeBuilderEntry& entry, std::ostream* out) { *out << entry.name; }

namespace test {

/// Levels below which more of the same would be tested: octrees are built at once, of the others
/// each further level takes eight times as long.
[[nodiscard]] inline int fewLevels(std::string_view builder) { return builder == "octree" ? 3 : 2; }

/// The same of every builder that heeds it.
[[nodiscard]] inline SphereTreeSettings withObjective(SphereTreeSettings settings,
                                                      SphereObjective objective) {
  settings.annealed.objective = settings.variational.objective = settings.dag.objective =
      settings.medial.objective = settings.anchored.objective = objective;
  return settings;
}
[[nodiscard]] inline SphereTreeSettings withBranching(SphereTreeSettings settings, int branching) {
  settings.variational.branching = settings.dag.branching = settings.medial.branching =
      settings.anchored.branching = branching;
  return settings;
}
[[nodiscard]] inline SphereTreeSettings withMostSpheres(SphereTreeSettings settings,
                                                        std::size_t most) {
  settings.variational.maxSpheres = settings.dag.maxSpheres = most;
  return settings;
}

/// What buildSphereTree() gives for a builder that has built `tree` already: with the additions of
/// the settings.
[[nodiscard]] inline Result<SphereTree> withAdditions(SphereTreeBuilderEntry builder,
                                                      const SphereTree& tree,
                                                      const Polyhedron& polyhedron,
                                                      const SphereTreeSettings& settings) {
  static thread_local const SphereTree* built;
  built = &tree;
  builder.build = [](const Polyhedron&, const SphereTreeSettings&, BuildProgress*) {
    return Result<SphereTree>(*built);
  };
  return buildSphereTree(builder, polyhedron, settings);
}

[[nodiscard]] inline std::vector<SphereTreeBuilderEntry> buildersWithPaperMode() {
  const auto all = sphereTreeBuilderCatalog();
  std::vector<SphereTreeBuilderEntry> some;
  std::copy_if(all.begin(), all.end(), std::back_inserter(some),
               [](const SphereTreeBuilderEntry& entry) { return entry.hasPaperMode; });
  return some;
}

}  // namespace test
}  // namespace nearmiss
