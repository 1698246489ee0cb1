// SPDX-License-Identifier: MIT
/// The smallest program that detects a contact: two tetrahedra, one sphere tree, unlimited time.
#include <nearmiss/detector.h>
#include <nearmiss/detector_catalog.h>
#include <nearmiss/sphere_tree_builder.h>

#include <cstdio>
#include <vector>

int main() {
  using namespace nearmiss;
  std::vector<Polyhedron> shapes;
  shapes.emplace_back(TriangleMesh{{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
                                   {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
  auto tree = buildOctreeSphereTree(shapes[0]);
  if (!tree) return std::puts(tree.error().message.c_str()), 1;
  const std::vector<SphereTree> trees{*std::move(tree)};

  BodyState here, there;
  here.boundingRadius = there.boundingRadius = shapes[0].radius();
  there.key = 1;
  there.pose.position = {1.0, 0.5, 0.0};
  const std::vector<BodyState> bodies{here, there};

  Detector detector(makeSpaceTimeBroadPhase(), makeSphereTreeNarrowPhase(trees, shapes));
  for (const auto& pair : detector.detect(bodies, 0.0, TimeBudget::unlimited()).pairs)
    if (pair.refinement.verdict == Verdict::Contact)
      std::printf("contact at level %d\n", pair.refinement.level);
}
