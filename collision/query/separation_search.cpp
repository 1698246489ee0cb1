// SPDX-License-Identifier: MIT
#include "query/separation_search.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

namespace nearmiss {
namespace {

/// The bounds have met where the lower is this share of the upper.
constexpr Real metShare = 0.96;
constexpr std::uint32_t mostCubes = 120000;
/// Cubes of a smaller half side, as a share of the upper bound, are not split.
constexpr Real smallestHalf = 2e-5;
/// Where nothing can prove contact, cubes only find translations that part.
constexpr Real smallestHalfUnproven = 0.06;
/// A step of a march as a share of the upper bound.
constexpr Real marchShare = 0.02;

}  // namespace

void SeparationSearch::begin(const Shape& a, const Shape& b, const Pose& bToA, const Vec3& known) {
  parting_.begin(a, b, bToA, known);
  proofs_.begin(a, b, bToA);
  solid_ = a.solid() || b.solid();
  lower_ = proven_ = 0.0;
  smallest_ = upper();
  atRest_ = {};
  cells_.clear();
  cellCount_ = shallow_ = 0;
  cells_.add({Vec3(0.0), upper(), 0.0, {}, cellCount_++});
  finished_ = !(upper() > 0.0);
  push_ = {};
  if (solid_) pushFrom(Vec3(0.0));
  meter_.reset();
  chooseDirections(a, b, bToA);
}

/// Those that often are the shortest: where the surfaces cross, and the axes of both.
void SeparationSearch::chooseDirections(const Shape& a, const Shape& b, const Pose& bToA) {
  marches_.clear();
  const auto add = [this](const Vec3& direction) { marches_.push_back({direction, 0.0, {}}); };
  const glm::dmat3 turned = glm::mat3_cast(bToA.rotation);
  for (int axis = 2; axis >= 0; --axis) {
    Vec3 own(0.0);
    own[axis] = 1.0;
    for (const Vec3& way : {turned[axis], own}) {
      add(way);
      add(-way);
    }
  }
  if (upper() > 0.0) add(shortest() / upper());
  if (const auto normal = contactNormal(a.polyhedron(), b.polyhedron(), bToA)) {
    add(*normal);
    add(-*normal);
  }
}

/// A point deep in both, or else a gap between the two.
ContactBall SeparationSearch::contactAt(const Vec3& translation, const ContactBall& near,
                                        Real enough, const TimeBudget& budget) {
  apart_ = false;
  const ContactBall found = proofs_.quick(translation, near, enough);
  if (found.radius >= enough) return found;
  if (found.radius <= 0.0) apart_ = parting_.gapAt(translation, budget) > 0.0;
  return apart_ || !solid_ ? found : proofs_.thorough(found, enough);
}

void SeparationSearch::pushFrom(const Vec3& translation) {
  constexpr int maxSteps = 16;
  planes_.clear();
  push_ = {translation, {}, maxSteps};
}

/// One step out of contact: each deep point is a plane beyond which it is none, and the shortest
/// translation beyond all planes is tried next.
void SeparationSearch::push(const TimeBudget& budget) {
  const Vec3 translation = push_.translation;
  const int left = push_.left - 1;
  push_.left = 0;
  push_.deepest = contactAt(translation, push_.deepest, upper(), budget);
  if (apart_) return parting_.descend(translation, budget);
  const Real depth = push_.deepest.radius;
  if (!(depth > 0.0)) return;
  const Vec3 way = proofs_.wayOut(push_.deepest);
  const auto next = planes_.with({way, glm::dot(way, translation) + 1.02 * depth});
  if (!next || glm::length(*next) >= upper()) return;
  push_.translation = *next;
  push_.left = left;
}

/// One step along the last direction; it is done with where the bodies are apart.
void SeparationSearch::march(const TimeBudget& budget) {
  March& on = marches_.back();
  const Real least = marchShare * upper();
  const Vec3 translation = on.at * on.direction;
  on.near = contactAt(translation, on.at == 0.0 ? atRest_ : on.near, 8.0 * least, budget);
  if (on.at == 0.0) {
    atRest_ = on.near;
    proven_ = std::max(proven_, on.near.radius);
  }
  on.at += std::max(on.near.radius, least);
  if (apart_) parting_.descend(translation, budget);
  if (apart_ || on.at >= upper()) marches_.pop_back();
}

void SeparationSearch::split(const Cell& cell, const ContactBall& found) {
  const Real half = 0.5 * cell.half;
  for (int i = 0; i < 8; ++i) {
    Cell part{cell.centre + half * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), half, 0.0,
              found, cellCount_};
    part.nearest = glm::length(glm::max(glm::abs(part.centre) - Vec3(half), Vec3(0.0)));
    const Real farthest = glm::length(glm::abs(part.centre) + Vec3(half));
    if (part.nearest >= upper() || farthest <= proven_ || found.covers(part.centre, half)) continue;
    ++cellCount_;
    cells_.add(part);
  }
}

void SeparationSearch::visit(const TimeBudget& budget) {
  const Cell cell = cells_.takeFirst();
  const Real enough = std::sqrt(3.0) * cell.half;
  const ContactBall found = contactAt(cell.centre, cell.near, enough, budget);
  const Real away = glm::length(cell.centre);
  if (apart_ && away < 1.5 * upper()) parting_.descend(cell.centre, budget);
  if (found.radius > 0.0) proven_ = std::max(proven_, found.radius - away);
  if (found.radius >= enough) return;
  const bool shallow = !apart_ && found.radius < 0.3 * enough;
  if (shallow && ++shallow_ % 8 == 1) pushFrom(cell.centre);
  if (cell.half < (solid_ ? smallestHalf : smallestHalfUnproven) * upper())
    smallest_ = std::min(smallest_, cell.nearest);
  else
    split(cell, found);
}

void SeparationSearch::raise() {
  Real left = cells_.empty() ? upper() : cells_.first().nearest;
  left = std::max(std::min(left, smallest_), proven_);
  lower_ = std::min(std::max(lower_, left), upper());
}

void SeparationSearch::step(const TimeBudget& budget) {
  if (push_.left > 0) {
    push(budget);
  } else if (!marches_.empty()) {
    march(budget);
  } else if (!cells_.empty()) {
    visit(budget);
  }
  raise();
  finished_ = lower_ >= metShare * upper();
  if (marches_.empty() && push_.left == 0)
    finished_ |= cells_.empty() || cellCount_ > mostCubes || cells_.first().nearest >= upper();
}

void SeparationSearch::refine(const TimeBudget& budget) {
  while (!finished_) {
    step(budget);
    meter_.open().boundTests += proofs_.takeWork();
    if (meter_.outOfTime(budget)) break;
  }
  meter_.settle(budget);
}

}  // namespace nearmiss
