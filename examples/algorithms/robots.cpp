// SPDX-License-Identifier: MIT
#include <nearmiss/nearmiss.h>

#include <cstdio>

using namespace nearmiss;

int main() {
  const Shape link = *makeShape(*capsuleMesh(0.05, 0.2, 8));
  for (const std::size_t count : {2, 4}) {
    const std::vector<Sphere> spheres = *fitFlatSet(link.polyhedron(), {.count = count});
    const UnionVolume volume = measureUnion(link.polyhedron(), spheres);
    const bool covered = checkFlatSet(link.polyhedron(), spheres).covers();
    std::printf("%zu spheres: %s, excess volume %.1f times the link's\n", spheres.size(),
                covered ? "covered" : "not covered", volume.outside / volume.solid);
  }
}
