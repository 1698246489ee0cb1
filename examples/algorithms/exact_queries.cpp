// SPDX-License-Identifier: MIT
#include <nearmiss/nearmiss.h>

#include <cstdio>

using namespace nearmiss;

int main() {
  const Shape box = *makeShape(*boxMesh({1.0, 1.0, 1.0}));
  const Pose at, apart{{2.5, 0.0, 0.0}}, inside{{1.75, 0.25, 0.0}};
  std::printf("distance: %.2f m\n", distance(box, at, box, apart).upper);
  const SteadyMotion still{at}, towards{apart, {-2.0, 0.0, 0.0}};
  std::printf("no contact before: %.2f s\n",
              timeToContact(box, still, box, towards, 10.0, 1e-6).noContactBefore);
  std::printf("penetration depth: %.2f m\n", penetration(box, at, box, inside).upper);
  std::printf("contact points: %zu\n", contactManifold(box, at, box, inside).points.size());
}
