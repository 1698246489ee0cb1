// SPDX-License-Identifier: MIT
#include "rivals/leaf_comparison.h"

#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <bit>

namespace nearmiss {
LeafTriangles::LeafTriangles(const Shapes& shapes) {
  std::size_t most = 0;
  for (const Shape& shape : shapes)
    most = std::max(most, shape.polyhedron().mesh().positions.size());
  moved_ = MovedCache<Vec3>(most);
}

void LeafTriangles::setBodies(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) noexcept {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  apart_.clear();
  moved_.reset();
}

const Vec3& LeafTriangles::movedVertex(std::uint32_t vertex) noexcept {
  return moved_.get(vertex,
                    [&](Vec3& moved) { moved = transformed(bToA_, b_->mesh().positions[vertex]); });
}

Triangle LeafTriangles::movedTriangle(std::uint32_t triangle) noexcept {
  const auto& corners = b_->mesh().triangles[triangle];
  return {movedVertex(corners[0]), movedVertex(corners[1]), movedVertex(corners[2])};
}

void LeafTriangles::setLeaves(std::span<const std::uint32_t> inA,
                              std::span<const std::uint32_t> inB, const Box& region,
                              WorkCount& work) {
  inA_.clear();
  inB_.clear();
  work.boundTests += inA.size();
  for (const std::uint32_t t : inA) keep(inA_, a_->mesh().corners(t), t, region);
  if (inA_.empty()) return;
  work.boundTests += inB.size();
  for (const std::uint32_t t : inB) keep(inB_, movedTriangle(t), t, region);
}

void LeafTriangles::keep(std::vector<Candidate>& list, const Triangle& corners,
                         std::uint32_t triangle, const Box& region) {
  // Comparing only the parts in the region avoids most comparisons that other leaves also make
  Box part{glm::min(glm::min(corners[0], corners[1]), corners[2]),
           glm::max(glm::max(corners[0], corners[1]), corners[2])};
  if (!overlap(part, region)) return;
  part.low = glm::max(part.low, region.low);
  part.high = glm::min(part.high, region.high);
  list.push_back({part, triangle});
}

LeafTriangles::Outcome LeafTriangles::compare(std::size_t& from, std::size_t effort,
                                              WorkCount& work) {
  const std::size_t columns = inB_.size();
  const std::size_t end = inA_.size() * columns;
  std::size_t spent = 0;
  while (from < end) {
    const Candidate& a = inA_[from / columns];
    for (std::size_t column = from % columns; column < columns; ++column) {
      if (spent++ >= effort) return Outcome::Unfinished;
      const Candidate& b = inB_[column];
      ++from;
      ++work.boundTests;
      if (!overlap(a.box, b.box)) continue;
      if (!apart_.add(a.triangle, b.triangle)) continue;
      spent += WorkMeter::triangleTest;
      ++work.triangleTests;
      if (trianglesMeet(a_->mesh().corners(a.triangle), movedTriangle(b.triangle))) {
        triangleA_ = a.triangle;
        triangleB_ = b.triangle;
        return Outcome::Meet;
      }
    }
  }
  return Outcome::Apart;
}

void LeafComparison::switchTo(const SpherePairWork& w) noexcept {
  leavesTaken_ = false;
  triangles_.setBodies(shapes_[w.setup.shapeA].polyhedron(), shapes_[w.setup.shapeB].polyhedron(),
                       w.setup.bToA);
}

LeafComparison::Outcome LeafComparison::compare(SpherePairWork& w, const TimeBudget& budget) {
  SpherePairStep& step = w.step;
  if (step.stage == SpherePairStep::Stage::Fresh) {
    step.stage = SpherePairStep::Stage::DeepestLeaves;
    leavesTaken_ = false;
  }
  while (step.stage == SpherePairStep::Stage::DeepestLeaves) {
    const Outcome outcome = compareLeaves(w, w.findings.deepestA, w.findings.deepestB);
    if (outcome == Outcome::Meet) return outcome;
    if (outcome == Outcome::Apart) {
      step.stage = SpherePairStep::Stage::Sorting;
      step.at = PackPairPool::begin(w.colliding);
    }
    if (meter_.outOfTime(budget)) return Outcome::Unfinished;
  }
  if (step.stage == SpherePairStep::Stage::Sorting && !sort(w, budget)) return Outcome::Unfinished;
  return compareShelves(w, budget);
}

bool LeafComparison::sort(SpherePairWork& w, const TimeBudget& budget) {
  SpherePairStep& step = w.step;
  while (!step.at.done()) {
    distribute(w, pool_[step.at]);
    pool_.advance(step.at);
    if (meter_.outOfTime(budget)) return false;
  }
  step.stage = SpherePairStep::Stage::Comparing;
  step.bucket = 0;
  step.at = PackPairPool::begin(step.sorted[0]);
  if (!step.at.done()) step.left = pool_[step.at].colliding;
  return true;
}

/// Distributes the pairs of one entry over the buckets. Ties keep the order of the list.
void LeafComparison::distribute(SpherePairWork& w, const PackPair& leaves) {
  const float scale =
      static_cast<float>(SpherePairStep::buckets) / std::max(w.findings.best.overlap, 1e-30f);
  std::array<std::uint64_t, SpherePairStep::buckets> parts{};
  for (std::uint64_t rest = leaves.colliding; rest != 0; rest &= rest - 1) {
    const int bit = std::countr_zero(rest);
    const float overlap =
        trees_.overlapOf(leaves, bit / SpherePack::width, bit % SpherePack::width);
    const float depth =
        std::clamp(overlap * scale, 0.0f, static_cast<float>(SpherePairStep::buckets - 1));
    parts[static_cast<std::size_t>(SpherePairStep::buckets - 1 - static_cast<int>(depth))] |=
        std::uint64_t{1} << bit;
  }
  meter_.open().boundTests += static_cast<std::uint64_t>(std::popcount(leaves.colliding));
  for (std::size_t bucket = 0; bucket < parts.size(); ++bucket)
    if (parts[bucket] != 0)
      pool_.push(w.step.sorted[bucket], {leaves.packA, leaves.packB, parts[bucket]});
}

LeafComparison::Outcome LeafComparison::compareShelves(SpherePairWork& w,
                                                       const TimeBudget& budget) {
  SpherePairStep& step = w.step;
  for (;;) {
    while (step.at.done()) {
      if (++step.bucket == SpherePairStep::buckets) return Outcome::Apart;
      step.at = PackPairPool::begin(step.sorted[static_cast<std::size_t>(step.bucket)]);
      if (!step.at.done()) step.left = pool_[step.at].colliding;
    }
    const PackPair leaves = pool_[step.at];
    while (step.left != 0) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(step.left));
      const SphereId a = leaves.packA * SpherePack::width + bit / SpherePack::width;
      const SphereId b = leaves.packB * SpherePack::width + bit % SpherePack::width;
      const Outcome outcome = a == w.findings.deepestA && b == w.findings.deepestB
                                  ? Outcome::Apart
                                  : compareLeaves(w, a, b);
      if (outcome == Outcome::Meet) return outcome;
      if (outcome == Outcome::Apart) step.left &= step.left - 1;
      if (meter_.outOfTime(budget)) return Outcome::Unfinished;
    }
    pool_.advance(step.at);
    if (!step.at.done()) step.left = pool_[step.at].colliding;
  }
}

/// Compares the triangles of two leaves, at most a quantum of them.
LeafComparison::Outcome LeafComparison::compareLeaves(SpherePairWork& w, SphereId a, SphereId b) {
  if (!leavesTaken_) {
    // A point of contact has a chain of spheres in both trees, so it lies in two leaves that list
    // its triangles. Everything outside either sphere is left to other leaves
    const Sphere sphereA = trees_.a().sphere(a);
    Sphere sphereB = trees_.b().sphere(b);
    sphereB.centre = transformed(w.setup.bToA, sphereB.centre);
    const Real slack = trees_.slack();
    const Box region{glm::max(sphereA.centre - (sphereA.radius + slack),
                              sphereB.centre - (sphereB.radius + slack)),
                     glm::min(sphereA.centre + (sphereA.radius + slack),
                              sphereB.centre + (sphereB.radius + slack))};
    triangles_.setLeaves(trees_.a().trianglesOf(a), trees_.b().trianglesOf(b), region,
                         meter_.open());
    leavesTaken_ = true;
  }
  const Outcome outcome = triangles_.compare(w.step.triangles, WorkMeter::quantum, meter_.open());
  if (outcome == Outcome::Unfinished) return outcome;
  leavesTaken_ = false;
  w.step.triangles = 0;
  leafA_ = a;
  leafB_ = b;
  return outcome;
}

}  // namespace nearmiss
