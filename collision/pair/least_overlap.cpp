// SPDX-License-Identifier: MIT
#include "pair/least_overlap.h"

#include <algorithm>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();

Real lowestOf(const std::vector<Vec3>& points, const Vec3& direction) noexcept {
  Real lowest = infinite;
  for (const Vec3& point : points) lowest = std::min(lowest, glm::dot(direction, point));
  return lowest;
}

void move(const std::vector<Vec3>& points, const Pose& pose, std::vector<Vec3>& moved) {
  moved.clear();
  for (const Vec3& point : points) moved.push_back(transformed(pose, point));
}

}  // namespace

bool LeastOverlap::search(const ConvexSolid& a, const ConvexSolid& b, const Pose& bToA, Real reach,
                          Real slack) {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  aToB_ = inverseOf(bToA);
  axesOfB_ = glm::mat3_cast(bToA.rotation);
  reach_ = reach;
  slack_ = slack;
  depth_ = least_ = infinite;
  work_ = 0;
  move(b.positions(), bToA_, verticesB_);
  move(a.positions(), aToB_, verticesA_);
  return searchFaces(a, b, verticesB_, transformed(bToA_, b.centre()), heightsA_, false) &&
         searchFaces(b, a, verticesA_, transformed(aToB_, a.centre()), heightsB_, true) &&
         searchEdges();
}

/// An axis with a smaller overlap replaces the previous one, unless the difference is within
/// rounding.
void LeastOverlap::offer(const Vec3& outOfA, Real depth) noexcept {
  least_ = std::min(least_, depth);
  if (!(depth < depth_ - slack_)) return;
  depth_ = depth;
  normal_ = outOfA;
}

/// Skips faces behind which the other solid's inner ball alone reaches as deep as the known
/// overlap.
bool LeastOverlap::searchFaces(const ConvexSolid& own, const ConvexSolid& other,
                               const std::vector<Vec3>& others, const Vec3& centreOfOther,
                               std::vector<Real>& heights, bool ofB) {
  heights.clear();
  for (const ConvexSolid::Face& face : own.faces()) {
    const Real height = face.offset - glm::dot(face.normal, centreOfOther);
    heights.push_back(height);
    if (height + other.innerRadius() >= least_) continue;
    offer(ofB ? axesOfB_ * -face.normal : face.normal, face.offset - lowestOf(others, face.normal));
    work_ += others.size() / 4 + 1;
    if (least_ < -reach_) return false;
  }
  return true;
}

Real LeastOverlap::overlapAlong(const Vec3& outOfA) const noexcept {
  return -lowestOf(verticesB_, outOfA) - lowestOf(a_->positions(), -outOfA);
}

/// Lists the edges that can still lower the overlap. The height of an edge above the other centre,
/// minus the radius of the other inner ball, is a lower bound on the overlap along its normals.
void LeastOverlap::listEdges(const ConvexSolid& own, const std::vector<Real>& heights,
                             Real otherRadius, std::vector<NearEdge>& edges, bool ofB) {
  edges.clear();
  for (const ConvexSolid::Edge& edge : own.edges()) {
    Real height = std::min(heights[edge.faces[0]], heights[edge.faces[1]]);
    if (height < 0.0) height *= edge.widest;
    if (height + otherRadius >= least_) continue;
    const Vec3 &left = own.faces()[edge.faces[0]].normal,
               &right = own.faces()[edge.faces[1]].normal;
    if (ofB)
      edges.push_back(
          {verticesB_[edge.ends[0]], axesOfB_ * edge.along, axesOfB_ * left, axesOfB_ * right});
    else
      edges.push_back({own.positions()[edge.ends[0]], edge.along, left, right});
  }
  work_ += own.edges().size() / 8;
}

/// Two edges form a face of the Minkowski difference if the arcs of their normals intersect on the
/// unit sphere. Other directions across two edges overlap by more.
bool LeastOverlap::searchEdges() {
  constexpr Real parallel = 1e-9;
  listEdges(*a_, heightsA_, b_->innerRadius(), edgesA_, false);
  listEdges(*b_, heightsB_, a_->innerRadius(), edgesB_, true);
  work_ += edgesA_.size() * edgesB_.size() / 4;
  for (const NearEdge& a : edgesA_)
    for (const NearEdge& b : edgesB_) {
      const Real leftB = glm::dot(b.left, a.along), rightB = glm::dot(b.right, a.along);
      if (leftB * rightB >= 0.0) continue;
      const Real leftA = glm::dot(a.left, b.along), rightA = glm::dot(a.right, b.along);
      if (leftA * rightA >= 0.0 || leftB * rightA >= 0.0) continue;
      Vec3 across = glm::cross(a.along, b.along);
      const Real length = glm::length(across);
      if (length < parallel) continue;
      across /= glm::dot(across, a.left + a.right) > 0.0 ? length : -length;
      if (glm::dot(across, a.start - b.start) >= least_) continue;
      // For nearly parallel edges the direction is inaccurate, but its overlap is not
      work_ += (verticesA_.size() + verticesB_.size()) / 4 + 1;
      offer(across, overlapAlong(across));
      if (least_ < -reach_) return false;
    }
  return true;
}

}  // namespace nearmiss
