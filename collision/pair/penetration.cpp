// SPDX-License-Identifier: MIT
#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <limits>
#include <utility>

#include "geometry/convex_polytope.h"
#include "geometry/expanding_polytope.h"
#include "geometry/polyhedron_pair.h"
#include "pair/separation_search.h"
#include "pair/two_bodies.h"

namespace nearmiss {
namespace {

const ConvexPolytope& hullOf(const Shape& shape) {
  return KeptWithShape::ofMesh(shape).get<ConvexPolytope>(
      [&shape] { return ConvexPolytope(convexHull(shape.polyhedron().mesh().positions)); });
}

}  // namespace

struct PenetrationQuery::Parts {
  TwoBodies bodies;
  bool fresh = true, searching = false;
  const InnerBalls* ballsA = nullptr;  ///< null: not all are built
  const InnerBalls* ballsB = nullptr;
  Vec3 ofHulls{0.0};  ///< a translation that separates the hulls, frame of a
  SeparationSearch search;
  PenetrationBounds known;

  void compareHulls() {
    const Pose& bToA = bodies.bToA();
    const ConvexPenetration found = penetrationOf({hullOf(bodies.shapeA()), hullOf(bodies.shapeB()),
                                                   glm::mat3_cast(bToA.rotation), bToA.position});
    known.upper = 0.0;
    known.canRefine = found.meet && !found.flat;
    const Real slack = slackOf(bodies.a(), bodies.b(), bToA);
    // A gap between hulls may be due to rounding. In one plane, each body may lie in a notch of the
    // other
    const bool doubtful =
        found.meet ? found.flat : found.direction != Vec3(0.0) && found.gap <= slack;
    if (!found.meet && !doubtful) return;
    if (doubtful && distanceBetween(bodies.a(), bodies.b(), bToA) > 0.0) return;
    known.upper = found.upper + slack;
    known.direction = bodies.poseA().rotation * found.direction;
    ofHulls = known.upper * found.direction;
  }

  /// Builds the inner balls, cached with the shapes, first. Returns false if time ran out.
  bool beginSearch(const TimeBudget& budget) {
    if (searching) return true;
    if (!ballsA) ballsA = innerBallsOf(bodies.shapeA(), budget);
    if (ballsA && !ballsB) ballsB = innerBallsOf(bodies.shapeB(), budget);
    if (!ballsB) return false;
    search.begin(bodies.shapeA(), *ballsA, bodies.shapeB(), *ballsB, bodies.bToA(), ofHulls);
    return searching = true;
  }

  /// Copies the bounds. One body may lie in a notch of the other: their hulls then overlap, but the
  /// bodies are separate.
  void take() {
    known.canRefine = !search.finished();
    known.lower = std::max(known.lower, std::min(search.lower(), search.upper()));
    if (!(search.upper() < known.upper)) return;
    known.upper = search.upper();
    known.direction = known.upper > 0.0
                          ? bodies.poseA().rotation * (search.shortest() / search.upper())
                          : Vec3(0.0);
  }
};

PenetrationQuery::PenetrationQuery() : parts_(std::make_unique<Parts>()) {}
PenetrationQuery::PenetrationQuery(PenetrationQuery&&) noexcept = default;
PenetrationQuery& PenetrationQuery::operator=(PenetrationQuery&&) noexcept = default;
PenetrationQuery::~PenetrationQuery() = default;

void PenetrationQuery::begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB) {
  Parts& p = *parts_;
  p.bodies.take(a, poseA, b, poseB);
  p.fresh = true;
  p.searching = false;
  p.ballsA = p.ballsB = nullptr;
  p.known = {};
  p.known.upper = std::numeric_limits<Real>::infinity();
}

PenetrationBounds PenetrationQuery::refine(const TimeBudget& budget) {
  Parts& p = *parts_;
  NEARMISS_DEMAND(p.bodies.taken());
  return resetOnThrow(p, [&] {
    if (std::exchange(p.fresh, false)) {
      p.compareHulls();
      if (budget.exhausted()) return p.known;
    }
    if (!p.known.canRefine) return p.known;
    if (!p.beginSearch(budget)) return p.known;
    p.search.refine(budget);
    p.take();
    return p.known;
  });
}

PenetrationBounds PenetrationQuery::known() const noexcept {
  NEARMISS_DEMAND(parts_->bodies.taken());
  return parts_->known;
}

PenetrationBounds penetration(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                              const TimeBudget& budget) {
  PenetrationQuery query;
  query.begin(a, poseA, b, poseB);
  return query.refine(budget);
}

}  // namespace nearmiss
