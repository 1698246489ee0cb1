// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/nearmiss.h>

#include <cstdio>

using namespace nearmiss;

int main() {
  Shapes shapes;
  std::vector<BodyState> bodies(2);
  bodies[0].shape = bodies[1].shape = shapes.add(*makeShape(*sphereMesh(1.0)));
  bodies[1].key = 1;
  bodies[1].velocity = {-1.0, 0.0, 0.0};  // accelerationBound is 0: the body keeps its velocity
  Detector detector(makeSpaceTimeBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  DetectionDriver driver;
  for (Real time = 0.0; detector.last().pairs.empty(); time = driver.next(1.0 / 120.0)) {
    bodies[1].pose.position = {12.0 - time, 0.0, 0.0};
    driver.take(detector.detect(bodies, time, TimeBudget::unlimited()));
    std::printf("%.3f s: no contact before %.3f s\n", time, driver.noContactBefore());
  }
}
