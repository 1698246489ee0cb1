// SPDX-License-Identifier: MIT
/// A body that deforms: an arm curls up until it meets a ball, and then itself.
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/nearmiss.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace nearmiss;

namespace {

/// A tube of `rings` rings about the x axis, closed at both ends.
TriangleMesh tube(std::uint32_t rings, std::uint32_t sides) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < rings; ++i)
    for (std::uint32_t k = 0; k < sides; ++k) {
      const double angle = 2.0 * 3.14159265 * k / sides;
      mesh.positions.push_back(
          {4.0 * i / (rings - 1), 0.1 * std::cos(angle), 0.1 * std::sin(angle)});
    }
  for (std::uint32_t i = 0; i + 1 < rings; ++i)
    for (std::uint32_t k = 0; k < sides; ++k) {
      const std::uint32_t a = sides * i + k, b = sides * i + (k + 1) % sides;
      mesh.triangles.push_back({a, a + sides, b});
      mesh.triangles.push_back({b, a + sides, b + sides});
    }
  for (std::uint32_t k = 1; k + 1 < sides; ++k) {
    const std::uint32_t last = sides * (rings - 1);
    mesh.triangles.push_back({0, k, k + 1});
    mesh.triangles.push_back({last, last + k + 1, last + k});
  }
  return mesh;
}

/// Bends the x axis into an arc of so many radians.
Vec3 bent(const Vec3& p, double arc) {
  const double radius = 4.0 / arc, angle = p.x / radius;
  return {(radius - p.y) * std::sin(angle), radius - (radius - p.y) * std::cos(angle), p.z};
}

}  // namespace

int main() {
  const auto arm = makeShape(tube(200, 16));
  const auto ball = makeShape(*sphereMesh(0.2));
  if (!arm || !ball) return std::puts("no shapes"), 1;
  auto body = DeformableShape::of(*arm);
  if (!body) return std::puts(body.error().message.c_str()), 1;

  CollisionQuery pair;
  SelfContactQuery self;
  bool met = false;
  std::vector<Vec3> vertices;
  for (int frame = 1; frame <= 100; ++frame) {
    vertices.clear();
    for (const Vec3& p : body->built().polyhedron().mesh().positions)
      vertices.push_back(bent(p, 0.07 * frame));
    const auto moved = body->refit(vertices);
    if (!moved) return std::puts(moved.error().message.c_str()), 1;

    pair.begin(moved->shape, {}, *ball, {{1.0, 1.6, 0.0}});
    if (!met && pair.refine().verdict == Verdict::Contact) {
      met = true;
      std::printf("frame %d: the arm meets the ball\n", frame);
    }
    self.begin(moved->shape);
    const SelfContacts& own = self.refine();
    if (own.pairs.empty()) continue;
    std::printf("frame %d: the arm meets itself, %zu pairs of triangles; boxes grew %.2f times\n",
                frame, own.pairs.size(), moved->growth);
    return met ? 0 : 1;
  }
  return std::puts("nothing met"), 1;
}
