// SPDX-License-Identifier: MIT
/// A moving mesh with look-ahead: detect only when something can have met, and miss nothing.
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/nearmiss.h>

#include <array>
#include <cstdio>

using namespace nearmiss;

int main() {
  const auto shape = makeShape({{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
                                {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
  if (!shape) return std::puts(shape.error().message.c_str()), 1;
  Shapes shapes;
  std::array<BodyState, 2> bodies;
  bodies[0].shape = bodies[1].shape = shapes.add(*shape);
  bodies[1].key = 1;

  // The second comes from afar and is pulled at by at most 0.2 m/s^2, whichever way
  bodies[1].pose.position = {40.0, 0.5, 0.0};
  bodies[1].velocity = {-6.0, 0.0, 0.0};
  bodies[1].accelerationBound = 0.2;

  Detector detector(makeSpaceTimeBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  DetectionDriver driver;
  constexpr Real resolution = 1.0 / 240.0;  // no touch that lasts as long is missed
  constexpr Real step = 1.0 / 2400.0;
  detector.setResolution(resolution);
  int detections = 0;
  for (int i = 0; i < 10 * 2400; ++i) {
    const Real time = i * step;
    bodies[1].pose.position += step * bodies[1].velocity;
    bodies[1].pose.position.x += 0.5 * 0.2 * step * step;
    bodies[1].velocity.x += 0.2 * step;
    if (time < driver.next(resolution)) continue;
    const Detection& found = detector.detect(bodies, time, TimeBudget::unlimited());
    ++detections;
    driver.take(found);
    for (const DetectedPair& pair : found.pairs)
      if (pair.refinement.verdict == Verdict::Contact) {
        std::printf("contact at %.3f s, after %d detections\n", time, detections);
        return 0;
      }
  }
  return std::puts("no contact"), 1;
}
