// SPDX-License-Identifier: MIT
#include <nearmiss/nearmiss.h>

#include <cstdio>

int main() {
  using namespace nearmiss;
  const auto mesh = loadMesh("my.stl");
  if (!mesh) return std::puts(mesh.error().message.c_str()), 1;
  const auto shape = makeShape(*mesh);
  if (!shape) return std::puts(shape.error().message.c_str()), 1;
  const Refinement found = collide(*shape, Pose{}, *shape, Pose{{0.5, 0.0, 0.0}});
  std::puts(found.verdict == Verdict::Contact ? "in contact" : "apart");
}
