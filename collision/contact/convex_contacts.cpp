// SPDX-License-Identifier: MIT
#include "contact/convex_contacts.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <span>
#include <utility>

#include "contact/contact_body.h"

namespace nearmiss {
namespace {

/// Minimum cosine of the angle by which a supporting face may lean.
constexpr Real carryingCosine = 0.95;
/// Maximum sine of the angle by which an edge may lead behind the contact plane.
constexpr Real upright = 0.3;
/// Relative to the smaller inner radius: vertices at most this far outside a face are over it, so
/// that resting bodies with coincident corners keep the same points. ManifoldPoint promises no more
/// than this.
constexpr Real besideRim = 1e-4;

}  // namespace

bool ConvexContacts::find(const ConvexSolid& a, const ConvexSolid& b, const Pose& bToA, Real margin,
                          Real slack, ContactFindings& found, std::uint64_t& work) {
  // Rounding cannot make two axes differ by more
  constexpr Real ofSlack = 0.1;
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  margin_ = margin;
  slack_ = slack;
  beside_ = std::max(slack, besideRim * std::min(a.innerRadius(), b.innerRadius()));
  const bool near = axis_.search(a, b, bToA, margin + slack, ofSlack * slack);
  work += axis_.work();
  if (!near) return true;
  outOfA_ = axis_.normal();
  outOfB_ = -outOfA_ * axis_.axesOfB();
  const std::size_t before = found.points.size();
  addVertices(false, found.points);
  addVertices(true, found.points);
  listEdges(false, edgesA_);
  listEdges(true, edgesB_);
  for (const FacingEdge& ofA : edgesA_)
    for (const FacingEdge& ofB : edgesB_) addCrossing(ofA, ofB, found.points);
  work += (a.positions().size() + b.positions().size()) / 2 + 2 * edgesA_.size() * edgesB_.size();
  Real deepest = -std::numeric_limits<Real>::infinity();
  for (std::size_t i = before; i < found.points.size(); ++i)
    deepest = std::max(deepest, found.points[i].depth);
  if (deepest < axis_.least() - slack) {
    found.points.resize(before);
    return false;
  }
  found.certainDepth = std::max(found.certainDepth, axis_.least());
  return true;
}

/// Adds the vertices of one solid over the supporting faces of the other.
void ConvexContacts::addVertices(bool ofB, std::vector<ManifoldPoint>& points) {
  const Vec3& outOfOther = ofB ? outOfA_ : outOfB_;
  carrying_.clear();
  for (const ConvexSolid::Face& face : own(!ofB).faces())
    if (glm::dot(face.normal, outOfOther) >= carryingCosine) carrying_.push_back(&face);
  if (carrying_.empty()) return;
  // The face across the axis comes first
  std::ranges::sort(carrying_, {}, [&](const ConvexSolid::Face* face) {
    return std::pair(-glm::dot(face->normal, outOfOther), face);
  });
  for (std::uint32_t v = 0; v < own(ofB).vertices().size(); ++v) addVertex(ofB, v, points);
}

/// Adds the contact of a vertex with the first face that it is over or under.
void ConvexContacts::addVertex(bool ofB, std::uint32_t vertex,
                               std::vector<ManifoldPoint>& points) const {
  const Vec3& point = (ofB ? axis_.verticesOfB() : axis_.verticesOfA())[vertex];
  const auto over = std::ranges::find_if(
      carrying_, [&](const ConvexSolid::Face* face) { return isOver(own(!ofB), *face, point); });
  if (over == carrying_.end()) return;
  const ConvexSolid::Face& face = **over;
  const Real height = glm::dot(face.normal, point) - face.offset;
  if (height > margin_ + slack_) return;
  const ConvexSolid& body = own(ofB);
  const ConvexSolid::Vertex& at = body.vertices()[vertex];
  const Vec3 up = ofB ? face.normal * axis_.axesOfB() : axis_.axesOfB() * face.normal;
  if (!stands(body, at, up)) return;
  const std::uint64_t id = contactIdOfVertex(ofB, at.id);
  const Vec3 onFace = point - height * face.normal;
  if (ofB)
    points.push_back({onFace, point, -face.normal, -height, id});
  else
    points.push_back({body.positions()[vertex], transformed(bToA_, onFace), up, -height, id});
}

/// Returns true if a point is straight above or below a face.
bool ConvexContacts::isOver(const ConvexSolid& solid, const ConvexSolid::Face& face,
                            const Vec3& point) const {
  return std::ranges::all_of(solid.sidesOf(face), [&](const ConvexSolid::Side& side) {
    return glm::dot(side.inwards, point) >= side.offset - beside_;
  });
}

/// Returns true if the solid lies in front of a plane through its vertex, or nearly, and has a face
/// against it.
bool ConvexContacts::stands(const ConvexSolid& solid, const ConvexSolid::Vertex& vertex,
                            const Vec3& up) {
  const std::span<const Vec3> ways = solid.waysFrom(vertex);
  const std::span<const std::uint32_t> faces = solid.facesAround(vertex);
  bool hasFaceAgainst = false;
  for (std::size_t k = 0; k < ways.size(); ++k) {
    if (glm::dot(up, ways[k]) < -upright) return false;
    const Vec3& normal = solid.faces()[faces[k]].normal;
    const Real along = glm::dot(up, normal);
    hasFaceAgainst = hasFaceAgainst || along < 0.0;
    if (1.0 - along * along <= upright * upright) continue;
    // Between its edges, a face may lead farther behind the plane than the edges
    const Vec3 level = glm::cross(normal, up);
    const Vec3& next = ways[k + 1 < ways.size() ? k + 1 : 0];
    if (glm::dot(ways[k], level) > 0.0 && glm::dot(next, level) < 0.0) return false;
  }
  return hasFaceAgainst;
}

void ConvexContacts::listEdges(bool ofB, std::vector<FacingEdge>& edges) const {
  const ConvexSolid& body = own(ofB);
  const Vec3& out = ofB ? outOfB_ : outOfA_;
  const std::vector<Vec3>& positions = ofB ? axis_.verticesOfB() : body.positions();
  edges.clear();
  for (const ConvexSolid::Edge& edge : body.edges()) {
    // Within the normal cone of the edge, or nearly
    const Real aslant = glm::dot(out, edge.along);
    const Real beyond =
        std::max({glm::dot(out, edge.into[0]), glm::dot(out, edge.into[1]), Real(0.0)});
    if (aslant * aslant + beyond * beyond > upright * upright) continue;
    const Vec3 middle = body.faces()[edge.faces[0]].normal + body.faces()[edge.faces[1]].normal;
    if (edge.id == SurfaceEdge::none || !(glm::dot(out, middle) > 0.0)) continue;
    const Vec3 &from = positions[edge.ends[0]], &to = positions[edge.ends[1]];
    edges.push_back({{from, to}, to - from, edge.length, edge.id});
  }
}

/// Adds the points in which two edges cross, seen along the axis.
void ConvexContacts::addCrossing(const FacingEdge& a, const FacingEdge& b,
                                 std::vector<ManifoldPoint>& points) const {
  constexpr Real parallel = 1e-9;
  const Real turn = glm::dot(outOfA_, glm::cross(a.along, b.along));
  if (!(std::abs(turn) > parallel * a.length * b.length)) return;
  const Vec3 between = b.ends[0] - a.ends[0];
  const Real s = glm::dot(outOfA_, glm::cross(between, b.along)) / turn;
  const Real t = glm::dot(outOfA_, glm::cross(between, a.along)) / turn;
  // Ends are vertices and do not count
  const auto within = [&](Real share, Real length) {
    return share * length > beside_ && (1.0 - share) * length > beside_;
  };
  if (!within(s, a.length) || !within(t, b.length)) return;
  const Vec3 onA = a.ends[0] + s * a.along, onB = b.ends[0] + t * b.along;
  const Real depth = glm::dot(outOfA_, onA - onB);
  if (!(depth >= -margin_ - slack_)) return;
  points.push_back({onA, onA - depth * outOfA_, -outOfA_, depth,
                    contactIdOfEdges(std::uint64_t{a.id} << 32 | b.id)});
}

}  // namespace nearmiss
