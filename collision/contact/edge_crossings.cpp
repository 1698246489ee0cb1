// SPDX-License-Identifier: MIT
#include "contact/edge_crossings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "contact/contact_body.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {

void EdgeCrossings::begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real margin,
                          Real limit, Real slack) noexcept {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  aToB_ = inverseOf(bToA);
  axesOfB_ = glm::mat3_cast(bToA.rotation);
  margin_ = margin;
  limit_ = std::max(limit, slack);
  slack_ = slack;
}

void EdgeCrossings::compare(std::uint64_t pair, ContactFindings& found, SurfaceSides* passed,
                            std::uint64_t& work) const {
  work += 4;
  const SurfaceEdge& ofA = a_->edges().edges()[static_cast<std::uint32_t>(pair >> 32)];
  const SurfaceEdge& ofB = b_->edges().edges()[static_cast<std::uint32_t>(pair)];
  const auto endsOf = [](const ContactBody& body, const SurfaceEdge& edge) {
    const std::vector<Vec3>& positions = body.mesh().positions;
    return std::array{positions[edge.ends[0]], positions[edge.ends[1]]};
  };
  const std::array endsA = endsOf(*a_, ofA), endsB = endsOf(*b_, ofB);
  const std::array normalsB{axesOfB_ * ofB.normals[0], axesOfB_ * ofB.normals[1]};
  const bool crosses = turnsAcross(ofA, axesOfB_ * (endsB[1] - endsB[0])) &&
                       turnsAcross(ofB, (endsA[1] - endsA[0]) * axesOfB_);
  const bool stands = PatchCorners::stand(ofA.normals, normalsB);
  if (!crosses && !stands) return;
  work += 20;
  const FacedEdge a{endsA, ofA.normals, ofA.sides};
  const std::array movedB{transformed(bToA_, endsB[0]), transformed(bToA_, endsB[1])};
  const FacedEdge b{movedB, normalsB, ofB.sides};
  const std::uint64_t id = contactIdOfEdges(pair);
  if (crosses && addCrossing(a, b, id, found, passed, work)) return;
  if (stands) found.corners.look(a, b, id, std::max(margin_, slack_), limit_);
}

/// Adds the nearest points of two edges if these are a contact by themselves; otherwise returns
/// false. If the bodies overlap by less than the edges say, keeps the points as doubtful.
bool EdgeCrossings::addCrossing(const FacedEdge& a, const FacedEdge& b, std::uint64_t id,
                                ContactFindings& found, SurfaceSides* passed,
                                std::uint64_t& work) const {
  const auto nearest = crossingWithin(a.ends, b.ends);
  if (!nearest) return false;
  // For nearly parallel edges, the nearest points have few accurate digits, but the cross product
  // has many
  Vec3 way = preciseCross(a.along(), b.along());
  way /= glm::length(way);
  Real distance = glm::dot(b.ends[0] - a.ends[0], way);
  if (distance < 0.0) {
    distance = -distance;
    way = -way;
  }
  if (distance > limit_) return false;
  const auto outwards = [&](const Vec3& out) {
    return liesBetween(a.normals[0], a.normals[1], out) &&
           liesBetween(b.normals[0], b.normals[1], -out);
  };
  const Vec3 onB = nearest->a + distance * way;
  if (outwards(way) && distance <= std::max(margin_, slack_) && leavesSurfaces(a, b, way)) {
    found.points.push_back({nearest->a, onB, -way, -distance, id});
    return true;
  }
  if (!outwards(-way)) return false;
  const ManifoldPoint point{nearest->a, onB, way, distance, id};
  const bool deep = distance <= slack_ || overlap(a, b, -way, distance, found, work);
  if (deep) {
    found.points.push_back(point);
    return true;
  }
  if (!leavesSurfaces(a, b, -way)) return false;
  if (passed && passed->look(a, b, point, work)) return true;
  if (!found.doubtful || distance < found.doubtful->depth) found.doubtful = point;
  return false;
}

/// Returns true if a way from an edge of a to one of b leads away from the surfaces without an
/// inside that have these edges: between the normals of both faces, on either side, or at a rim not
/// over the face.
bool EdgeCrossings::leavesSurfaces(const FacedEdge& a, const FacedEdge& b, const Vec3& way) const {
  const auto leaves = [](const ContactBody& body, const FacedEdge& edge, const Vec3& out) {
    constexpr Real overFace = 0.3;
    const auto [first, second] = edge.sides;
    if (first == SurfaceEdge::none) return true;
    const Triangle corners = body.mesh().corners(first);
    const Vec3 normal = faceNormalOf(corners);
    if (second != SurfaceEdge::none) {
      const Vec3 other = faceNormalOf(body.mesh().corners(second));
      return liesBetween(normal, other, out) || liesBetween(-normal, -other, out);
    }
    const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3.0 - edge.ends[0];
    const Vec3 along = glm::normalize(edge.along());
    const Vec3 inwards = middle - glm::dot(middle, along) * along;
    return glm::dot(out, inwards) <= overFace * glm::length(inwards);
  };
  // The edges of b are in the frame of a, but its triangles are not
  const auto inB = [&](const Vec3& point) { return transformed(aToB_, point); };
  FacedEdge ofB = b;
  ofB.ends = {inB(b.ends[0]), inB(b.ends[1])};
  return leaves(*a_, a, way) && leaves(*b_, ofB, aToB_.rotation * -way);
}

/// Returns true if the bodies overlap by as much as the faces of two edges say. Edges of two
/// stacked slabs also cross sideways, across all of their overlap. Raises the proven depth.
bool EdgeCrossings::overlap(const FacedEdge& a, const FacedEdge& b, const Vec3& outOfA, Real depth,
                            ContactFindings& found, std::uint64_t& work) const {
  constexpr Real enough = 1.0 / 3.0;
  work += 10;
  const auto ball = ballBetween(a, b, outOfA, depth);
  if (!ball) return false;
  work += 100;
  const Vec3 seenByB = transformed(aToB_, ball->centre);
  if (!a_->contains(ball->centre) || !b_->contains(seenByB)) return false;
  work += 400;
  const Real inA = a_->nearest(ball->centre).distance, inB = b_->nearest(seenByB).distance;
  found.certainDepth = std::max(found.certainDepth, inA + inB);
  return std::min(inA, inB) >= enough * ball->radius;
}

}  // namespace nearmiss
