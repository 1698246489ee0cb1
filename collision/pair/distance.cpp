// SPDX-License-Identifier: MIT
#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/pair.h>

#include <optional>

#include "pair/distance_search.h"
#include "pair/two_bodies.h"

namespace nearmiss {

struct DistanceQuery::Parts {
  TwoBodies bodies;
  DistanceSearch search;
  DistanceBounds known;

  const DistanceBounds& refine(std::optional<Real> tolerance, const TimeBudget& budget) {
    NEARMISS_DEMAND(bodies.taken());
    resetOnThrow(*this, [&] { search.refine(tolerance, budget); });
    take(search.known());
    return known;
  }

  /// Converts to the world frame.
  void take(const DistanceBounds& found) {
    known = found;
    for (Vec3* point : {&known.pointA, &known.pointB}) *point = transformed(bodies.poseA(), *point);
  }
};

DistanceQuery::DistanceQuery() : parts_(std::make_unique<Parts>()) {}
DistanceQuery::DistanceQuery(DistanceQuery&&) noexcept = default;
DistanceQuery& DistanceQuery::operator=(DistanceQuery&&) noexcept = default;
DistanceQuery::~DistanceQuery() = default;

void DistanceQuery::begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB) {
  Parts& p = *parts_;
  // Allocate first, so that on an error the previous pair stays
  const BoxHierarchy &boxesA = boxHierarchyOf(a), &boxesB = boxHierarchyOf(b);
  p.bodies.take(a, poseA, b, poseB);
  p.search.begin(p.bodies.a(), boxesA, p.bodies.b(), boxesB, p.bodies.bToA());
  p.take(p.search.known());
}

DistanceBounds DistanceQuery::refine(const TimeBudget& budget) {
  return parts_->refine(std::nullopt, budget);
}

DistanceBounds DistanceQuery::refineUntil(Real tolerance, const TimeBudget& budget) {
  return parts_->refine(tolerance, budget);
}

const DistanceBounds& DistanceQuery::known() const noexcept {
  NEARMISS_DEMAND(parts_->bodies.taken());
  return parts_->known;
}

DistanceBounds distance(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                        const TimeBudget& budget) {
  DistanceQuery query;
  query.begin(a, poseA, b, poseB);
  return query.refine(budget);
}

}  // namespace nearmiss
