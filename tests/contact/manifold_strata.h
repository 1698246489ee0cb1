// SPDX-License-Identifier: MIT
/// Seeded poses of two bodies in strata: random, near contact, flush, with parallel edges, deep,
/// nested, of closed surfaces that intersect themselves, of open ones, and of convex solids.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <iomanip>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "geometry/triangle_normal.h"
#include "pair/surface_edges.h"
#include "support/box_solids.h"
#include "support/concave_meshes.h"
#include "support/convex_meshes.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss::test {

enum class Stratum {
  Random,
  NearContact,
  Flush,
  ParallelEdges,
  Deep,
  Nested,
  SelfCrossing,
  Open,
  Convex  ///< placed as in one of the first six
};
inline constexpr std::array allStrata{
    Stratum::Random, Stratum::NearContact,  Stratum::Flush, Stratum::ParallelEdges, Stratum::Deep,
    Stratum::Nested, Stratum::SelfCrossing, Stratum::Open,  Stratum::Convex};
[[nodiscard]] inline std::string nameOf(Stratum stratum) {
  constexpr std::array names{"Random", "NearContact",  "Flush", "ParallelEdges", "Deep",
                             "Nested", "SelfCrossing", "Open",  "Convex"};
  return names[static_cast<std::size_t>(stratum)];
}
inline void PrintTo(Stratum stratum, std::ostream* out) { *out << nameOf(stratum); }

struct NamedShape {
  const char* name;
  Shape shape;
};

/// About a metre in size, except those that nest in others.
struct StratumShapes {
  static NamedShape of(const char* name, TriangleMesh mesh) {
    return {name, treelessShape(std::move(mesh))};
  }
  static TriangleMesh angle() {
    return meshOf(std::array<Box, 2>{Box{{-0.5, -0.5, -0.2}, {0.5, -0.2, 0.2}},
                                     Box{{-0.5, -0.5, -0.2}, {-0.2, 0.5, 0.2}}});
  }
  static TriangleMesh channel() {
    return meshOf(std::array<Box, 3>{Box{{-0.5, -0.3, -0.4}, {0.5, -0.1, 0.4}},
                                     Box{{-0.5, -0.3, -0.4}, {-0.3, 0.4, 0.4}},
                                     Box{{0.3, -0.3, -0.4}, {0.5, 0.4, 0.4}}});
  }

  std::vector<NamedShape> flat{of("cube", cube(0.5)),
                               of("brick", box({-0.6, -0.4, -0.3}, {0.6, 0.4, 0.3})),
                               of("L", angle()),
                               of("U", channel()),
                               of("gear", gear(8)),
                               of("plate", box({-0.9, -0.7, -0.05}, {0.9, 0.7, 0.05})),
                               of("needle", box({-0.04, -0.04, -1.0}, {0.04, 0.04, 1.0}))};
  std::vector<NamedShape> round{of("torus", torus(20, 10)), of("bumpy ball", bumpyBall(14, 18, 4))};
  std::vector<NamedShape> small{of("small cube", cube(0.05)),
                                of("small needle", box({-0.01, -0.01, -0.09}, {0.01, 0.01, 0.09})),
                                of("small ball", bumpyBall(8, 10, 3, 0.06, 0.01)),
                                of("small gear", gear(5, 4, 1, 1, 0.08, 0.05, 0.06))};
  std::vector<NamedShape> crossed{of("spindle torus", torus(18, 12, 0.25, 0.4)),
                                  of("jack", jack(6, 8)), of("wide knot", knot(48, 6, 2, 3, 0.2))};
  std::vector<NamedShape> open{of("hills", hills(6)), of("open torus", openTorus()),
                               of("bowl", bowl(6, 18))};
  std::vector<NamedShape> solids;  ///< flat and round
  std::vector<NamedShape> convex;  ///< of few faces, the last one small

  StratumShapes() {
    convex = {flat[0],
              flat[1],
              flat[5],
              flat[6],
              of("tetrahedron", tetrahedron()),
              of("hull", roundHull()),
              of("wedge", wedge()),
              of("cylinder", *cylinderMesh(0.4, 0.3, 12)),
              small[0]};
    solids = flat;
    solids.insert(solids.end(), round.begin(), round.end());
  }
};

[[nodiscard]] inline const StratumShapes& stratumShapes() {
  static const StratumShapes shapes;
  return shapes;
}

struct ManifoldCase {
  const NamedShape* a = nullptr;
  const NamedShape* b = nullptr;
  Pose poseA, poseB;

  [[nodiscard]] Real size() const {
    return a->shape.radius() + b->shape.radius() + glm::distance(poseA.position, poseB.position);
  }
};

inline std::ostream& operator<<(std::ostream& out, const Pose& pose) {
  const Vec3& p = pose.position;
  const Quat& r = pose.rotation;
  return out << std::setprecision(17) << "{{" << p.x << ", " << p.y << ", " << p.z << "}, {" << r.w
             << ", " << r.x << ", " << r.y << ", " << r.z << "}}";
}
inline std::ostream& operator<<(std::ostream& out, const ManifoldCase& of) {
  return out << of.a->name << ' ' << of.poseA << ", " << of.b->name << ' ' << of.poseB;
}

/// The smallest rotation of one unit vector onto another.
[[nodiscard]] inline Quat turnOnto(const Vec3& from, const Vec3& to) {
  const Real cosine = glm::dot(from, to);
  if (cosine < -1.0 + 1e-9) return glm::angleAxis(std::numbers::pi, acrossEdge(from));
  const Vec3 axis = glm::cross(from, to);
  return glm::normalize(Quat(1.0 + cosine, axis.x, axis.y, axis.z));
}

/// A gap, or an overlap where below 0: 1e-9 to 1e-2 in size, alike likely in every decade.
[[nodiscard]] inline Real smallGap(Random& random) {
  return std::pow(10.0, random.between(-9.0, -2.0)) * (random.chance(0.5) ? 1.0 : -1.0);
}

/// Moves b along `way` towards a from afar until they nearly touch, or pass each other; then on, to
/// leave `gap`.
inline void approach(ManifoldCase& of, const Vec3& way, Real gap) {
  const Real far = 1.5 * (of.a->shape.radius() + of.b->shape.radius());
  const Vec3 end = of.poseB.position;
  DistanceQuery query;
  Real left = far;
  for (int step = 0; step < 60 && left > -0.3 * far; ++step) {
    of.poseB.position = end - left * way;
    query.begin(of.a->shape, of.poseA, of.b->shape, of.poseB);
    const Real free = query.refine().lower;
    left -= free;
    if (free < 1e-10) break;
  }
  of.poseB.position = end - (left + gap) * way;
}

/// A face that all of a solid lies behind, and a place on it, which is a corner now and then.
struct FacePlace {
  Vec3 normal{0.0}, at{0.0};
};
[[nodiscard]] inline FacePlace outerFace(const Shape& shape, Random& random) {
  const TriangleMesh& mesh = shape.polyhedron().mesh();
  for (;;) {
    const Triangle corners = mesh.corners(
        static_cast<std::size_t>(random.whole(0, static_cast<int>(mesh.triangles.size()) - 1)));
    const Vec3 normal = faceNormalOf(corners);
    const Real height = glm::dot(normal, corners[0]);
    const bool outermost = std::ranges::all_of(
        mesh.positions, [&](const Vec3& p) { return glm::dot(normal, p) < height + 1e-9; });
    if (!outermost) continue;
    if (random.chance(0.25)) return {normal, corners[0]};
    const Real u = random.unit(), v = random.unit() * (1.0 - u);
    return {normal, corners[0] + u * (corners[1] - corners[0]) + v * (corners[2] - corners[0])};
  }
}

inline void placeFlush(ManifoldCase& of, Random& random) {
  const FacePlace onA = outerFace(of.a->shape, random), onB = outerFace(of.b->shape, random);
  const Real quarter = 0.5 * std::numbers::pi;
  const Real angle = random.chance(0.4)   ? quarter * random.whole(0, 3)
                     : random.chance(0.3) ? quarter * random.whole(0, 3) + smallGap(random)
                                          : random.between(-3.0, 3.0);
  of.poseB.rotation =
      glm::normalize(glm::angleAxis(angle, onA.normal) * turnOnto(onB.normal, -onA.normal));
  of.poseB.position = onA.at + smallGap(random) * onA.normal - of.poseB.rotation * onB.at;
}

/// A point of a convex edge, along it, and a direction between the normals of its faces.
struct EdgePlace {
  Vec3 at{0.0}, along{0.0}, out{0.0};
  [[nodiscard]] glm::dmat3 frame() const { return {along, out, glm::cross(along, out)}; }
};
[[nodiscard]] inline EdgePlace convexEdge(const Shape& shape, Random& random) {
  const SurfaceEdge& edge = random.anyOf(surfaceEdgesOf(shape).edges());
  const std::vector<Vec3>& positions = shape.polyhedron().mesh().positions;
  const Vec3 from = positions[edge.ends[0]], to = positions[edge.ends[1]];
  const Real share = random.between(0.2, 0.8);
  EdgePlace place;
  place.at = glm::mix(from, to, random.between(0.3, 0.7));
  place.along = glm::normalize(to - from);
  Vec3 out = share * edge.normals[0] + (1.0 - share) * edge.normals[1];
  out -= glm::dot(out, place.along) * place.along;
  place.out = glm::normalize(out);
  return place;
}

inline void placeParallel(ManifoldCase& of, Random& random) {
  const EdgePlace onA = convexEdge(of.a->shape, random);
  EdgePlace onB = convexEdge(of.b->shape, random), wanted;
  wanted.along = random.chance(0.5) ? onA.along : -onA.along;
  wanted.out = -onA.out;
  const Quat parallel = glm::quat_cast(wanted.frame() * glm::transpose(onB.frame()));
  of.poseB.rotation = glm::normalize(glm::angleAxis(smallGap(random), onA.out) * parallel);
  of.poseB.position = onA.at + smallGap(random) * onA.out - of.poseB.rotation * onB.at;
}

/// The small body `b` near a point behind the surface of `a`.
inline void placeInside(ManifoldCase& of, Random& random) {
  const TriangleMesh& mesh = of.a->shape.polyhedron().mesh();
  const Triangle corners = mesh.corners(
      static_cast<std::size_t>(random.whole(0, static_cast<int>(mesh.triangles.size()) - 1)));
  const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3.0;
  of.poseB = {middle - random.between(0.03, 0.15) * faceNormalOf(corners), random.rotation()};
}

/// A sequence of its own for each number: those of Random follow each other if numbers do.
[[nodiscard]] inline Random randomOf(std::uint64_t family, int number) {
  return Random(SplitMix(family << 32 | static_cast<std::uint32_t>(number)).bits());
}

/// One pair of a stratum; the same for the same number.
[[nodiscard]] inline ManifoldCase drawCase(Stratum stratum, int number) {
  Random random = randomOf(static_cast<std::uint64_t>(stratum), number);
  const StratumShapes& shapes = stratumShapes();
  ManifoldCase of;
  const bool convex = stratum == Stratum::Convex;
  const Stratum place = convex ? allStrata[static_cast<std::size_t>(random.whole(0, 5))] : stratum;
  const std::vector<NamedShape>& drawn = convex                    ? shapes.convex
                                         : place == Stratum::Flush ? shapes.flat
                                                                   : shapes.solids;
  of.a = &random.anyOf(drawn);
  of.b = &random.anyOf(drawn);
  of.poseB = {random.inCube(0.2), random.rotation()};
  const Real reach = of.a->shape.radius() + of.b->shape.radius();
  switch (place) {
    case Stratum::Random:
      of.poseB.position = random.between(0.3, 0.9) * reach * random.direction();
      break;
    case Stratum::NearContact:
      approach(of, random.direction(), smallGap(random));
      break;
    case Stratum::Flush:
      placeFlush(of, random);
      break;
    case Stratum::ParallelEdges:
      placeParallel(of, random);
      break;
    case Stratum::Deep:
      of.poseB.position = random.between(0.02, 0.2) * reach * random.direction();
      break;
    case Stratum::Nested:
      of.b = convex ? &shapes.convex.back() : &random.anyOf(shapes.small);
      placeInside(of, random);
      break;
    case Stratum::SelfCrossing:
      of.a = &random.anyOf(shapes.crossed);
      if (random.chance(0.5)) of.b = &random.anyOf(shapes.crossed);
      approach(of, random.direction(),
               random.chance(0.7) ? smallGap(random) : random.between(-0.2, 0.0));
      break;
    case Stratum::Open:
      of.a = &random.anyOf(shapes.open);
      approach(of, of.a == &shapes.open[0] ? Vec3(0.0, -1.0, 0.0) : random.direction(),
               smallGap(random));
      break;
    case Stratum::Convex:
      break;
  }
  if (random.chance(0.5)) std::swap(of.a, of.b), std::swap(of.poseA, of.poseB);
  const Pose whole{random.inCube(3.0), random.rotation()};
  if (random.chance(0.7)) {
    of.poseA = composed(whole, of.poseA);
    of.poseB = composed(whole, of.poseB);
  }
  return of;
}

}  // namespace nearmiss::test
