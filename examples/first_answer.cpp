// SPDX-License-Identifier: MIT
#include <nearmiss/nearmiss.h>

#include <cstdio>

int main() {
  using namespace nearmiss;
  const TriangleMesh mesh{{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
                          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};  // any triangles
  const auto shape = makeShape(mesh);
  if (!shape) return std::puts(shape.error().message.c_str()), 1;
  const Refinement found = collide(*shape, Pose{}, *shape, Pose{{0.5, 0.0, 0.0}});
  std::puts(found.verdict == Verdict::Contact ? "in contact" : "apart");
}
