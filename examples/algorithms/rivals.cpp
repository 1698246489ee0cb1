// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/nearmiss.h>
#include <nearmiss/rivals/catalog.h>

#include <cstdio>

using namespace nearmiss;

int main() {
  Shapes shapes;
  std::vector<BodyState> bodies(2);
  bodies[0].shape = bodies[1].shape = shapes.add(*makeShape(*capsuleMesh(0.3, 0.7)));
  bodies[1].key = 1;
  bodies[1].pose = {{0.602, 0.3, 0.0}, glm::angleAxis(1.0, Vec3(1.0, 0.0, 0.0))};
  for (const char* name : {"brute-force", "ball-tree", "obb-tree", "sphere-tree"}) {
    Detector detector(makeAllPairsBroadPhase(), findNarrowPhase(name)->make(shapes));
    const Detection& found = detector.detect(bodies, 0.0, TimeBudget::unlimited());
    const bool separate = found.pairs[0].refinement.verdict == Verdict::Separate;
    std::printf("%s: %s after %d tests of bounds\n", name, separate ? "separate" : "contact",
                static_cast<int>(found.narrowWork.boundTests));
  }
}
