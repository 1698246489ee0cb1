// SPDX-License-Identifier: MIT
#include "geometry/lin_canny.h"

#include <nearmiss/advanced/fallbacks.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <span>

#include "geometry/gjk.h"

namespace nearmiss {
namespace {

using Kind = ConvexFeature::Kind;

constexpr int maxFeatureSteps = 200;
/// Planes must confirm the distance up to this relative error.
constexpr Real confirmed = 1e-9;

/// One polytope as seen from the frame of a.
class PolytopeInFrame {
 public:
  PolytopeInFrame(const ConvexPair& pair, bool ofA) noexcept
      : pair_(pair), shape_(ofA ? pair.a() : pair.b()), ofA_(ofA) {}

  [[nodiscard]] const ConvexPolytope& shape() const noexcept { return shape_; }
  [[nodiscard]] Vec3 vertex(std::uint32_t v) const noexcept {
    return ofA_ ? pair_.cornerOfA(v) : pair_.cornerOfB(v);
  }
  [[nodiscard]] Vec3 normal(std::uint32_t face) const noexcept {
    const Vec3& own = shape_.faces()[face].normal;
    return ofA_ ? own : pair_.turned(own);
  }
  [[nodiscard]] std::array<Vec3, 2> ends(std::uint32_t edge) const noexcept {
    const auto& v = shape_.edges()[edge].vertices;
    return {vertex(v[0]), vertex(v[1])};
  }
  /// Returns the signed distance of `p` from the plane of a face, positive outside.
  [[nodiscard]] Real heightOver(std::uint32_t face, const Vec3& p) const noexcept {
    return glm::dot(p - vertex(shape_.loopOf(face)[0].vertex), normal(face));
  }
  /// Returns the direction in the plane of a face from one of its edges into the face.
  [[nodiscard]] Vec3 inward(std::uint32_t face, std::uint32_t edge) const noexcept {
    const auto end = ends(edge);
    const Vec3 along = shape_.edges()[edge].faces[0] == face ? end[1] - end[0] : end[0] - end[1];
    return glm::cross(normal(face), along);
  }

 private:
  const ConvexPair& pair_;
  const ConvexPolytope& shape_;
  bool ofA_;
};

/// The closest points of two closed features, each with the smallest subfeature that contains it:
/// an end, a border, or the whole feature.
struct Nearest {
  ConvexFeature partA, partB;
  Vec3 pointA{0.0}, pointB{0.0};
  Real square = std::numeric_limits<Real>::infinity();

  void take(const Nearest& other) noexcept {
    if (other.square < square) *this = other;
  }
};

Nearest swapped(const Nearest& n) noexcept {
  return {n.partB, n.partA, n.pointB, n.pointA, n.square};
}

Nearest between(const ConvexFeature& partA, const Vec3& a, const ConvexFeature& partB,
                const Vec3& b) noexcept {
  return {partA, partB, a, b, glm::dot(b - a, b - a)};
}

Nearest ofVertexAndEdge(const PolytopeInFrame& sideA, std::uint32_t vertex,
                        const PolytopeInFrame& sideB, std::uint32_t edge) noexcept {
  const Vec3 p = sideA.vertex(vertex);
  const auto end = sideB.ends(edge);
  const auto& ends = sideB.shape().edges()[edge].vertices;
  const Vec3 along = end[1] - end[0];
  const Real square = glm::dot(along, along);
  const Real t = square > 0.0 ? glm::dot(p - end[0], along) / square : 0.0;
  const ConvexFeature own{Kind::Vertex, vertex};
  if (!(t > 0.0)) return between(own, p, {Kind::Vertex, ends[0]}, end[0]);
  if (t >= 1.0) return between(own, p, {Kind::Vertex, ends[1]}, end[1]);
  return between(own, p, {Kind::Edge, edge}, end[0] + t * along);
}

Nearest ofEdges(const PolytopeInFrame& sideA, std::uint32_t edgeA, const PolytopeInFrame& sideB,
                std::uint32_t edgeB) noexcept {
  // Compare ends with edges, and the common perpendicular if its feet lie within both edges
  Nearest nearest;
  for (const std::uint32_t v : sideA.shape().edges()[edgeA].vertices)
    nearest.take(ofVertexAndEdge(sideA, v, sideB, edgeB));
  for (const std::uint32_t v : sideB.shape().edges()[edgeB].vertices)
    nearest.take(swapped(ofVertexAndEdge(sideB, v, sideA, edgeA)));
  const auto endA = sideA.ends(edgeA), endB = sideB.ends(edgeB);
  const Vec3 alongA = endA[1] - endA[0], alongB = endB[1] - endB[0];
  const Vec3 across = glm::cross(alongA, alongB);
  const Real determinant = glm::dot(across, across);
  if (!(determinant > 0.0)) return nearest;
  // Triple products keep some digits for nearly parallel edges; then the foot of the perpendicular
  // on each edge is accurate
  Real s = glm::dot(glm::cross(endB[0] - endA[0], alongB), across) / determinant;
  const Real t = glm::dot(endA[0] + s * alongA - endB[0], alongB) / glm::dot(alongB, alongB);
  s = glm::dot(endB[0] + t * alongB - endA[0], alongA) / glm::dot(alongA, alongA);
  if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)
    nearest.take(between({Kind::Edge, edgeA}, endA[0] + s * alongA, {Kind::Edge, edgeB},
                         endB[0] + t * alongB));
  return nearest;
}

/// Returns true if a point lies over a face: on the inner side of all planes on its border.
bool isOver(const PolytopeInFrame& side, std::uint32_t face, const Vec3& p) noexcept {
  return std::ranges::all_of(side.shape().loopOf(face), [&](const ConvexPolytope::Step& step) {
    return glm::dot(p - side.vertex(step.vertex), side.inward(face, step.edge)) >= 0.0;
  });
}

Nearest ofVertexAndFace(const PolytopeInFrame& sideA, std::uint32_t vertex,
                        const PolytopeInFrame& sideB, std::uint32_t face) noexcept {
  const Vec3 p = sideA.vertex(vertex);
  if (isOver(sideB, face, p))
    return between({Kind::Vertex, vertex}, p, {Kind::Face, face},
                   p - sideB.heightOver(face, p) * sideB.normal(face));
  Nearest nearest;
  for (const ConvexPolytope::Step& step : sideB.shape().loopOf(face))
    nearest.take(ofVertexAndEdge(sideA, vertex, sideB, step.edge));
  return nearest;
}

Nearest ofEdgeAndFace(const PolytopeInFrame& sideA, std::uint32_t edge,
                      const PolytopeInFrame& sideB, std::uint32_t face) noexcept {
  Nearest nearest;
  const auto end = sideA.ends(edge);
  const Real first = sideB.heightOver(face, end[0]), second = sideB.heightOver(face, end[1]);
  if ((first < 0.0) != (second < 0.0)) {
    const Vec3 crossing = end[0] + first / (first - second) * (end[1] - end[0]);
    if (isOver(sideB, face, crossing))
      return between({Kind::Edge, edge}, crossing, {Kind::Face, face}, crossing);
  }
  for (const std::uint32_t v : sideA.shape().edges()[edge].vertices)
    nearest.take(ofVertexAndFace(sideA, v, sideB, face));
  for (const ConvexPolytope::Step& step : sideB.shape().loopOf(face))
    nearest.take(ofEdges(sideA, edge, sideB, step.edge));
  return nearest;
}

/// @pre `a` has no higher dimension than `b`, and they are not two faces
Nearest ofFeatures(const PolytopeInFrame& sideA, const ConvexFeature& a,
                   const PolytopeInFrame& sideB, const ConvexFeature& b) noexcept {
  if (a.kind > b.kind) return swapped(ofFeatures(sideB, b, sideA, a));
  if (a.kind == Kind::Edge)
    return b.kind == Kind::Edge ? ofEdges(sideA, a.index, sideB, b.index)
                                : ofEdgeAndFace(sideA, a.index, sideB, b.index);
  if (b.kind == Kind::Vertex) return between(a, sideA.vertex(a.index), b, sideB.vertex(b.index));
  return b.kind == Kind::Edge ? ofVertexAndEdge(sideA, a.index, sideB, b.index)
                              : ofVertexAndFace(sideA, a.index, sideB, b.index);
}

/// The next feature of a walk, for a point that may lie outside the Voronoi region of the current
/// one.
struct FeaturePassage {
  std::optional<ConvexFeature> next;  ///< nothing if the point lies within the region
  bool beneath = false;               ///< the point lies beneath the face
};

FeaturePassage passageFrom(const PolytopeInFrame& side, const ConvexFeature& feature,
                           const Vec3& p) noexcept {
  FeaturePassage passage;
  Real most = 0.0;
  const auto offer = [&](Kind kind, std::uint32_t index, Real beyond) {
    if (!(beyond > most)) return;
    most = beyond;
    passage.next = ConvexFeature{kind, index};
  };
  switch (feature.kind) {
    case Kind::Vertex: {
      const Vec3 corner = side.vertex(feature.index);
      for (const std::uint32_t e : side.shape().edgesAt(feature.index)) {
        const auto end = side.ends(e);
        const bool first = side.shape().edges()[e].vertices[0] == feature.index;
        offer(Kind::Edge, e,
              glm::dot(p - corner, glm::normalize(first ? end[1] - end[0] : end[0] - end[1])));
      }
      break;
    }
    case Kind::Edge: {
      const Vec3 end = side.ends(feature.index)[0];
      for (const std::uint32_t f : side.shape().edges()[feature.index].faces)
        offer(Kind::Face, f, glm::dot(p - end, glm::normalize(side.inward(f, feature.index))));
      break;
    }
    case Kind::Face:
      passage.beneath = side.heightOver(feature.index, p) < 0.0;
  }
  return passage;
}

/// Returns the face whose plane the point lies farthest outside of, or nothing if it is outside
/// none.
std::optional<ConvexFeature> farthestFace(const PolytopeInFrame& side, const Vec3& p) noexcept {
  std::optional<ConvexFeature> found;
  Real most = 0.0;
  for (std::uint32_t f = 0; f < side.shape().faces().size(); ++f)
    if (const Real height = side.heightOver(f, p); height > most) {
      most = height;
      found = ConvexFeature{Kind::Face, f};
    }
  return found;
}

enum class WalkEnd : std::uint8_t { Closest, Meet, Lost };

/// Walks to the pair of closest features; the result is in `nearest`.
WalkEnd walk(const PolytopeInFrame& sideA, const PolytopeInFrame& sideB, ClosestFeatures at,
             Nearest& nearest, int& steps) {
  Real last = std::numeric_limits<Real>::infinity();
  for (; steps < maxFeatureSteps; ++steps) {
    nearest = ofFeatures(sideA, at.a, sideB, at.b);
    if (!(nearest.square > 0.0)) return WalkEnd::Meet;
    // In exact arithmetic every step comes nearer, so rounding has prevented progress
    if (nearest.square >= last) return WalkEnd::Lost;
    last = nearest.square;
    at = {nearest.partA, nearest.partB};
    const FeaturePassage ofA = passageFrom(sideA, at.a, nearest.pointB);
    const FeaturePassage ofB = passageFrom(sideB, at.b, nearest.pointA);
    if (ofA.next) {
      at.a = *ofA.next;
    } else if (ofB.next) {
      at.b = *ofB.next;
    } else if (ofA.beneath || ofB.beneath) {
      const auto out =
          ofA.beneath ? farthestFace(sideA, nearest.pointB) : farthestFace(sideB, nearest.pointA);
      if (!out) return WalkEnd::Meet;
      (ofA.beneath ? at.a : at.b) = *out;
      last = std::numeric_limits<Real>::infinity();
    } else {
      return WalkEnd::Closest;
    }
  }
  return WalkEnd::Lost;
}

/// Returns the gap between parallel planes, perpendicular to the line through the two points. If
/// that does not confirm the distance, also tries the normals of the features there.
Real gapBetween(const ConvexPair& pair, const Nearest& nearest) noexcept {
  const std::uint32_t cornerA = cornerOf(pair.a(), nearest.partA);
  const std::uint32_t cornerB = cornerOf(pair.b(), nearest.partB);
  const Real distance = glm::distance(nearest.pointA, nearest.pointB);
  const Vec3 unit = (nearest.pointB - nearest.pointA) / distance;
  const Real gap = pair.gapAlong(unit, cornerA, cornerB);
  if (gap >= distance * (1.0 - confirmed)) return gap;
  return std::max(gap, pair.gapByFeaturesAt(cornerA, cornerB));
}

}  // namespace

std::uint32_t cornerOf(const ConvexPolytope& shape, const ConvexFeature& feature) noexcept {
  switch (feature.kind) {
    case Kind::Vertex:
      return feature.index;
    case Kind::Edge:
      return shape.edges()[feature.index].vertices[0];
    default:
      return shape.loopOf(feature.index)[0].vertex;
  }
}

ClosestFeatures featuresTowards(const ConvexPair& pair) noexcept {
  const SupportPoint start =
      pair.support(pair.turned(pair.b().middle()) - pair.turned(pair.b().vertices()[0]) +
                   pair.cornerOfB(0) - pair.a().middle());
  return {{Kind::Vertex, start.a}, {Kind::Vertex, start.b}};
}

ConvexDistance linCannyDistance(const ConvexPair& pair, ClosestFeatures& features) {
  if (pair.a().flat() || pair.b().flat()) {
    countFallback(Fallback::LinCannyFlat);
    return gjkDistance(pair);
  }
  const PolytopeInFrame sideA(pair, true), sideB(pair, false);
  ConvexDistance answer;
  Nearest nearest;
  const WalkEnd end = walk(sideA, sideB, features, nearest, answer.steps);
  if (end == WalkEnd::Meet) {
    answer.meet = true;
    return answer;
  }
  answer.pointA = nearest.pointA;
  answer.pointB = nearest.pointB;
  answer.upper = glm::distance(answer.pointA, answer.pointB);
  answer.lower = std::clamp(gapBetween(pair, nearest), 0.0, answer.upper);
  if (answer.lower < answer.upper * (1.0 - confirmed)) {
    countFallback(Fallback::LinCannyLost);
    return gjkDistance(pair);
  }
  features = {nearest.partA, nearest.partB};
  return answer;
}

}  // namespace nearmiss
