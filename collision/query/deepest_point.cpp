// SPDX-License-Identifier: MIT
#include "query/deepest_point.h"

#include <glm/geometric.hpp>

#include "geometry/polyhedron_pair.h"
#include "query/shared_depth.h"

namespace nearmiss {

std::optional<ManifoldPoint> deepestPoint(const TwoBodies& bodies, const InnerBalls& ballsA,
                                          const InnerBalls& ballsB, const Vec3& crossing,
                                          std::uint64_t& work) {
  const Polyhedron &a = bodies.a(), &b = bodies.b();
  const Pose& bToA = bodies.bToA();
  const Real slack = slackOf(a, b, bToA), enough = a.radius();
  SharedDepth shared(a, ballsA, b, ballsB, bToA);
  ContactBall deepest = shared.climbed(shared.quick(Vec3(0.0), {}, enough), enough);
  // Where they share too little for the balls inside of them, from where their surfaces cross
  const ContactBall start = shared.with(Vec3(0.0), crossing);
  for (Real reach = 0.1 * enough; deepest.radius <= 0.0 && reach > slack; reach *= 0.1)
    deepest = shared.climbed(start, reach);
  const Vec3 way = deepest.radius > 0.0 ? shared.wayOut(deepest) : Vec3(0.0);
  work += shared.takeWork();
  if (!(glm::length(way) > 0.0)) return std::nullopt;
  // Along the way out, from the point to both surfaces
  const Vec3 onA = a.nearest(deepest.point).position;
  const Vec3 onB =
      transformed(bToA, b.nearest(transformed(inverseOf(bToA), deepest.point)).position);
  const Vec3 across = onB - onA;
  const Real depth = glm::length(across);
  if (!(depth > slack)) return std::nullopt;
  return ManifoldPoint{onA, onB, across / depth, depth};
}

}  // namespace nearmiss
