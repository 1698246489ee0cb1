// SPDX-License-Identifier: MIT
/// One pair of shapes under a budget, resumed in the next frame where time ran out.
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/nearmiss.h>

#include <chrono>
#include <cstdio>

using namespace nearmiss;

namespace {

/// A bumpy ball of `sides` triangles around and `rings` along.
TriangleMesh bumpyBall(int rings, int sides) {
  TriangleMesh mesh;
  for (int i = 0; i <= rings; ++i)
    for (int j = 0; j < sides; ++j) {
      const Real polar = 3.141592653589793 * i / rings, around = 6.283185307179586 * j / sides;
      const Real r = 1.0 + 0.2 * std::sin(5.0 * polar) * std::cos(4.0 * around);
      mesh.positions.push_back({r * std::sin(polar) * std::cos(around),
                                r * std::sin(polar) * std::sin(around), r * std::cos(polar)});
    }
  const auto at = [sides](int i, int j) {
    return static_cast<std::uint32_t>(i * sides + j % sides);
  };
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < sides; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

}  // namespace

int main() {
  // Welding closes the seam and the poles; what is left without area is taken away
  ShapeSettings settings;
  settings.weldDistance = 1e-9;
  const auto ball = makeShape(bumpyBall(20, 40), settings);
  if (!ball) return std::puts(ball.error().message.c_str()), 1;
  std::printf("%zu triangles, %s\n", ball->polyhedron().mesh().triangles.size(),
              ball->solid() ? "a solid" : "a surface");

  // A few microseconds a frame: each frame goes on where the last one stopped
  CollisionQuery query;
  query.begin(*ball, Pose{}, *ball, Pose{{1.7, 0.3, 0.1}, glm::angleAxis(0.4, Vec3(0, 0, 1))});
  SteadyClock clock;
  Refinement known;
  do {
    known = query.refine(TimeBudget(clock, std::chrono::microseconds(5)));
    std::printf("level %d: the surfaces are at most %.4f apart\n", known.level,
                known.separationBound);
  } while (known.canRefine);
  std::puts(known.verdict == Verdict::Contact ? "contact" : "separate");
}
