// SPDX-License-Identifier: MIT
/// What a beam meets first among many bodies, whether a drone fits through, and how near a point
/// is.
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/nearmiss.h>

#include <chrono>
#include <cstdio>
#include <vector>

using namespace nearmiss;

namespace {

/// A closed box of twelve triangles.
TriangleMesh box(const Vec3& half) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.push_back(half * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

}  // namespace

int main() {
  const auto pillar = makeShape(box({0.2, 0.2, 2.0}));
  if (!pillar) return std::puts("no shape"), 1;
  Shapes shapes;
  const ShapeRef ref = shapes.add(*pillar);

  // A hall of pillars, 2 m apart
  std::vector<BodyState> bodies(100);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    bodies[i].key = 1000 + i;
    bodies[i].shape = ref;
    bodies[i].pose.position = {2.0 * (i % 10), 2.0 * (i / 10), 0.0};
  }
  BodyQueries hall(shapes);
  hall.take(bodies);

  // A beam, with 20 µs: nothing is met before `lower`, even if time runs out
  SteadyClock clock;
  const Ray beam{{-1.0, 1.0, 0.5}, glm::normalize(Vec3(1.0, 0.4, 0.0))};
  const BodyRayHit sight = hall.raycast(beam, TimeBudget(clock, std::chrono::microseconds(20)));
  const BodyRayHit met = hall.raycast(beam);
  std::printf("free for %.3f m at least; in the end body %u is met after %.3f m\n", sight.hit.lower,
              met.body.key, met.hit.t);

  // A drone of 0.5 m along an aisle, and one that is too large for it
  for (const Real radius : {0.5, 0.9}) {
    const Ray aisle{{-3.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, 24.0, radius};
    const BodyRayHit touched = hall.raycast(aisle);
    if (touched.hit.hit())
      std::printf("a ball of %.1f m touches after %.3f m\n", radius, touched.hit.t);
    else
      std::printf("a ball of %.1f m passes\n", radius);
  }

  // A place in the hall
  const Vec3 place{4.7, 6.1, 0.0};
  const BodyNearestPoint nearest = hall.nearest(place);
  std::vector<FoundBody> holding;
  hall.holding(place, holding);
  std::printf("%.3f m from body %u, inside of %zu\n", nearest.nearest.upper, nearest.body.key,
              holding.size());
}
