// SPDX-License-Identifier: MIT
#include "pair/separation_search.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

namespace nearmiss {
namespace {

/// The bounds have met if the lower is at least this share of the upper.
constexpr Real metShare = 0.96;
constexpr std::uint32_t maxCubes = 120000;
/// Cubes with a smaller half side, relative to the upper bound, are not split.
constexpr Real smallestHalf = 2e-5;
/// The same if nothing can prove contact, so that cubes only find separating translations.
constexpr Real smallestHalfUnproven = 0.06;
/// Step length of a march, relative to the upper bound.
constexpr Real marchShare = 0.02;

}  // namespace

void SeparationSearch::begin(const Shape& a, const InnerBalls& ballsA, const Shape& b,
                             const InnerBalls& ballsB, const Pose& bToA, const Vec3& known) {
  parting_.begin(a, b, bToA, known);
  proofs_.begin(a, ballsA, b, ballsB, bToA);
  look_ = {};
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
  chooseDirections(bToA);
  // Only a hint, so it must not take long
  constexpr std::size_t maxLeafPairs = std::size_t{1} << 15;
  normal_.begin(a.polyhedron(), b.polyhedron(), bToA, maxLeafPairs);
}

/// Chooses directions that are often the shortest: the axes of both bodies, and that of the hulls.
void SeparationSearch::chooseDirections(const Pose& bToA) {
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
}

/// Inserts both directions along the normal of the intersecting surfaces before these.
void SeparationSearch::seekNormal() {
  normal_.step(meter_.open().boundTests);
  if (!normal_.ended() || !normal_.found()) return;
  const Vec3& normal = *normal_.found();
  for (const Vec3& way : {normal, -normal}) marches_.push_back({way, 0.0, {}});
}

void SeparationSearch::pushFrom(const Vec3& translation) {
  constexpr int maxSteps = 16;
  planes_.clear();
  push_ = {translation, {}, maxSteps};
}

/// Chooses the next action: ways out of contact, then marches, then cubes.
void SeparationSearch::choose() {
  if (push_.left > 0) return look(Act::Push, push_.translation, push_.deepest, upper());
  if (!normal_.ended()) return seekNormal();
  if (!marches_.empty()) {
    const March& on = marches_.back();
    look_.least = marchShare * upper();
    return look(Act::March, on.at * on.direction, on.at == 0.0 ? atRest_ : on.near,
                8.0 * look_.least);
  }
  look_.cell = cells_.takeFirst();
  look(Act::Visit, look_.cell.centre, look_.cell.near, std::sqrt(3.0) * look_.cell.half);
}

/// Starts to look for a point deep in both bodies, or else for a gap between them.
void SeparationSearch::look(Act act, const Vec3& translation, const ContactBall& near,
                            Real enough) {
  look_.act = act;
  look_.translation = translation;
  look_.enough = enough;
  apart_ = false;
  proofs_.beginQuick(translation, near, enough);
  look_.stage = Stage::Quick;
}

void SeparationSearch::endQuick() {
  look_.found = proofs_.deepest();
  if (look_.found.radius >= look_.enough) {
    look_.stage = Stage::Verdict;
  } else if (look_.found.radius <= 0.0) {
    parting_.beginGap(look_.translation);
    look_.stage = Stage::Gap;
  } else {
    proofs_.beginThorough(look_.found, look_.enough);
    look_.stage = Stage::Climb;
  }
}

/// Evaluates the result at the translation, before a descent from there.
void SeparationSearch::judge() {
  look_.stage = Stage::End;
  bool descends = false;
  switch (look_.act) {
    case Act::Push:
      descends = judgePush();
      break;
    case Act::March:
      descends = judgeMarch();
      break;
    case Act::Visit:
      descends = apart_ && glm::length(look_.translation) < 1.5 * upper();
      break;
  }
  if (!descends) return;
  parting_.beginDescent(look_.translation);
  look_.stage = Stage::Descent;
}

/// Ends one step out of contact. Each deep point gives a half-space beyond which it proves nothing;
/// the shortest translation in all half-spaces is tried next.
bool SeparationSearch::judgePush() {
  const int left = push_.left - 1;
  push_.left = 0;
  push_.deepest = look_.found;
  if (apart_) return true;
  const Real depth = push_.deepest.radius;
  if (!(depth > 0.0)) return false;
  const Vec3 way = proofs_.wayOut(push_.deepest);
  const auto next = planes_.with({way, glm::dot(way, look_.translation) + 1.02 * depth});
  if (!next || glm::length(*next) >= upper()) return false;
  push_.translation = *next;
  push_.left = left;
  return false;
}

/// Ends one step along the last direction, which is finished if the bodies are separate.
bool SeparationSearch::judgeMarch() {
  March& on = marches_.back();
  on.near = look_.found;
  if (on.at == 0.0) {
    atRest_ = on.near;
    proven_ = std::max(proven_, on.near.radius);
  }
  on.at += std::max(on.near.radius, look_.least);
  if (apart_ || on.at >= upper()) marches_.pop_back();
  return apart_;
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

/// Finishes the cube or splits it.
void SeparationSearch::endVisit() {
  const Cell& cell = look_.cell;
  const ContactBall& found = look_.found;
  if (found.radius > 0.0) proven_ = std::max(proven_, found.radius - glm::length(cell.centre));
  if (found.radius >= look_.enough) return;
  const bool shallow = !apart_ && found.radius < 0.3 * look_.enough;
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

void SeparationSearch::end() {
  if (look_.act == Act::Visit) endVisit();
  look_.stage = Stage::Choice;
  raise();
  finished_ = lower_ >= metShare * upper();
  if (marches_.empty() && push_.left == 0)
    finished_ |= cells_.empty() || cellCount_ > maxCubes || cells_.first().nearest >= upper();
}

/// Advances by the smallest possible step. Gaps and descents check the time themselves.
void SeparationSearch::step(const TimeBudget& budget) {
  switch (look_.stage) {
    case Stage::Choice:
      return choose();
    case Stage::Quick:
      if (!proofs_.stepQuick()) endQuick();
      return;
    case Stage::Gap:
      if (!parting_.refineGap(budget)) return;
      apart_ = parting_.gap() > 0.0;
      look_.stage = apart_ || !solid_ ? Stage::Verdict : Stage::Climb;
      if (look_.stage == Stage::Climb) proofs_.beginThorough(look_.found, look_.enough);
      return;
    case Stage::Climb:
      if (proofs_.stepThorough()) return;
      look_.found = proofs_.deepest();
      look_.stage = Stage::Verdict;
      return;
    case Stage::Verdict:
      return judge();
    case Stage::Descent:
      if (parting_.refineDescent(budget)) look_.stage = Stage::End;
      return;
    case Stage::End:
      return end();
  }
}

void SeparationSearch::refine(const TimeBudget& budget) {
  while (!finished_) {
    const bool measures = look_.stage == Stage::Gap || look_.stage == Stage::Descent;
    step(budget);
    meter_.open().boundTests += proofs_.takeWork();
    // A gap has charged its own work
    if (meter_.outOfTime(budget) || (measures && budget.exhausted())) break;
  }
  meter_.settle(budget);
}

}  // namespace nearmiss
