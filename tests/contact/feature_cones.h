// SPDX-License-Identifier: MIT
/// Checks that a contact normal belongs to the features that touch: the normal of a face, or within
/// the cone of normals of an edge or a vertex.
#pragma once

#include <nearmiss/detail/triangle_geometry.h>
#include <nearmiss/math.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "contact/contact_body.h"
#include "geometry/triangle_normal.h"
#include "geometry/winding_inside.h"
#include "pair/convex_solid.h"
#include "pair/surface_edges.h"

namespace nearmiss::test {

/// Radians, and the sine of as much: normals may leave their cones by this.
inline constexpr Real coneSlack = 0.35;

/// The angle between a direction and the cone that some normals span; 0 within. All of unit length.
[[nodiscard]] inline Real angleToCone(const std::vector<Vec3>& normals, const Vec3& direction) {
  const auto angleTo = [&](const Vec3& v) {
    return std::atan2(glm::length(glm::cross(v, direction)), glm::dot(v, direction));
  };
  Real least = angleTo(normals.front());
  for (std::size_t i = 0; i < normals.size(); ++i) {
    least = std::min(least, angleTo(normals[i]));
    for (std::size_t j = i + 1; j < normals.size(); ++j) {
      // The nearest direction of the arc, if that is none of its ends
      const Vec3 across = glm::cross(normals[i], normals[j]);
      const Real length = glm::length(across);
      if (length < 1e-9) continue;
      const Vec3 pole = across / length;
      const Vec3 inPlane = direction - glm::dot(direction, pole) * pole;
      if (glm::length(inPlane) > 1e-9 && glm::dot(glm::cross(normals[i], inPlane), pole) >= 0.0 &&
          glm::dot(glm::cross(inPlane, normals[j]), pole) >= 0.0)
        least = std::min(least, angleTo(glm::normalize(inPlane)));
      for (std::size_t k = j + 1; k < normals.size(); ++k) {
        const Real volume = glm::dot(across, normals[k]);
        if (std::abs(volume) < 1e-9) continue;
        const Vec3 weights(glm::dot(direction, glm::cross(normals[j], normals[k])),
                           glm::dot(direction, glm::cross(normals[k], normals[i])),
                           glm::dot(direction, across));
        const Vec3 scaled = weights / volume;
        if (scaled.x >= 0.0 && scaled.y >= 0.0 && scaled.z >= 0.0) return 0.0;
      }
    }
  }
  return least;
}

/// The vertices, edges and faces of one shape, as far as the normals of contacts depend on them.
class FeatureCones {
 public:
  explicit FeatureCones(const Shape& shape) : shape_(&shape) {
    const TriangleMesh& mesh = shape.polyhedron().mesh();
    neighbours_.resize(mesh.positions.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
        neighbours_[from].push_back(to);
        neighbours_[to].push_back(from);
        beside_[std::minmax(from, to)].push_back(faceNormalOf(mesh.corners(t)));
      }
  }

  [[nodiscard]] const Vec3& vertex(std::uint32_t index) const {
    return shape_->polyhedron().mesh().positions[index];
  }
  [[nodiscard]] std::array<Vec3, 2> edge(std::uint32_t index) const {
    const auto& ends = surfaceEdgesOf(*shape_).edges()[index].ends;
    return {vertex(ends[0]), vertex(ends[1])};
  }

  /// The largest sine of an angle by which an edge at a vertex leads beyond the plane across `out`.
  [[nodiscard]] Real leadsOut(std::uint32_t index, const Vec3& out) const {
    Real most = -1.0;
    for (const std::uint32_t to : neighbours_[index])
      most = std::max(most, glm::dot(glm::normalize(vertex(to) - vertex(index)), out));
    return most;
  }

  /// The angle between `out` and the normals of the faces beside an edge; 0 at a rim.
  [[nodiscard]] Real angleToEdge(std::uint32_t index, const Vec3& out) const {
    const auto& ends = surfaceEdgesOf(*shape_).edges()[index].ends;
    const std::vector<Vec3>& normals = beside_.at(std::minmax(ends[0], ends[1]));
    return normals.size() < 2 ? 0.0 : eitherWay(normals, out);
  }

  /// Normals of the faces that hold a point, each once; empty if the point is not on the surface.
  [[nodiscard]] std::vector<Vec3> normalsAt(const Vec3& point, Real tolerance) const {
    std::vector<Vec3> normals;
    const Polyhedron& polyhedron = shape_->polyhedron();
    polyhedron.forEachTriangleIn({point - tolerance, point + tolerance}, [&](std::uint32_t t) {
      const Triangle corners = polyhedron.mesh().corners(t);
      if (glm::distance(closestOnTriangle(point, corners), point) > tolerance) return;
      const Vec3 normal = faceNormalOf(corners);
      if (std::ranges::none_of(normals,
                               [&](const Vec3& n) { return glm::distance(n, normal) < 1e-7; }))
        normals.push_back(normal);
    });
    return normals;
  }

  /// True if a point lies in the plane of a face with a certain normal, at most `beside` metres
  /// beside the face.
  [[nodiscard]] bool besideFace(const Vec3& point, const Vec3& normal, Real beside,
                                Real tolerance) const {
    bool found = false;
    const Polyhedron& polyhedron = shape_->polyhedron();
    polyhedron.forEachTriangleIn({point - beside, point + beside}, [&](std::uint32_t t) {
      const Triangle corners = polyhedron.mesh().corners(t);
      found = found || (glm::distance(faceNormalOf(corners), normal) <= 1e-6 &&
                        std::abs(glm::dot(normal, point - corners[0])) <= tolerance &&
                        glm::distance(closestOnTriangle(point, corners), point) <= beside);
    });
    return found;
  }

  /// True if the surface ends at a point, and no triangle there leads to the side of the plane
  /// across `out`, or none to the other side.
  [[nodiscard]] bool endsBefore(const Vec3& point, const Vec3& out, Real tolerance) const {
    if (hasInside()) return false;
    bool rim = false, before = true, behind = true;
    const Polyhedron& polyhedron = shape_->polyhedron();
    polyhedron.forEachTriangleIn({point - tolerance, point + tolerance}, [&](std::uint32_t t) {
      const Triangle corners = polyhedron.mesh().corners(t);
      if (glm::distance(closestOnTriangle(point, corners), point) > tolerance) return;
      for (std::size_t k = 0; k < 3; ++k) {
        const Real along = glm::dot(corners[k] - point, out);
        before = before && along <= tolerance;
        behind = behind && along >= -tolerance;
        const auto &from = polyhedron.mesh().triangles[t][k],
                   &to = polyhedron.mesh().triangles[t][(k + 1) % 3];
        const Vec3 &start = corners[k], &end = corners[(k + 1) % 3];
        rim =
            rim || (beside_.at(std::minmax(from, to)).size() == 1 &&
                    glm::distance(closestOnTriangle(point, {start, end, end}), point) <= tolerance);
      }
    });
    return rim && (before || behind);
  }

  /// Metres: to within this, the outside of the body is known.
  [[nodiscard]] Real resolution() const {
    const WindingInside* winding = windingInsideOf(*shape_);
    return winding ? winding->resolution() : 0.0;
  }
  [[nodiscard]] Real radius() const { return shape_->radius(); }
  [[nodiscard]] bool convex() const { return convexSolidOf(*shape_) != nullptr; }

  /// angleToCone(), of a surface without an inside for either side.
  [[nodiscard]] Real eitherWay(const std::vector<Vec3>& normals, const Vec3& out) const {
    const Real angle = angleToCone(normals, out);
    return hasInside() ? angle : std::min(angle, angleToCone(normals, -out));
  }

 private:
  [[nodiscard]] bool hasInside() const { return shape_->polyhedron().report().closed(); }

  const Shape* shape_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Vec3>> beside_;
};

/// One body of a contact, and the way from it to the other.
struct TouchingSide {
  const FeatureCones& cones;
  const Pose& pose;
  Vec3 on{0.0};   ///< the point, world frame
  Vec3 out{0.0};  ///< outward, body frame
  [[nodiscard]] Vec3 own() const { return transformed(inverse(pose), on); }
  [[nodiscard]] static Pose inverse(const Pose& pose) {
    const Quat back = glm::conjugate(pose.rotation);
    return {-(back * pose.position), back};
  }
};

/// How far a point lies off its feature, along the normal into its own body: by as much as the
/// depth of features that overlap is not certain. Adds a fault if it lies off another way.
[[nodiscard]] inline Real offFeature(const TouchingSide& of, const Vec3& onFeature, Real size,
                                     std::ostringstream& fault) {
  const Vec3 off = onFeature - of.own();
  const Real along = glm::dot(off, of.out);
  const Real beside = glm::length(off - along * of.out);
  if (beside > 1e-8 * size || along < -1e-8 * size)
    fault << "the point is " << glm::length(off) << " from its feature; ";
  return std::max(along, 0.0);
}

/// What is wrong with a point of a vertex of `of`, on the surface of `other`; empty: nothing.
[[nodiscard]] inline std::string faultOfVertex(const TouchingSide& of, const TouchingSide& other,
                                               std::uint32_t vertex, Real size) {
  std::ostringstream fault;
  const Real off = offFeature(of, of.cones.vertex(vertex), size, fault);
  const Real sine = of.cones.leadsOut(vertex, of.out);
  if (sine > coneSlack) fault << "an edge of the vertex leads out by sine " << sine << "; ";
  const Vec3 onOther = other.own() + off * other.out;
  // Between convex solids a vertex a little beside a face counts as over it
  constexpr Real besideRim = 1e-4;
  if (of.cones.convex() && other.cones.convex() &&
      other.cones.besideFace(onOther, other.out,
                             besideRim * std::min(of.cones.radius(), other.cones.radius()),
                             1e-8 * size))
    return fault.str();
  if (other.cones.endsBefore(onOther, other.out, 1e-8 * size)) return fault.str();
  const std::vector<Vec3> normals = other.cones.normalsAt(onOther, 3e-6 * size);
  if (normals.empty()) return fault.str() + "the point of the other is not on its surface; ";
  Real angle = other.cones.eitherWay(normals, other.out);
  if (angle > coneSlack && other.cones.resolution() > 0.0)
    angle =
        other.cones.eitherWay(other.cones.normalsAt(onOther, other.cones.resolution()), other.out);
  const Real most = normals.size() == 1 ? 1e-6 : coneSlack;
  if (angle > most)
    fault << "the normal is " << angle << " rad off the cone of the " << normals.size()
          << " planes at the point; ";
  return fault.str();
}

[[nodiscard]] inline std::string faultOfEdge(const TouchingSide& of, std::uint32_t edge,
                                             Real size) {
  std::ostringstream fault;
  const std::array<Vec3, 2> ends = of.cones.edge(edge);
  // Where the line along the normal meets the edge
  const Vec3 along = ends[1] - ends[0], from = of.own() - ends[0];
  const Vec3 across = glm::cross(along, glm::cross(along, of.out));
  const Real turn = glm::dot(of.out, across);
  const Real off = turn != 0.0 ? -glm::dot(from, across) / turn : 0.0;
  const Vec3 point = of.own() + off * of.out;
  const Real away = glm::distance(closestOnTriangle(point, {ends[0], ends[1], ends[1]}), point);
  if (away > 1e-8 * size || off < -1e-8 * size)
    fault << "the point is " << away << " beside its edge; ";
  const Real angle = of.cones.angleToEdge(edge, of.out);
  if (angle > coneSlack) fault << "the normal is " << angle << " rad off the arc of an edge; ";
  return fault.str();
}

/// What is wrong with the normal of a point; empty: nothing, or its features have no cones.
/// @param size metres, of both bodies and their distance
[[nodiscard]] inline std::string faultOfNormal(const FeatureCones& a, const Pose& poseA,
                                               const FeatureCones& b, const Pose& poseB,
                                               const ManifoldPoint& point, Real size) {
  const TouchingSide ofA{a, poseA, point.onA, glm::conjugate(poseA.rotation) * -point.normal};
  const TouchingSide ofB{b, poseB, point.onB, glm::conjugate(poseB.rotation) * point.normal};
  switch (contactKindOf(point.id)) {
    case ContactKind::VertexOfA:
      return faultOfVertex(ofA, ofB, contactVertexOf(point.id), size);
    case ContactKind::VertexOfB:
      return faultOfVertex(ofB, ofA, contactVertexOf(point.id), size);
    case ContactKind::Edges: {
      const std::uint64_t edges = contactEdgesOf(point.id);
      return faultOfEdge(ofA, static_cast<std::uint32_t>(edges >> 32), size) +
             faultOfEdge(ofB, static_cast<std::uint32_t>(edges & 0xffffffff), size);
    }
    case ContactKind::Depth:
      break;
  }
  return {};
}

}  // namespace nearmiss::test
