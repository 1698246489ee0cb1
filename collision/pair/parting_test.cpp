// SPDX-License-Identifier: MIT
#include "pair/parting_test.h"

#include <algorithm>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

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
  constexpr std::size_t atOnce = 4, mostLeaves = std::size_t{1} << 12;
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
    if (found_ > mostLeaves) return end(false);
  }
  const std::span<const LeafPair> left = std::span(leaves_).subspan(next_);
  const std::span<const LeafPair> some = left.first(std::min(atOnce, left.size()));
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

}  // namespace nearmiss
