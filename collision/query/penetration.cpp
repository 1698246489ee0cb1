// SPDX-License-Identifier: MIT
#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/distance.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <string_view>
#include <vector>

#include "geometry/convex_polytope.h"
#include "geometry/expanding_polytope.h"
#include "geometry/polyhedron_pair.h"
#include "narrow/work_meter.h"
#include "query/distance_search.h"
#include "query/two_bodies.h"

namespace nearmiss {
namespace {

constexpr std::string_view cannotPart = "cannot measure the penetration";

const ConvexPolytope& hullOf(const Shape& shape) {
  return KeptWithShape::ofMesh(shape).get<ConvexPolytope>(
      [&shape] { return ConvexPolytope(convexHull(shape.polyhedron().mesh().positions)); });
}

/// The spheres inside a solid at their deepest level; empty for other shapes.
std::vector<Sphere> innerSpheresOf(const Shape& shape) {
  if (!shape.sphereTree() || !shape.polyhedron().report().solid()) return {};
  const InnerSpheres& inner = shape.sphereTree()->data().inner;
  if (inner.empty()) return {};
  std::vector<Sphere> spheres = inner.spheresOf(inner.levelCount() - 1);
  // Deep pairs are found early among large spheres
  std::ranges::stable_sort(spheres, std::ranges::greater{}, &Sphere::radius);
  return spheres;
}

}  // namespace

struct PenetrationQuery::Parts {
  TwoBodies bodies;
  std::array<std::vector<Sphere>, 2> spheres;
  std::vector<Sphere> moved;  ///< those of b, in the frame of a
  std::size_t next = 0;       ///< of a's spheres, the first that was not compared
  bool fresh = true;
  bool hullsMeet = false;
  DistanceSearch distance;  ///< of the surfaces, where only the hulls may meet
  PenetrationBounds known;
  WorkMeter meter;

  void compareHulls() {
    const Pose& bToA = bodies.bToA();
    const ConvexPenetration found = penetrationOf({hullOf(bodies.shapeA()), hullOf(bodies.shapeB()),
                                                   glm::mat3_cast(bToA.rotation), bToA.position});
    hullsMeet = known.canRefine = found.meet;
    if (!found.meet) return;
    known.upper = found.upper + slackOf(bodies.a(), bodies.b(), bToA);
    known.direction = bodies.poseA().rotation * found.direction;
    distance.begin(bodies.a(), distanceTreeOf(bodies.shapeA()), bodies.b(),
                   distanceTreeOf(bodies.shapeB()), bToA);
    moved.clear();
    for (const Sphere& sphere : spheres[1])
      moved.push_back({transformed(bToA, sphere.centre), sphere.radius});
  }

  /// One of a's spheres against all of b's: two that overlap have to be moved apart.
  void compareSphere() {
    const Real slack = slackOf(bodies.a(), bodies.b(), bodies.bToA());
    for (const Sphere& other : moved)
      known.lower = std::max(known.lower, overlap(spheres[0][next], other) - slack);
    meter.open().boundTests += moved.size();
    ++next;
    known.lower = std::min(known.lower, known.upper);
  }

  /// True if there are spheres that were not compared.
  [[nodiscard]] bool spheresLeft() const noexcept {
    return next < spheres[0].size() && !moved.empty();
  }

  /// The notch of one body may hold the other: their hulls meet, and nothing is to be parted.
  void compareSurfaces(const TimeBudget& budget) {
    distance.refine(0.0, budget);
    const DistanceBounds& between = distance.known();
    const bool apart = between.lower > 0.0 || (!between.canRefine && between.upper > 0.0);
    if (apart) known = {};
    known.canRefine = !apart && between.canRefine && between.upper > 0.0;
  }
};

PenetrationQuery::PenetrationQuery() : parts_(std::make_unique<Parts>()) {}
PenetrationQuery::PenetrationQuery(PenetrationQuery&&) noexcept = default;
PenetrationQuery& PenetrationQuery::operator=(PenetrationQuery&&) noexcept = default;
PenetrationQuery::~PenetrationQuery() = default;

void PenetrationQuery::begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB) {
  Parts& p = *parts_;
  const bool first = !p.bodies.taken();
  const bool newA = first || p.bodies.shapeA().sphereTree() != a.sphereTree();
  const bool newB = first || p.bodies.shapeB().sphereTree() != b.sphereTree();
  p.bodies.take(a, poseA, b, poseB);
  if (newA) p.spheres[0] = innerSpheresOf(a);
  if (newB) p.spheres[1] = innerSpheresOf(b);
  p.next = 0;
  p.fresh = true;
  p.known = {};
  p.meter.reset();
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
  if (std::exchange(p.fresh, false)) p.compareHulls();
  if (!p.known.canRefine) return p.known;
  bool outOfTime = false;
  while (!outOfTime && p.spheresLeft()) {
    outOfTime = p.meter.outOfTime(budget);
    if (!outOfTime) p.compareSphere();
  }
  p.meter.settle(budget);
  if (p.spheresLeft()) return p.known;
  // Spheres inside both prove contact
  if (p.known.lower > 0.0)
    p.known.canRefine = false;
  else
    p.compareSurfaces(budget);
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
