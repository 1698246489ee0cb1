// SPDX-License-Identifier: MIT
#include "interference/clash_sorter.h"

#include <algorithm>
#include <utility>

namespace nearmiss::engine {
namespace {

/// Maximum number of relative poses to remember for a pair of shapes, because each is compared.
constexpr std::size_t maxDuplicates = 64;

Vec3 centreOf(const Shape& shape, const Pose& pose) {
  return transformed(pose, shape.polyhedron().bounds().centre());
}

}  // namespace

ClashSorter::ClashSorter(Shape a, Shape b, const ClashLimits& limits,
                         const std::atomic<bool>* cancelled)
    : a_(std::move(a)),
      b_(std::move(b)),
      limits_(limits),
      tolerance_(std::max(limits.tolerance, clashRounding * (a_.radius() + b_.radius()))),
      clock_(cancelled) {}

void ClashSorter::makeEdges() {
  if (!edgesA_) edgesA_ = edgesOf(a_.polyhedron().mesh());
  if (!edgesB_) edgesB_ = edgesOf(b_.polyhedron().mesh());
}

EdgeSearch ClashSorter::searchOf(bool ofB) const {
  return ofB ? EdgeSearch(b_.polyhedron(), *edgesB_, a_.polyhedron(), bToA_, tolerance_, clock_)
             : EdgeSearch(a_.polyhedron(), *edgesA_, b_.polyhedron(), aToB_, tolerance_, clock_);
}

/// Classifies pairs that are farther apart than the tolerance. Returns false for others.
bool ClashSorter::classifyByDistance(const Pose& poseA, const Pose& poseB, Clash& clash) {
  const Real reach = std::max(limits_.clearance, tolerance_);
  distance_.begin(a_, poseA, b_, poseB);
  if (distance_.refineUntil(reach, clock_.budget()).lower > reach) return true;
  const DistanceBounds gap = distance_.refine(clock_.budget());
  clash.gap = gap.upper;
  clash.at = 0.5 * (gap.pointA + gap.pointB);
  if (gap.upper <= tolerance_) return false;
  if (gap.lower <= limits_.clearance) clash.kind = ClashClass::WithinClearance;
  return true;
}

/// Classifies duplicates and enclosed objects. Returns false for others.
bool ClashSorter::sortHeld(const Pose& poseA, const Pose& poseB, Clash& clash) {
  EdgeSearch ofA = searchOf(false), ofB = searchOf(true);
  // Most pairs are decided by the first vertices
  const bool aLeaves = ofA.reaches(SurfaceSide::Outside);
  const bool bLeaves = ofB.reaches(SurfaceSide::Outside);
  if (aLeaves && bLeaves) return false;
  const bool aEnters = ofA.reaches(SurfaceSide::Inside);
  const bool bEnters = ofB.reaches(SurfaceSide::Inside);
  if (!aLeaves && !bLeaves && !aEnters && !bEnters) {
    clash.kind = ClashClass::Duplicate;
    clash.gap = 0.0;
    clash.at = centreOf(a_, poseA);
    if (!clock_.cancelled() && duplicates_.size() < maxDuplicates) duplicates_.push_back(bToA_);
    return true;
  }
  // An object along the wall of another must reach into it; otherwise it touches from outside
  const bool aHeld = !aLeaves && !bEnters && b_.solid() && (aEnters || ofA.holdsFace());
  const bool bHeld = !bLeaves && !aEnters && a_.solid() && (bEnters || ofB.holdsFace());
  if (!aHeld && !bHeld) return false;
  clash.kind = ClashClass::Enclosed;
  clash.gap = 0.0;
  clash.ofB = !aHeld;
  clash.at = aHeld ? centreOf(a_, poseA) : centreOf(b_, poseB);
  return true;
}

/// Classifies protruding objects by a deep vertex, edge or face. Returns false if there is none.
bool ClashSorter::sortProtruding(const Pose& poseA, const Pose& poseB, Clash& clash) {
  protrusion_.begin(a_, poseA, b_, poseB);
  const Protrusion deepest = protrusion_.refine(clock_.budget());
  if (deepest.depth > tolerance_) {
    clash.part = DeepestPart::Vertex;
    clash.depth = deepest.depth;
    clash.ofB = deepest.ofB;
    clash.at = deepest.from;
  } else {
    const auto take = [&](DeepestPart part, bool ofB,
                          const std::optional<EdgeSearch::Point>& found) {
      if (!found || found->away <= clash.depth) return;
      clash.part = part;
      clash.depth = found->away;
      clash.ofB = ofB;
      clash.at = transformed(ofB ? poseA : poseB, found->at);
    };
    for (const bool ofB : {false, true})
      take(DeepestPart::Edge, ofB, searchOf(ofB).farthest(SurfaceSide::Inside));
    if (clash.part == DeepestPart::None)
      for (const bool ofB : {false, true}) take(DeepestPart::Face, ofB, searchOf(ofB).deepOnFace());
  }
  if (clash.part == DeepestPart::None) return false;
  clash.kind = ClashClass::Protruding;
  clash.gap = 0.0;
  return true;
}

/// Returns true if the relative pose is, up to rounding, that of earlier duplicates.
bool ClashSorter::isKnownDuplicate() const noexcept {
  // Far below the tolerance, which is at least clashRounding of the sizes
  constexpr Real rounding = 1e-13;
  const Real size = a_.radius() + b_.radius();
  return std::ranges::any_of(duplicates_, [&](const Pose& known) {
    const Quat turned = known.rotation - bToA_.rotation, opposite = known.rotation + bToA_.rotation;
    return glm::distance(known.position, bToA_.position) <= rounding * size &&
           std::min(glm::length(turned), glm::length(opposite)) <= rounding;
  });
}

Clash ClashSorter::sort(const Pose& poseA, const Pose& poseB) {
  Clash clash;
  bToA_ = relativePose(poseA, poseB);
  if (isKnownDuplicate()) {
    clash.kind = ClashClass::Duplicate;
    clash.at = centreOf(a_, poseA);
    return clash;
  }
  contact_.begin(a_, poseA, b_, poseB);
  const bool contact = contact_.refine(clock_.budget()).verdict == Verdict::Contact;
  if (!contact && classifyByDistance(poseA, poseB, clash)) return clash;
  if (clock_.cancelled()) return clash;
  makeEdges();
  aToB_ = relativePose(poseB, poseA);
  if (sortHeld(poseA, poseB, clash) || sortProtruding(poseA, poseB, clash)) return clash;
  if (contact) {
    distance_.begin(a_, poseA, b_, poseB);
    const DistanceBounds gap = distance_.refine(clock_.budget());
    clash.at = 0.5 * (gap.pointA + gap.pointB);
  }
  // Without an inside, crossing surfaces have no depth
  clash.kind =
      contact && !(a_.solid() && b_.solid()) ? ClashClass::Protruding : ClashClass::Touching;
  return clash;
}

}  // namespace nearmiss::engine
