// SPDX-License-Identifier: MIT
#include "contact/surface_sides.h"

#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <optional>

#include "contact/touching_vertex.h"
#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

namespace {

/// Returns true if a line that reaches both sides of a triangle's plane hits the triangle.
bool meets(const Vec3& from, const Vec3& to, const Triangle& corners) {
  const auto [low, high] = std::minmax({orientation(from, to, corners[0], corners[1]),
                                        orientation(from, to, corners[1], corners[2]),
                                        orientation(from, to, corners[2], corners[0])});
  return low >= 0 || high <= 0;
}

/// Returns 1 for a point in front of the plane of a triangle, -1 behind it.
int sideOf(const Triangle& corners, const Vec3& point) {
  return -orientation(corners[0], corners[1], corners[2], point);
}

Box boxAround(const Vec3& from, const Vec3& to) { return {glm::min(from, to), glm::max(from, to)}; }

}  // namespace

int lastSideLeft(const ContactBody& body, const Vec3& from, const Vec3& to) {
  Real last = -1.0;
  int left = 0;
  body.polyhedron().forEachTriangleIn(boxAround(from, to), [&](std::uint32_t t) {
    const Triangle corners = body.mesh().corners(t);
    const int end = sideOf(corners, to);
    if (end == 0 || sideOf(corners, from) == end || !meets(from, to, corners)) return;
    const Vec3& normal = body.normalOf(t);
    const Real height = std::abs(glm::dot(normal, from - corners[0]));
    const Real at = height / (height + std::abs(glm::dot(normal, to - corners[0])));
    if (at > last) {
      last = at;
      left = -end;
    }
  });
  return left;
}

bool holdsLine(const ContactBody& solid, const Vec3& from, const Vec3& to) {
  if (!solid.contains(to)) return false;
  bool leaves = false;
  solid.polyhedron().forEachTriangleIn(boxAround(from, to), [&](std::uint32_t t) {
    if (leaves || solid.buried(t)) return;
    const Triangle corners = solid.mesh().corners(t);
    leaves = sideOf(corners, from) != sideOf(corners, to) && meets(from, to, corners);
  });
  return !leaves;
}

namespace {

/// Minimum cosine of the angle from a normal; points farther aside are next to a rim.
constexpr Real along = 0.7;

/// Returns true if a surface ends at an edge, or bends there like a box.
bool endsAt(const ContactBody& surface, const SurfaceEdge& edge) {
  const auto [first, second] = edge.sides;
  if (first == SurfaceEdge::none || second == SurfaceEdge::none) return first != second;
  return glm::dot(surface.normalOf(first), surface.normalOf(second)) < along;
}

}  // namespace

void SurfaceSides::begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real reach,
                         Real slack, bool again) noexcept {
  const auto canPass = [](const ContactBody& own, const ContactBody& other) {
    return own.hasInside() && !other.hasInside() &&
           other.polyhedron().report().misorientedEdges == 0;
  };
  ofB_ = canPass(b, a);
  own_ = ofB_ ? &b : canPass(a, b) ? &a : nullptr;
  other_ = ofB_ ? &a : &b;
  toOther_ = ofB_ ? bToA : inverseOf(bToA);
  reach_ = reach;
  slack_ = slack;
  if (!again) {
    known_ = false;
    before_.clear();
    insideBefore_.clear();
  }
  now_.clear();
  insideNow_.clear();
  vertices_.clear();
  edges_.clear();
}

void SurfaceSides::remember(bool cross) noexcept {
  if (!possible()) return;
  if (!cross) {
    std::erase_if(now_, [](const Beyond& beyond) { return beyond.side != 0; });
    insideNow_.clear();
  }
  std::ranges::sort(now_, {}, &Beyond::vertex);
  std::ranges::sort(insideNow_, {}, &Beyond::vertex);
  before_.swap(now_);
  insideBefore_.swap(insideNow_);
  toOtherBefore_ = toOther_;
  known_ = true;
}

/// Returns the side of the surface, at one of its vertices, to which a contact there moves the
/// solid; 0 if that is sideways.
int SurfaceSides::sideOfContact(const Vec3& ofVertex, const ManifoldPoint& contact) const {
  constexpr Real sideways = 0.3;
  const Vec3 back = ofB_ ? -contact.normal : toOther_.rotation * contact.normal;
  const Real ahead = glm::dot(back, ofVertex);
  return std::abs(ahead) < sideways ? 0 : ahead > 0.0 ? 1 : -1;
}

bool SurfaceSides::keepInside(std::uint32_t vertex, const ManifoldPoint* contact) {
  Vec3 normal(0.0);
  for (const std::uint32_t triangle : other_->edges().trianglesAt(vertex))
    normal += other_->normalOf(triangle);
  const Real length = glm::length(normal);
  if (!(length > 0.0)) return true;
  normal /= length;
  const int out = contact && contact->depth > slack_ ? sideOfContact(normal, *contact) : 0;
  const Beyond* before = find(insideBefore_, vertex);
  int side = before ? before->side : out;
  if (!before && known_ && out != 0) {
    // A fast vertex may be nearer to the face on the other side
    const Vec3& point = other_->mesh().positions[vertex];
    const Vec3 moved =
        transformed(inverseOf(toOther_), point) - transformed(inverseOf(toOtherBefore_), point);
    const Real in = glm::dot(toOther_.rotation * moved, normal);
    const Vec3 outOfOwn =
        ofB_ ? glm::conjugate(toOther_.rotation) * contact->normal : -contact->normal;
    // If it was in front of the contact plane in the last pose, it entered through that plane
    const bool cameThere = -glm::dot(moved, outOfOwn) >= contact->depth - slack_;
    if (!cameThere && std::abs(in) > contact->depth) side = in > 0.0 ? 1 : -1;
  }
  if (side != 0) insideNow_.push_back({vertex, side});
  return out == 0 || out == side;
}

const SurfaceSides::Beyond* SurfaceSides::find(const std::vector<Beyond>& all,
                                               std::uint32_t vertex) noexcept {
  const auto found = std::ranges::lower_bound(all, vertex, {}, &Beyond::vertex);
  return found != all.end() && found->vertex == vertex ? &*found : nullptr;
}

bool SurfaceSides::atRim(std::uint32_t triangle) const noexcept {
  return std::ranges::any_of(other_->edges().of(triangle), [&](std::uint32_t e) {
    const SurfaceEdge& edge = other_->edges().edges()[e];
    return edge.sides[0] != SurfaceEdge::none && edge.sides[1] == SurfaceEdge::none;
  });
}

/// Returns true if the surface ends or bends away near one of its points inside the solid, which
/// then straddles that edge.
bool SurfaceSides::endsInside(const Vec3& at, Real distance) const {
  const Pose toOwn = inverseOf(toOther_);
  bool found = false;
  other_->polyhedron().forEachTriangleIn({at - distance, at + distance}, [&](std::uint32_t t) {
    for (const std::uint32_t e : other_->edges().of(t)) {
      const SurfaceEdge& edge = other_->edges().edges()[e];
      if (found || !endsAt(*other_, edge)) continue;
      const Vec3& end = other_->mesh().positions[edge.ends[0]];
      const Vec3 side = other_->mesh().positions[edge.ends[1]] - end;
      const Real share = glm::dot(at - end, side) / glm::dot(side, side);
      const Vec3 nearest = end + std::clamp(share, 0.0, 1.0) * side;
      found = glm::distance(nearest, at) < distance && own_->contains(transformed(toOwn, nearest));
    }
  });
  return found;
}

/// Returns the side from which a vertex beyond the surface comes, judged by the current position of
/// the solid: it must extend at least as far on that side. 0 if unknown.
int SurfaceSides::sideByReach(std::uint32_t vertex, const SurfacePoint& nearest, Real before,
                              std::uint64_t& work) const {
  constexpr std::uint64_t price = 400;
  if (std::abs(before) < along) return 0;
  const Pose toOwn = inverseOf(toOther_);
  const Vec3& point = own_->mesh().positions[vertex];
  const auto goesOn = [&](const std::optional<Vec3>& through) {
    if (!through) return false;
    work += price;
    // A point next to the nearest one may be off the surface
    const Vec3 onSurface = other_->nearest(*through).position,
               inside = transformed(toOwn, *through);
    return own_->contains(transformed(toOwn, onSurface)) &&
           holdsLine(*own_, inside, 2.0 * inside - point) &&
           !endsInside(onSurface, nearest.distance);
  };
  const TouchingVertex touching(*own_, vertex, toOther_, *other_, slack_);
  const Vec3 way = nearest.position - positionOf(vertex, toOther_);
  const bool goes = touching.standsOn(way / nearest.distance) &&
                    (goesOn(nearest.position) || goesOn(touching.intoOwn(way)));
  work += touching.work();
  return !goes ? 0 : before > 0.0 ? -1 : 1;
}

/// Returns how far a point is in front of the surface, relative to its distance. Among the
/// triangles at the nearest point, the one with the largest absolute value counts.
Real SurfaceSides::sideOf(const Vec3& point, const SurfacePoint& nearest) const {
  const Vec3& at = nearest.position;
  Real most = 0.0;
  other_->polyhedron().forEachTriangleIn({at - slack_, at + slack_}, [&](std::uint32_t t) {
    const Triangle corners = other_->mesh().corners(t);
    if (squaredDistance(closestOnTriangle(at, corners), at) > slack_ * slack_) return;
    const Real before = glm::dot(other_->normalOf(t), point - at);
    if (std::abs(before) > std::abs(most)) most = before;
  });
  return most / nearest.distance;
}

/// Returns the side from which a vertex comes, or 0 if it is not known to be beyond the surface.
int SurfaceSides::sideNow(std::uint32_t vertex, const SurfacePoint& nearest, const Beyond* before,
                          std::uint64_t& work) const {
  constexpr std::uint64_t price = 400;
  const Vec3 point = positionOf(vertex, toOther_);
  const bool apart = nearest.distance > slack_;
  const auto byReach = [&] {
    return apart ? sideByReach(vertex, nearest, sideOf(point, nearest), work) : 0;
  };
  if (!known_ || (before && before->side == 0)) return byReach();
  const int side = before ? before->side : 0;
  const Vec3 from = positionOf(vertex, toOtherBefore_);
  if (nearest.distance <= glm::distance(from, point) + slack_) {
    work += price;
    // A vertex on the surface, within rounding, may come from either side
    if (side == 0 && other_->nearest(from).distance <= slack_) return byReach();
    const int began = lastSideLeft(*other_, from, point);
    if (began != 0) return side == -began ? 0 : began;
  }
  return side;
}

bool SurfaceSides::look(std::uint32_t vertex, Real gap, std::uint32_t guess, std::uint64_t& work) {
  constexpr std::uint64_t price = 200;
  const Vec3 point = positionOf(vertex, toOther_);
  const Beyond* before = find(before_, vertex);
  const bool near = known_ && gap <= reach_, doubtful = before && before->side == 0;
  work += 8;
  if (known_ && !before && !(near && atRim(guess)) &&
      gap > glm::distance(positionOf(vertex, toOtherBefore_), point) + slack_)
    return false;
  work += price;
  const SurfacePoint nearest = other_->polyhedron().nearestFrom(point, guess);
  const int side = sideNow(vertex, nearest, before, work);
  const bool apart = nearest.distance > slack_;
  const Real ahead = apart ? sideOf(point, nearest) : 0.0;
  if (side == 0) {
    const bool besideRim = apart && std::abs(ahead) < along && atRim(nearest.triangle);
    if (near && (doubtful || besideRim)) now_.push_back({vertex, 0});
    return false;
  }
  // A small surface inside a large solid is passed by its own vertices
  const Real most = 2.0 * std::min(own_->polyhedron().radius(), other_->polyhedron().radius());
  if (nearest.distance > most) return false;
  const bool aside = std::abs(ahead) < along;
  // It has come back around a rim
  if (!aside && (ahead > 0.0) == (side > 0)) return false;
  now_.push_back({vertex, side});
  if (aside) return true;
  const TouchingVertex touching(*own_, vertex, toOther_, *other_, slack_);
  const Vec3 out = (nearest.position - point) / nearest.distance;
  const bool contact = touching.standsOn(out) && touching.goesThrough(nearest.position);
  work += touching.work();
  if (contact) vertices_.push_back({vertex, nearest.position, out, nearest.distance});
  return true;
}

bool SurfaceSides::look(const FacedEdge& a, const FacedEdge& b, const ManifoldPoint& crossing,
                        std::uint64_t& work) {
  constexpr std::uint64_t depthPrice = 200;
  constexpr Real rounding = 1e-6;
  // Minimum share that the solid must contain of the ball in both wedges
  constexpr Real shared = 1.0 / 3.0;
  if (!possible()) return false;
  const Vec3 back = ofB_ ? -crossing.normal : crossing.normal;
  FacedEdge side = ofB_ ? a : b;
  const auto [first, second] = side.sides;
  if (first == SurfaceEdge::none) return false;
  if (second == SurfaceEdge::none) {
    side.normals = {back, back};
  } else {
    for (std::size_t k = 0; k < 2; ++k) {
      const Vec3 seen = other_->normalOf(side.sides[k]);
      side.normals[k] = ofB_ ? seen : glm::conjugate(toOther_.rotation) * seen;
    }
    const Vec3 sum = side.normals[0] + side.normals[1];
    // For coplanar faces, the vertices suffice
    if (!(glm::length(sum) > rounding) || glm::length(sum) > 2.0 - rounding) return false;
    // Orient the normals as if the surface bounded a solid on the far side
    const Real turn = std::copysign(1.0, glm::dot(back, sum));
    for (Vec3& normal : side.normals) normal *= turn;
  }
  const auto ball = ballBetween(ofB_ ? side : a, ofB_ ? b : side, -crossing.normal, crossing.depth);
  if (!ball) return false;
  const Vec3 centre = ofB_ ? transformed(inverseOf(toOther_), ball->centre) : ball->centre;
  work += depthPrice;
  if (own_->depthOf(centre) < shared * ball->radius) return false;
  edges_.push_back(crossing);
  return true;
}

}  // namespace nearmiss
