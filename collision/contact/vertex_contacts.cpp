// SPDX-License-Identifier: MIT
#include "contact/vertex_contacts.h"

#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

#include "geometry/polyhedron_pair.h"
#include "geometry/solid_cells.h"

namespace nearmiss {
namespace {

/// Returns the direction of a way, or the normal of the face if that leads to the same point within
/// rounding, because a short way has few accurate digits.
Vec3 snapped(const Vec3& way, Real length, const ContactBody& other, std::uint32_t triangle,
             Real slack) {
  constexpr Real rounding = 0.1;
  const Vec3 ofFace = other.normalOf(triangle), outward = way / length;
  const Real cosine = glm::dot(outward, ofFace);
  const bool same = std::abs(cosine) > 1.0 - 1e-9 &&
                    glm::length(way - glm::dot(way, ofFace) * ofFace) <= rounding * slack;
  return same ? std::copysign(1.0, cosine) * ofFace : outward;
}

}  // namespace

void VertexContacts::begin(const ContactBody& a, const ContactBody& b, const Pose& bToA,
                           Real margin, Real probe, Real slack) noexcept {
  a_ = a;
  b_ = b;
  bToA_ = bToA;
  aToB_ = inverseOf(bToA);
  margin_ = margin;
  probe_ = probe;
  slack_ = slack;
  touching_ = touchingDistance(a, b, slack);
}

Real VertexContacts::touchingDistance(const ContactBody& a, const ContactBody& b,
                                      Real slack) noexcept {
  constexpr Real share = 3e-6;
  return std::max(slack, share * std::min(a.polyhedron().radius(), b.polyhedron().radius()));
}

ManifoldPoint VertexContacts::pointOf(bool ofB, std::uint32_t vertex, const Vec3& onOther,
                                      const Vec3& outward, Real depth) const {
  const std::uint64_t id = contactIdOfVertex(ofB, vertex);
  if (ofB) {
    const Vec3 point = transformed(bToA_, b_.mesh().positions[vertex]);
    return {onOther, point, -outward, depth, id};
  }
  return {a_.mesh().positions[vertex], transformed(bToA_, onOther), bToA_.rotation * outward, depth,
          id};
}

VertexContacts::Place VertexContacts::compare(bool ofB, std::uint32_t vertex, std::uint32_t guess,
                                              ContactFindings& found, const SurfaceSides& passed,
                                              std::uint64_t& work) const {
  constexpr std::uint64_t price = 200;
  const ContactBody& other = own(!ofB);
  const Vec3 point = transformed(ofB ? bToA_ : aToB_, own(ofB).mesh().positions[vertex]);
  work += 4;
  const Real reach = std::max(margin_, touching_) + slack_;
  const Real square = squaredDistance(other.polyhedron().bounds(), point);
  if (square > reach * reach) return {false, std::sqrt(square), guess};
  const SolidCells::Side side = SolidCells::of(other.polyhedron()).sideOf(point, probe_);
  if (side == SolidCells::Side::Outside) return {false, probe_, guess};
  work += price;
  bool inside = false;
  const SurfacePoint nearest = other.nearest(point, guess, inside);
  const Place place{inside, inside ? 0.0 : nearest.distance, nearest.triangle};
  if (nearest.distance <= touching_ && other.hasInside())
    addOnSolid(ofB, vertex, nearest, inside ? nearest.distance : -nearest.distance, found, work);
  else if (inside)
    addInside(ofB, vertex, nearest, found, work);
  else if (nearest.distance <= margin_)
    addOutside(ofB, vertex, nearest, found, passed, work);
  return place;
}

/// Adds the point of the face through which the vertex entered. Returns false if there is none.
bool VertexContacts::addWayOut(bool ofB, std::uint32_t vertex, const TouchingVertex& touching,
                               ContactFindings& found) const {
  const std::optional<SurfacePoint> out = touching.wayOut();
  if (!out) return false;
  found.points.push_back(
      pointOf(ofB, vertex, out->position, own(!ofB).normalOf(out->triangle), out->distance));
  return true;
}

/// Adds the contact of a vertex with a rim on which its body rests, but not on an adjacent face.
/// Otherwise returns false.
bool VertexContacts::addOnRim(bool ofB, std::uint32_t vertex, const TouchingVertex& touching,
                              const SurfacePoint& nearest, Real depth,
                              ContactFindings& found) const {
  const Vec3 point = transformed(ofB ? bToA_ : aToB_, own(ofB).mesh().positions[vertex]);
  const Vec3 way = point - nearest.position;
  // A short way has few accurate digits
  std::optional<Vec3> outward;
  if (depth < -slack_) outward = way / nearest.distance;
  if (!outward || !touching.standsOn(*outward)) outward = touching.rimMet();
  if (!outward) return false;
  const Real height = glm::dot(*outward, way);
  if (height > margin_ + slack_) return false;
  found.points.push_back(pointOf(ofB, vertex, point - height * *outward, *outward, -height));
  return true;
}

/// Adds the contact of a vertex on the surface of a solid, with the first of these that exists: the
/// face that its body meets from the front; the face along a wall through which it entered; the rim
/// on which it rests. If there is none, the vertex counts only if nothing else does.
void VertexContacts::addOnSolid(bool ofB, std::uint32_t vertex, const SurfacePoint& nearest,
                                Real depth, ContactFindings& found, std::uint64_t& work) const {
  const ContactBody &body = own(ofB), &other = own(!ofB);
  const Pose& toOther = ofB ? bToA_ : aToB_;
  const TouchingVertex touching(body, vertex, toOther, other, touching_);
  found.certainDepth = std::max(found.certainDepth, depth);
  const std::optional<std::uint32_t> met = touching.faceMet(nearest.triangle);
  const bool out = !met && (addWayOut(ofB, vertex, touching, found) ||
                            addOnRim(ofB, vertex, touching, nearest, depth, found));
  work += touching.work();
  if (out) return;
  // The other body's surface is that of the face; the nearest point may be at a rim of it
  const std::uint32_t face = met.value_or(nearest.triangle);
  const Vec3 outward = other.normalOf(face);
  const Vec3 point = transformed(toOther, body.mesh().positions[vertex]);
  Real height = glm::dot(outward, point - other.mesh().positions[other.mesh().triangles[face][0]]);
  // Outside, next to a rim
  if (depth < 0.0) height = std::max(height, met ? 0.0 : -depth);
  if (height > margin_ + slack_) return;
  const ManifoldPoint contact = pointOf(ofB, vertex, point - height * outward, outward, -height);
  if (met)
    found.points.push_back(contact);
  else if (!found.alongWall)
    found.alongWall = contact;
}

/// Adds the contact of a vertex inside the other body. Its depth is the distance of the nearest
/// surface, if its body rests on that. Otherwise, as in a stack that is slightly out of flush, it
/// entered through another face.
void VertexContacts::addInside(bool ofB, std::uint32_t vertex, const SurfacePoint& nearest,
                               ContactFindings& found, std::uint64_t& work) const {
  const ContactBody &body = own(ofB), &other = own(!ofB);
  const Pose& toOther = ofB ? bToA_ : aToB_;
  const Vec3 point = transformed(toOther, body.mesh().positions[vertex]);
  const TouchingVertex touching(body, vertex, toOther, other, touching_);
  // A ball of this radius about the vertex lies in the other body
  found.certainDepth = std::max(found.certainDepth, nearest.distance);
  const Vec3 outward =
      snapped(nearest.position - point, nearest.distance, other, nearest.triangle, slack_);
  const ManifoldPoint contact = pointOf(ofB, vertex, nearest.position, outward, nearest.distance);
  if (touching.standsOn(outward))
    found.points.push_back(contact);
  else if (!addWayOut(ofB, vertex, touching, found) &&
           (!found.misfit || contact.depth > found.misfit->depth))
    found.misfit = contact;
  work += touching.work();
}

void VertexContacts::addOutside(bool ofB, std::uint32_t vertex, const SurfacePoint& nearest,
                                ContactFindings& found, const SurfaceSides& passed,
                                std::uint64_t& work) const {
  const ContactBody &body = own(ofB), &other = own(!ofB);
  const Pose& toOther = ofB ? bToA_ : aToB_;
  const Vec3 point = transformed(toOther, body.mesh().positions[vertex]);
  const TouchingVertex touching(body, vertex, toOther, other, touching_);
  Vec3 outward = other.normalOf(nearest.triangle);
  if (nearest.distance > slack_) {
    outward = snapped(point - nearest.position, nearest.distance, other, nearest.triangle, slack_);
    if (passed.possible(ofB) && touching.goesThrough(nearest.position)) {
      work += touching.work();
      return;
    }
    if (!touching.standsOn(outward)) {
      work += touching.work();
      return;
    }
  } else if (touching.comesFromBehind(outward)) {
    outward = -outward;
  }
  work += touching.work();
  found.points.push_back(pointOf(ofB, vertex, nearest.position, outward, -nearest.distance));
}

}  // namespace nearmiss
