// SPDX-License-Identifier: MIT
#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/distance.h>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <string_view>
#include <utility>

#include "geometry/convex_polytope.h"
#include "geometry/expanding_polytope.h"
#include "geometry/polyhedron_pair.h"
#include "query/separation_search.h"
#include "query/two_bodies.h"

namespace nearmiss {
namespace {

constexpr std::string_view cannotPart = "cannot measure the penetration";

const ConvexPolytope& hullOf(const Shape& shape) {
  return KeptWithShape::ofMesh(shape).get<ConvexPolytope>(
      [&shape] { return ConvexPolytope(convexHull(shape.polyhedron().mesh().positions)); });
}

}  // namespace

struct PenetrationQuery::Parts {
  TwoBodies bodies;
  bool fresh = true, searching = false;
  Vec3 ofHulls{0.0};  ///< a translation that parts the hulls, frame of a
  SeparationSearch search;
  PenetrationBounds known;

  void compareHulls() {
    const Pose& bToA = bodies.bToA();
    const ConvexPenetration found = penetrationOf({hullOf(bodies.shapeA()), hullOf(bodies.shapeB()),
                                                   glm::mat3_cast(bToA.rotation), bToA.position});
    known.canRefine = found.meet;
    if (!found.meet) return;
    known.upper = found.upper + slackOf(bodies.a(), bodies.b(), bToA);
    known.direction = bodies.poseA().rotation * found.direction;
    ofHulls = known.upper * found.direction;
  }

  /// Makes what shapes keep for it, which takes its time.
  void beginSearch() {
    if (!std::exchange(searching, true))
      search.begin(bodies.shapeA(), bodies.shapeB(), bodies.bToA(), ofHulls);
  }

  /// The notch of one body may hold the other: their hulls meet, and nothing is to be parted.
  void take() {
    known.canRefine = !search.finished();
    known.lower = search.lower();
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
  p.known = {};
}

Result<Success> PenetrationQuery::beginChecked(const Shape& a, const Pose& poseA, const Shape& b,
                                               const Pose& poseB) {
  return checked(a, poseA, b, poseB, cannotPart, [&]() -> Result<Success> {
    begin(a, poseA, b, poseB);
    return Success{};
  });
}

PenetrationBounds PenetrationQuery::refine(const TimeBudget& budget) {
  Parts& p = *parts_;
  NEARMISS_DEMAND(p.bodies.taken());
  if (std::exchange(p.fresh, false)) {
    p.compareHulls();
    if (budget.exhausted()) return p.known;
  }
  if (!p.known.canRefine) return p.known;
  p.beginSearch();
  p.search.refine(budget);
  p.take();
  return p.known;
}

PenetrationBounds penetration(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                              const TimeBudget& budget) {
  PenetrationQuery query;
  query.begin(a, poseA, b, poseB);
  return query.refine(budget);
}

Result<PenetrationBounds> penetrationChecked(const Shape& a, const Pose& poseA, const Shape& b,
                                             const Pose& poseB, const TimeBudget& budget) {
  return checked(a, poseA, b, poseB, cannotPart, [&]() -> Result<PenetrationBounds> {
    return penetration(a, poseA, b, poseB, budget);
  });
}

}  // namespace nearmiss
