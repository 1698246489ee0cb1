// SPDX-License-Identifier: MIT
#include "descent/leaf_triangles.h"

#include <nearmiss/shape.h>

#include <algorithm>

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
  // Comparing the parts in the region spares most of the comparisons that other leaves make too
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

}  // namespace nearmiss
