// SPDX-License-Identifier: MIT
#include "pair/parting_translation.h"

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
  measured_ = false;
  descent_ = {};
}

void PartingTranslation::beginGap(const Vec3& translation) {
  moved_ = translation;
  measured_ = false;
  Pose pose = bToA_;
  pose.position += translation;
  distance_.begin(a_->polyhedron(), boxHierarchyOf(*a_), b_->polyhedron(), boxHierarchyOf(*b_),
                  pose);
}

bool PartingTranslation::refineGap(const TimeBudget& budget) {
  if (measured_) return true;
  distance_.refine(std::nullopt, budget);
  if (distance_.known().canRefine) return false;
  take();
  return measured_ = true;
}

void PartingTranslation::take() {
  gap_ = std::max(distance_.known().lower, 0.0);
  if (!(gap_ > 0.0)) return;
  // Any translation nearer than the gap also separates them
  constexpr Real used = 0.99;
  const Real length = glm::length(moved_);
  const Real least = std::max(length - used * gap_, 0.0);
  if (least < length_) {
    length_ = least;
    shortest_ = least > 0.0 ? moved_ * (least / length) : Vec3(0.0);
  }
}

void PartingTranslation::beginDescent(const Vec3& translation) {
  planes_.clear();
  descent_ = {};
  descent_.from = translation;
  descent_.ended = false;
  if (!measured_ || moved_ != translation) beginGap(translation);
}

/// Each gap defines a half-space in which the translation must stay. The shortest translation in
/// all of them is approached, which finds the next half-space.
bool PartingTranslation::refineDescent(const TimeBudget& budget) {
  while (!descent_.ended) {
    if (!refineGap(budget)) return false;
    descent_.approaching ? approach() : arrive();
    if (budget.exhausted()) break;
  }
  return descent_.ended;
}

/// Adds the plane that separates the bodies at `from`.
void PartingTranslation::arrive() {
  Descent& on = descent_;
  ++on.planes;
  on.ended = !(gap_ > 0.0);
  if (on.ended) return;
  const Vec3 normal = glm::normalize(distance_.known().pointB - distance_.known().pointA);
  const auto target = planes_.with({normal, glm::dot(normal, on.from) - gap_});
  on.ended = !target || glm::length(on.from) - glm::length(*target) < 1e-4 * length_;
  if (on.ended) return;
  on.target = *target;
  on.steps = 0;
  on.approaching = true;
}

/// Takes one step towards the target, never through a contact.
void PartingTranslation::approach() {
  constexpr int maxSteps = 10;
  const Real left = glm::distance(moved_, descent_.target);
  if (!(gap_ > 0.0)) return land(moved_);
  if (left <= gap_) return land(descent_.target);
  if (gap_ < 2e-3 * left) return land(moved_);
  const Vec3 next = moved_ + (0.98 * gap_ / left) * (descent_.target - moved_);
  if (++descent_.steps == maxSteps) return land(next);
  beginGap(next);
}

/// Ends one approach, from where the next plane is searched.
void PartingTranslation::land(const Vec3& next) {
  constexpr int maxPlanes = 12;
  Descent& on = descent_;
  on.approaching = false;
  on.ended = on.planes == maxPlanes || glm::distance(next, on.from) < 1e-6 * length_;
  on.from = next;
  if (!on.ended && moved_ != next) beginGap(next);
}

}  // namespace nearmiss
