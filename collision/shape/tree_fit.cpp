// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/detail/triangle_geometry.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <string>
#include <vector>

#include "builders/bsp_polygon.h"
#include "geometry/box_measures.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {
namespace {

/// Relative to the mesh's radius: bound on the rounding of triangle corners, in trees and planes.
constexpr Real fitSlack = 1e-6;
/// Relative to the largest coordinate: maximum distance of a face from its plane, which builders
/// keep below 1e-12. It must be far below the distance from a plane within which a search uses
/// exact arithmetic.
constexpr Real planeSlack = 1e-10;
/// Also relative to the largest coordinate: a point this far from every plane is in the correct
/// leaf despite rounding and faces that are off their planes.
constexpr Real clearOfPlanes = 1e-7;
/// A leaf may be moved and shrunk as long as it contains the surface in its part of space. It may
/// then just miss a triangle that only touches that part.
constexpr Real leafReach = 3.0;

constexpr const char* another = "it was built around another mesh";

/// Returns the distance of a point from the box of a triangle.
Real distanceFromBox(const Vec3& point, const std::array<Vec3, 3>& triangle) noexcept {
  return std::sqrt(squaredDistance(boxOf(triangle), point));
}

/// The bounds of leaves: the boxes of a leaf and of all spheres above it, and those spheres, if the
/// tree guarantees that they contain the surface below.
class LeafBounds {
 public:
  explicit LeafBounds(const SphereTree& tree) : tree_(tree) {
    const SphereTree::Data& data = tree.data();
    parents_.assign(data.packs.size(), none);
    // If a sphere has several parents, some of them may cover what another does not
    if (tree.coverage() != Coverage::Guaranteed || tree.isDag()) return;
    for (SphereId id = 0; id < data.packs.size() * SpherePack::width; ++id)
      for (std::uint32_t i = 0; i < tree.childPackCount(id); ++i)
        parents_[data.links[id / SpherePack::width].childPack[id % SpherePack::width] + i] = id;
  }

  /// Returns true if the box of a leaf, and all spheres above it with their boxes, contain the
  /// point within `spare`.
  [[nodiscard]] bool hold(SphereId leaf, const Vec3& point, Real spare) const noexcept {
    if (!inBox(leaf, point, spare)) return false;
    for (SphereId id = parents_[leaf / SpherePack::width]; id != none;
         id = parents_[id / SpherePack::width]) {
      const Sphere ball = tree_.sphere(id);
      if (glm::distance(point, ball.centre) > ball.radius + spare || !inBox(id, point, spare))
        return false;
    }
    return true;
  }

 private:
  static constexpr SphereId none = 0xffffffff;

  /// Also true without a box.
  [[nodiscard]] bool inBox(SphereId id, const Vec3& point, Real spare) const noexcept {
    const NodeBox* box = tree_.data().boxes.find(id);
    return !box || box->excess(point) <= spare;
  }

  const SphereTree& tree_;
  std::vector<SphereId> parents_;  ///< per pack
};

/// Returns true if the inner spheres of a solid lie inside it. For other meshes, proofs of contact
/// themselves search for the component that contains a sphere.
bool innerSpheresInside(const InnerSpheres& inner, const Polyhedron& polyhedron) {
  if (!polyhedron.report().solid()) return true;
  for (SphereId id = 0; id < inner.spheres.size() * SpherePack::width; ++id) {
    const Sphere sphere = inner.sphere(id);
    if (sphere.radius < 0.0) continue;
    // The distance is more accurate than this
    const Real doubt = 1e-12 * (polyhedron.radius() + glm::length(sphere.centre));
    if (!polyhedron.contains(sphere.centre) ||
        polyhedron.nearest(sphere.centre).distance < sphere.radius - doubt)
      return false;
  }
  return true;
}

/// Checks that leaves lie near their triangles, and that every corner of a triangle lies in a leaf
/// that lists it, in all spheres above and in their boxes. This holds for any tree that covers the
/// mesh.
const char* misfitOfLeaves(const SphereTree& tree, const Polyhedron& polyhedron) {
  if (tree.boundsSolid() && !polyhedron.report().solid())
    return "it stores distances outside of a solid, but the mesh is none";
  const SphereTree::Data& data = tree.data();
  // Boxes rely on the chains of spheres that cover each piece of the surface
  if (!data.boxes.empty() && tree.coverage() != Coverage::Guaranteed)
    return "it has boxes, but its coverage is not guaranteed";
  const TriangleMesh& mesh = polyhedron.mesh();
  const Real spare = fitSlack * polyhedron.radius();
  const LeafBounds bounds(tree);
  // One bit for each corner in a leaf, and one for each corner in all bounds of such a leaf
  std::vector<std::uint8_t> held(mesh.triangles.size(), 0);
  for (SphereId id = 0; id + 1 < data.triangleBegin.size(); ++id) {
    if (data.triangleBegin[id] == data.triangleBegin[id + 1]) continue;
    const Sphere ball = tree.sphere(id);
    for (const std::uint32_t t : tree.trianglesOf(id)) {
      const std::array<Vec3, 3> corners = mesh.corners(t);
      if (distanceFromBox(ball.centre, corners) > leafReach * ball.radius + spare) return another;
      for (std::size_t i = 0; i < 3; ++i)
        if ((held[t] & 8u << i) == 0 &&
            glm::distance(corners[i], ball.centre) <= ball.radius + spare)
          held[t] = static_cast<std::uint8_t>(
              held[t] | (bounds.hold(id, corners[i], spare) ? 9u << i : 1u << i));
    }
  }
  // Samples guarantee nothing between them
  if (tree.coverage() == Coverage::Samples) return nullptr;
  const auto all = [&held](unsigned bits) {
    return std::all_of(held.begin(), held.end(),
                       [bits](std::uint8_t h) { return (h & bits) == bits; });
  };
  if (!all(7u)) return another;
  return all(63u) ? nullptr : "a sphere or its box does not hold the surface below it";
}

const char* misfit(const SphereTree& tree, const Polyhedron& polyhedron) {
  if (const char* fault = misfitOfLeaves(tree, polyhedron)) return fault;
  return innerSpheresInside(tree.data().inner, polyhedron) ? nullptr
                                                           : "an inner sphere is not inside";
}

/// Returns true if the tree classifies a point as outside that is inside the solid. Returns false
/// also if this cannot be decided: near a plane on the way down, and on either side of a plane with
/// faces that do not face forward, because space between such faces may fall into no leaf.
bool deniesInside(const BspTree& tree, const Polyhedron& polyhedron,
                  const std::vector<bool>& forward, const Vec3& point, std::size_t& steps) {
  const Real near = clearOfPlanes * largestCoordinate(polyhedron.bounds());
  std::uint32_t at = 0;
  for (; at < tree.nodes().size(); ++steps) {
    const Real height = distanceTo(tree.nodes()[at], point);
    if (!forward[at] || std::abs(height) <= near) return false;
    at = height > 0.0 ? tree.nodes()[at].front : tree.nodes()[at].back;
  }
  return at == BspNode::out && polyhedron.contains(point);
}

/// Returns whether the leaves behind some faces of a solid are inside it. This detects swapped
/// leaves, but not every wrong leaf.
bool insideIsKnown(const BspTree& tree, const Polyhedron& polyhedron) {
  const TriangleMesh& mesh = polyhedron.mesh();
  std::vector<bool> forward(tree.nodes().size(), true), named(mesh.triangles.size(), false);
  for (std::size_t at = 0; at < forward.size(); ++at) {
    const BspNode& node = tree.nodes()[at];
    for (std::uint32_t i = node.facesBegin; i < node.facesEnd; ++i) {
      const std::uint32_t face = tree.data().faces[i];
      named[face] = true;
      const std::array<Vec3, 3> t = mesh.corners(face);
      if (!(glm::dot(node.normal, glm::cross(t[1] - t[0], t[2] - t[0])) > 0.0)) forward[at] = false;
    }
  }
  // Without its needles a solid may be open for the tree
  if (std::ranges::find(named, false) != named.end()) return true;

  // The planes of a convex body form one chain, so each point may pass all of them
  constexpr std::size_t maxFaces = 1024, maxSteps = 100'000'000;
  const Real depth = 4.0 * clearOfPlanes * largestCoordinate(polyhedron.bounds());
  const std::size_t faces = std::min(mesh.triangles.size(), maxFaces);
  for (std::size_t k = 0, steps = 0; k < faces && steps < maxSteps; ++k) {
    const std::array<Vec3, 3> t =
        mesh.corners(static_cast<std::uint32_t>(k * mesh.triangles.size() / faces));
    const Vec3 behind = (t[0] + t[1] + t[2]) / 3.0 - depth * unitNormalOf(t);
    if (deniesInside(tree, polyhedron, forward, behind, steps)) return false;
  }
  return true;
}

/// Checks that each node has a face on its plane, the one from which it was made, and that all its
/// other faces reach the plane: only a sliver of these may lie on the plane. Also checks that each
/// listed face lies on the plane of some node that lists it.
const char* misfit(const BspTree& tree, const Polyhedron& polyhedron) {
  const Real spare = fitSlack * polyhedron.radius();
  const Real nearly = planeSlack * largestCoordinate(polyhedron.bounds());
  enum class Place : std::uint8_t { Unnamed, Beside, OnPlane };
  std::vector<Place> places(polyhedron.mesh().triangles.size(), Place::Unnamed);
  for (const BspNode& node : tree.nodes()) {
    bool any = node.facesBegin == node.facesEnd;
    for (std::uint32_t i = node.facesBegin; i < node.facesEnd; ++i) {
      const std::uint32_t face = tree.data().faces[i];
      Real low = std::numeric_limits<Real>::infinity(), high = -low;
      for (const Vec3& corner : polyhedron.mesh().corners(face)) {
        const Real height = glm::dot(node.normal, corner) - node.offset;
        low = std::min(low, height);
        high = std::max(high, height);
      }
      if (low > spare || high < -spare) return another;
      const bool lies = std::max(high, -low) <= nearly;
      places[face] = std::max(places[face], lies ? Place::OnPlane : Place::Beside);
      any = any || lies;
    }
    if (!any) return another;
  }
  if (std::ranges::find(places, Place::Beside) != places.end()) return another;
  const bool leavesMatter = tree.solid() && polyhedron.report().solid();
  return leavesMatter && !insideIsKnown(tree, polyhedron) ? "it calls outside what is inside"
                                                          : nullptr;
}

template <class Tree>
Result<Success> check(const Tree& tree, const Polyhedron& polyhedron, const std::string& noun) {
  const auto refusal = [&](ErrorCode code, const char* fault) {
    return Error{code, "cannot use the " + noun + ": " + fault};
  };
  const auto triangles = static_cast<std::uint32_t>(polyhedron.mesh().triangles.size());
  if (const char* fault = Tree::validate(tree.data(), triangles))
    return refusal(ErrorCode::Unsupported, fault);
  if (const char* fault = misfit(tree, polyhedron)) return refusal(ErrorCode::Mismatch, fault);
  return Success{};
}

}  // namespace

Result<Success> checkTree(const SphereTree& tree, const Polyhedron& polyhedron) {
  return orOutOfMemory("cannot check the sphere tree",
                       [&] { return check(tree, polyhedron, "sphere tree"); });
}

Result<Success> checkTree(const BspTree& tree, const Polyhedron& polyhedron) {
  return orOutOfMemory("cannot check the BSP tree",
                       [&] { return check(tree, polyhedron, "BSP tree"); });
}

}  // namespace nearmiss
