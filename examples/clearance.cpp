// SPDX-License-Identifier: MIT
/// How far apart two parts are, how long until they can touch, and how far to back out of contact.
#include <nearmiss/nearmiss.h>

#include <chrono>
#include <cstdio>

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
  const auto arm = makeShape(box({0.5, 0.05, 0.05})), table = makeShape(box({1.0, 1.0, 0.1}));
  if (!arm || !table) return std::puts("no shapes"), 1;

  // Bounds that hold whenever time runs out, and meet when it does not
  DistanceQuery query;
  const Pose above{{0, 0, 0.9}, glm::angleAxis(0.6, Vec3(0, 1, 0))};
  query.begin(*arm, above, *table, Pose{});
  SteadyClock clock;
  const DistanceBounds quick = query.refine(TimeBudget(clock, std::chrono::microseconds(2)));
  const DistanceBounds exact = query.refine();
  std::printf("between %.4f and %.4f m; in the end %.4f m\n", quick.lower, quick.upper,
              exact.upper);

  // The arm comes down and turns
  const SteadyMotion falling{above, {0, 0, -0.5}, {0, 0.3, 0}};
  const ContactTime when = timeToContact(query, *arm, falling, *table, {}, 10.0, 1e-5);
  std::printf("%s after %.3f s\n", when.reached ? "touches" : "no contact", when.noContactBefore);

  // Pushed in, and which way out
  const PenetrationBounds deep = penetration(*arm, Pose{{0, 0, 0.12}}, *table, Pose{});
  std::printf("moving the table by %.3f m along %g %g %g parts them\n", deep.upper,
              deep.direction.x, deep.direction.y, deep.direction.z);
}
