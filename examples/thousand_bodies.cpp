// SPDX-License-Identifier: MIT
/// A frame loop with a thousand bodies under a budget: who touches, how sure that is, who waits.
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/nearmiss.h>

#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

using namespace nearmiss;

int main() {
  const TriangleMesh octahedron{
      {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
      {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
  const auto shape = makeShape(octahedron, {.tree = {.levels = 2}});
  if (!shape) return std::puts(shape.error().message.c_str()), 1;
  Shapes shapes;
  const ShapeRef rock = shapes.add(*shape);

  std::mt19937 random(1);
  std::uniform_real_distribution<Real> place(-15.0, 15.0), speed(-1.0, 1.0);
  std::vector<BodyState> bodies(1000);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    BodyState& body = bodies[i];
    body.key = i;
    body.shape = rock;
    for (int axis = 0; axis < 3; ++axis) {
      body.pose.position[axis] = place(random);
      body.velocity[axis] = speed(random);
    }
    body.accelerationBound = 0.0;  // they drift: a promise that holds until they bounce
    body.importance = i == 0 ? fullImportance : 1;
  }

  Detector detector(makeSpaceTimeGridBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  SteadyClock clock;
  constexpr Real step = 1.0 / 60.0;
  for (int frame = 0; frame < 120; ++frame) {
    const Real time = frame * step;
    for (BodyState& body : bodies) body.pose.position += step * body.velocity;
    const TimeBudget budget(clock, std::chrono::microseconds(200));
    const Detection& found = detector.detect(bodies, time, budget);
    std::size_t contacts = 0, possible = 0;
    for (const DetectedPair& pair : found.pairs) {
      contacts += pair.refinement.verdict == Verdict::Contact;
      possible += pair.refinement.verdict == Verdict::Possible;
    }
    if (frame % 20 == 0)
      std::printf("%.2f s: %zu pairs looked at, %zu contacts, %zu undecided, %zu wait\n", time,
                  found.pairs.size(), contacts, possible, found.postponed.size());
  }
}
