// SPDX-License-Identifier: MIT
/// The smallest program that detects a contact: two tetrahedra, one sphere tree, unlimited time.
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/nearmiss.h>

#include <cstdio>
#include <vector>

int main() {
  using namespace nearmiss;
  const auto tetrahedron = makeShape({{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
                                      {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
  if (!tetrahedron) return std::puts(tetrahedron.error().message.c_str()), 1;

  Shapes shapes;
  BodyState here, there;
  here.shape = there.shape = shapes.add(*tetrahedron);
  there.key = 1;
  there.pose.position = {1.0, 0.5, 0.0};
  const std::vector<BodyState> bodies{here, there};

  Detector detector(makeSpaceTimeBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  for (const auto& pair : detector.detect(bodies, 0.0, TimeBudget::unlimited()).pairs)
    if (pair.refinement.verdict == Verdict::Contact)
      std::puts(pair.refinement.stage == Stage::Exact ? "contact, exact" : "contact, by spheres");
}
