// SPDX-License-Identifier: MIT
#include "pair/parting.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <optional>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

namespace {

/// Returns the point nearest to the origin on the common line of two planes.
std::optional<Vec3> nearestOn(const PartingPlane& p, const PartingPlane& q) noexcept {
  const Real cosine = glm::dot(p.normal, q.normal);
  const Real determinant = 1.0 - cosine * cosine;
  if (!(determinant > 1e-8)) return std::nullopt;
  return ((p.reach - cosine * q.reach) * p.normal + (q.reach - cosine * p.reach) * q.normal) /
         determinant;
}

std::optional<Vec3> cornerOf(const PartingPlane& p, const PartingPlane& q,
                             const PartingPlane& r) noexcept {
  const Vec3 across = glm::cross(q.normal, r.normal);
  const Real volume = glm::dot(p.normal, across);
  if (!(std::abs(volume) > 1e-5)) return std::nullopt;
  return (p.reach * across + q.reach * glm::cross(r.normal, p.normal) +
          r.reach * glm::cross(p.normal, q.normal)) /
         volume;
}

}  // namespace

std::optional<Vec3> nearestBeyondAll(std::span<const PartingPlane> planes) noexcept {
  std::optional<Vec3> best;
  const auto offer = [&](const std::optional<Vec3>& point) {
    if (!point) return;
    const Real square = glm::dot(*point, *point);
    if (best && square >= glm::dot(*best, *best)) return;
    const Real doubt = 1e-9 * std::sqrt(square);
    for (const PartingPlane& plane : planes)
      if (glm::dot(plane.normal, *point) < plane.reach - doubt) return;
    best = point;
  };
  offer(Vec3(0.0));
  for (std::size_t i = 0; i < planes.size(); ++i) {
    offer(planes[i].reach * planes[i].normal);
    for (std::size_t j = 0; j < i; ++j) {
      offer(nearestOn(planes[i], planes[j]));
      for (std::size_t k = 0; k < j; ++k) offer(cornerOf(planes[i], planes[j], planes[k]));
    }
  }
  return best;
}

std::optional<Vec3> PartingPlanes::with(const PartingPlane& plane) {
  planes_.push_back(plane);
  auto nearest = nearestBeyondAll(planes_);
  while (!nearest && planes_.size() > 1) {
    planes_.erase(planes_.begin());
    nearest = nearestBeyondAll(planes_);
  }
  return nearest;
}

void PartingTest::begin(const TwoBodies& bodies, const Vec3& translation) {
  bodies_ = &bodies;
  bToA_ = bodies.bToA();
  bToA_.position += translation;
  stage_ = Stage::Known;
}

bool PartingTest::step(WorkCount& work) {
  switch (stage_) {
    case Stage::Known:
      compareKnown(work);
      break;
    case Stage::Triangles:
      compareTriangles(work);
      break;
    case Stage::Pieces:
      lookInside(work);
      break;
    case Stage::Ended:
      break;
  }
  return stage_ != Stage::Ended;
}

bool PartingTest::meet(std::uint32_t ta, std::uint32_t tb, const Triangle& cornersB,
                       WorkCount& work) {
  ++work.triangleTests;
  if (!trianglesMeet(bodies_->a().mesh().corners(ta), cornersB)) return false;
  metA_ = ta;
  metB_ = tb;
  return true;
}

void PartingTest::compareKnown(WorkCount& work) {
  const TriangleMesh &a = bodies_->a().mesh(), &b = bodies_->b().mesh();
  // Indices of other bodies may be out of range
  const bool exist = metA_ < a.triangles.size() && metB_ < b.triangles.size();
  if (exist && meet(metA_, metB_, moved(b, metB_, bToA_), work)) return end(false);
  walk_.begin();
  leaves_.clear();
  next_ = found_ = 0;
  stage_ = Stage::Triangles;
}

void PartingTest::compareTriangles(WorkCount& work) {
  constexpr std::size_t batch = 4, maxLeaves = std::size_t{1} << 12;
  constexpr std::uint64_t boxPrice = 8;
  const TrianglePairs pairs(bodies_->a(), bodies_->b(), bToA_);
  if (next_ == leaves_.size()) {
    leaves_.clear();
    next_ = 0;
    if (walk_.ended()) {
      pieces_.begin(bodies_->a(), bodies_->b(), bToA_);
      stage_ = Stage::Pieces;
      return;
    }
    work.boundTests += boxPrice * pairs.step(walk_, leaves_);
    found_ += leaves_.size();
    if (found_ > maxLeaves) return end(false);
  }
  const std::span<const LeafPair> left = std::span(leaves_).subspan(next_);
  const std::span<const LeafPair> some = left.first(std::min(batch, left.size()));
  next_ += some.size();
  bool met = false;
  pairs.forEachOf(some, [&](std::uint32_t ta, std::uint32_t tb, const Triangle& cornersB) {
    met = met || meet(ta, tb, cornersB, work);
  });
  if (met) end(false);
}

void PartingTest::lookInside(WorkCount& work) {
  if (!pieces_.ended()) return pieces_.step(work.boundTests);
  end(!pieces_.found());
}

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
