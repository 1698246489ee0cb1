// SPDX-License-Identifier: MIT
/// Stacks ten boxes and drops thirty concave bodies, held by their manifolds alone.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "stack_solver.h"

namespace {

/// The value of a result, or the end of the program with its message.
template <class T>
T valueOf(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(1);
}

/// A star with a number of arms: a prism about the z axis, concave between its arms.
TriangleMesh star(std::uint32_t arms, Real height) {
  TriangleMesh mesh;
  const std::uint32_t around = 2 * arms;
  for (const Real z : {-0.5 * height, 0.5 * height}) {
    for (std::uint32_t k = 0; k < around; ++k) {
      const Real angle = 2.0 * std::numbers::pi * k / around, r = k % 2 == 0 ? 0.4 : 0.15;
      mesh.positions.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
    mesh.positions.emplace_back(0.0, 0.0, z);
  }
  const std::uint32_t top = around + 1;
  for (std::uint32_t k = 0; k < around; ++k) {
    const std::uint32_t next = (k + 1) % around;
    mesh.triangles.push_back({around, next, k});
    mesh.triangles.push_back({top + around, top + k, top + next});
    mesh.triangles.push_back({k, next, top + next});
    mesh.triangles.push_back({k, top + next, top + k});
  }
  return mesh;
}

Shape shapeOf(TriangleMesh mesh) {
  ShapeSettings plain;
  plain.quality = TreeQuality::None;  // manifolds need no sphere tree
  Shape shape = valueOf(makeShape(std::move(mesh), plain));
  prepare(shape);  // otherwise the first step does this
  return shape;
}

/// A body of one kilogram. Its origin must be its centre of mass.
Body bodyOf(const Shape& shape, const Pose& pose) {
  const MassProperties mass = valueOf(massProperties(shape));
  return {shape, pose, 1.0, glm::inverse(mass.inertia / mass.volume)};
}

Solver onFloor() {
  Solver solver;
  solver.bodies.push_back({shapeOf(valueOf(boxMesh({10.0, 10.0, 0.5}))), {{0.0, 0.0, -0.5}}});
  return solver;
}

struct Motion {
  Real energy = 0.0;   ///< joules
  Real lowest = 1e9;   ///< metres: the lowest centre of mass
  Real highest = 0.0;  ///< metres: the highest
};

Motion motionAfter(Solver& solver, Real seconds) {
  for (int step = 0; step < static_cast<int>(seconds / Solver::dt); ++step) solver.step();
  Motion motion;
  for (const Body& body : solver.bodies) {
    if (body.perMass == 0.0) continue;
    const Vec3 spin = glm::conjugate(body.pose.rotation) * body.spin;
    motion.energy += 0.5 * glm::dot(body.velocity, body.velocity) / body.perMass +
                     0.5 * glm::dot(spin, glm::inverse(body.perInertia) * spin);
    motion.lowest = std::min(motion.lowest, body.pose.position.z);
    motion.highest = std::max(motion.highest, body.pose.position.z);
  }
  return motion;
}

}  // namespace

int main() {
  Solver boxes = onFloor();
  const Shape box = shapeOf(valueOf(boxMesh(Vec3(0.5))));
  for (int i = 0; i < 10; ++i) boxes.bodies.push_back(bodyOf(box, {{0.0, 0.0, 0.5 + i}}));
  const Motion stack = motionAfter(boxes, 5.0);
  std::printf("ten boxes: %.1e J after 5 s, the highest at %.2f m\n", stack.energy, stack.highest);

  Solver heap = onFloor();
  const Shape stars[]{shapeOf(star(5, 0.3)), shapeOf(star(3, 0.5)), shapeOf(star(7, 0.2))};
  for (int i = 0; i < 30; ++i) {
    const Vec3 at(0.7 * (i % 3) - 0.7, 0.7 * (i / 3 % 2) - 0.35, 0.6 + 0.9 * (i / 6));
    const Quat turned = glm::angleAxis(0.7 * i, glm::normalize(Vec3(1.0, i % 4, 2.0)));
    heap.bodies.push_back(bodyOf(stars[i % 3], {at, turned}));
  }
  const Motion stars30 = motionAfter(heap, 8.0);
  std::printf("thirty stars: %.1e J after 8 s, the lowest at %.2f m\n", stars30.energy,
              stars30.lowest);

  const bool stands = stack.energy < 1e-4 && stack.highest > 9.4;
  const bool rests = stars30.energy < 1e-3 && stars30.lowest > 0.05;
  std::printf("%s, %s\n", stands ? "the stack stands" : "the stack moves",
              rests ? "the heap rests" : "the heap moves");
  return stands && rests ? 0 : 1;
}
