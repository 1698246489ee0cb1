// SPDX-License-Identifier: MIT
/// What a beam meets first among many bodies, whether a drone fits through, and how near a point
/// is.
#include <nearmiss/nearmiss.h>

#include <chrono>
#include <cstdio>
#include <vector>

using namespace nearmiss;

int main() {
  const auto pillar = makeShape(*boxMesh({0.2, 0.2, 2.0}));
  if (!pillar) return std::puts("no shape"), 1;

  // A hall of pillars, 2 m apart
  World hall;
  for (int i = 0; i < 100; ++i)
    if (!hall.add(*pillar, Pose{{2.0 * (i % 10), 2.0 * (i / 10), 0.0}})) return 1;

  // A beam, with 20 µs: nothing is met before `lower`, even if time runs out
  SteadyClock clock;
  const Ray beam{{-1.0, 1.0, 0.5}, glm::normalize(Vec3(1.0, 0.4, 0.0))};
  const RayHit sight = *hall.raycast(beam, {}, TimeBudget(clock, std::chrono::microseconds(20)));
  const RayHit met = *hall.raycast(beam);
  std::printf("free for %.3f m at least; in the end body %u is met after %.3f m\n", sight.lower,
              static_cast<unsigned>(met.body), met.t);

  // A drone of 0.5 m along an aisle, and one that is too large for it
  for (const Real radius : {0.5, 0.9}) {
    const Ray aisle{{-3.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, 24.0, radius};
    const RayHit touched = *hall.raycast(aisle);
    if (touched.hit())
      std::printf("a ball of %.1f m touches after %.3f m\n", radius, touched.t);
    else
      std::printf("a ball of %.1f m passes\n", radius);
  }

  // A place in the hall
  const Vec3 place{4.7, 6.1, 0.0};
  const NearestPoint nearest = *hall.nearestPoint(place);
  std::vector<BodyHandle> around;
  if (!hall.containing(place, around)) return 1;
  std::printf("%.3f m from body %u, inside of %zu\n", nearest.upper,
              static_cast<unsigned>(nearest.body), around.size());
}
