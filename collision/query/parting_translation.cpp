// SPDX-License-Identifier: MIT
#include "query/parting_translation.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <optional>

namespace nearmiss {

void PartingTranslation::begin(const Shape& a, const Shape& b, const Pose& bToA,
                               const Vec3& known) {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  shortest_ = known;
  length_ = glm::length(known);
}

Real PartingTranslation::gapAt(const Vec3& translation, const TimeBudget& budget) {
  Pose pose = bToA_;
  pose.position += translation;
  distance_.begin(a_->polyhedron(), distanceTreeOf(*a_), b_->polyhedron(), distanceTreeOf(*b_),
                  pose);
  distance_.refine(std::nullopt, budget.withoutDeadline());
  const Real gap = distance_.known().lower;
  if (!(gap > 0.0)) return 0.0;
  // Whatever is nearer than the gap parts them too
  constexpr Real used = 0.99;
  const Real length = glm::length(translation);
  const Real least = std::max(length - used * gap, 0.0);
  if (least < length_) {
    length_ = least;
    shortest_ = least > 0.0 ? translation * (least / length) : Vec3(0.0);
  }
  return gap;
}

/// From `from`, where they are apart, towards `to`, never through a contact.
Vec3 PartingTranslation::approach(const Vec3& from, const Vec3& to, const TimeBudget& budget) {
  constexpr int maxSteps = 10;
  Vec3 at = from;
  for (int step = 0; step < maxSteps; ++step) {
    const Real gap = gapAt(at, budget), left = glm::distance(at, to);
    if (!(gap > 0.0)) break;
    if (left <= gap) return to;
    if (gap < 2e-3 * left) break;
    at += (0.98 * gap / left) * (to - at);
  }
  return at;
}

/// Each gap is a plane that the translation has to stay beyond; the shortest beyond all of them is
/// approached, which finds the next.
void PartingTranslation::descend(Vec3 translation, const TimeBudget& budget) {
  constexpr int maxPlanes = 12;
  planes_.clear();
  for (int i = 0; i < maxPlanes; ++i) {
    const Real gap = gapAt(translation, budget);
    if (!(gap > 0.0)) return;
    const Vec3 normal = glm::normalize(distance_.known().pointB - distance_.known().pointA);
    const auto target = planes_.with({normal, glm::dot(normal, translation) - gap});
    if (!target || glm::length(translation) - glm::length(*target) < 1e-4 * length_) return;
    const Vec3 next = approach(translation, *target, budget);
    if (glm::distance(next, translation) < 1e-6 * length_) return;
    translation = next;
  }
}

}  // namespace nearmiss
