// SPDX-License-Identifier: MIT
#include "spheres/inner_spheres.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "geometry/closest_points.h"
#include "geometry/mesh_check.h"

namespace nearmiss {
namespace {

/// More than the rounding error of a computed radius.
constexpr Real roundedUp = 1.0 + 1e-12;

std::array<Vec3, 14> evenDirections() noexcept {
  std::array<Vec3, 14> all;
  std::size_t i = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const Real sign : {-1.0, 1.0}) {
      all[i] = Vec3(0.0);
      all[i++][axis] = sign;
    }
  for (const Real x : {-1.0, 1.0})
    for (const Real y : {-1.0, 1.0})
      for (const Real z : {-1.0, 1.0}) all[i++] = {x, y, z};
  return all;
}

/// The triangles of all components, one component after the other.
class TrianglesByComponent {
 public:
  explicit TrianglesByComponent(const SurfacePieces& pieces)
      : begin_(pieces.components.size() + 1, 0), list_(pieces.ofTriangle.size()) {
    for (const std::uint32_t c : pieces.ofTriangle) ++begin_[c + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::uint32_t> end(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t t = 0; t < list_.size(); ++t) list_[end[pieces.ofTriangle[t]]++] = t;
  }
  /// Ascending triangles of a component.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t component) const noexcept {
    return std::span(list_).subspan(begin_[component], begin_[component + 1] - begin_[component]);
  }

 private:
  std::vector<std::uint32_t> begin_, list_;
};

ComponentExtent extentOf(const TriangleMesh& mesh, const SurfacePieces& pieces,
                         std::uint32_t component, std::span<const std::uint32_t> triangles) {
  static const std::array<Vec3, 14> along = evenDirections();
  ComponentExtent extent;
  extent.ball.centre = pieces.components[component].bounds.centre();
  extent.ball.radius = 0.0;
  extent.farthest.fill(mesh.positions[pieces.components[component].vertex]);
  for (const std::uint32_t t : triangles)
    for (const Vec3& corner : mesh.corners(t)) {
      extent.ball.radius =
          std::max(extent.ball.radius, glm::distance(corner, extent.ball.centre) * roundedUp);
      for (std::size_t d = 0; d < along.size(); ++d)
        if (glm::dot(corner, along[d]) > glm::dot(extent.farthest[d], along[d]))
          extent.farthest[d] = corner;
    }
  return extent;
}

/// The components that wind about a sphere and do not enter it.
class Holders {
 public:
  Holders(const Polyhedron& polyhedron, const SurfacePieces& pieces)
      : polyhedron_(polyhedron),
        pieces_(pieces),
        closed_(closedComponents(polyhedron.mesh(), pieces)) {}

  /// Calls visit with the index of each such component.
  void forEach(const Sphere& sphere, const auto& visit) {
    collect({sphere.centre, {polyhedron_.bounds().high.x, sphere.centre.y, sphere.centre.z}});
    for (std::size_t begin = 0, end; begin < found_.size(); begin = end) {
      const std::uint32_t component = found_[begin].first;
      WindingCount count(sphere.centre);
      for (end = begin; end < found_.size() && found_[end].first == component; ++end)
        count.add(polyhedron_.mesh().corners(found_[end].second));
      if (closed_[component] && !count.onSurface() && count.winding() != 0)
        winding_.push_back(component);
    }
    collect({sphere.centre - sphere.radius, sphere.centre + sphere.radius});
    std::erase_if(found_, [&](const auto& near) {
      return squaredDistance(
                 closestOnTriangle(sphere.centre, polyhedron_.mesh().corners(near.second)),
                 sphere.centre) >= sphere.radius * sphere.radius;
    });
    for (const std::uint32_t component : std::exchange(winding_, {}))
      if (std::ranges::find(found_, component, &std::pair<std::uint32_t, std::uint32_t>::first) ==
          found_.end())
        visit(component);
  }

 private:
  /// Collects the triangles whose boxes meet `box`, sorted by component.
  void collect(const Box& box) {
    found_.clear();
    polyhedron_.forEachTriangleIn(
        box, [this](std::uint32_t t) { found_.emplace_back(pieces_.ofTriangle[t], t); });
    std::ranges::sort(found_);
  }

  const Polyhedron& polyhedron_;
  const SurfacePieces& pieces_;
  std::vector<bool> closed_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found_;  ///< (component, triangle)
  std::vector<std::uint32_t> winding_;
};

/// Returns true if a vertex of `inner`, moved, lies outside the ball around `outer`.
bool reachesOut(const std::array<Vec3, 14>& inner, const Pose& move, const Sphere& outer,
                Real slack) noexcept {
  const Real radius = outer.radius + slack;
  return std::ranges::any_of(inner, [&](const Vec3& vertex) {
    return squaredDistance(transformed(move, vertex), outer.centre) > radius * radius * roundedUp;
  });
}

}  // namespace

InnerComponents::InnerComponents(const Polyhedron& polyhedron, const InnerSpheres& inner)
    : extentOf_(inner.spheres.size() * SpherePack::width, none) {
  if (inner.empty()) return;
  const SurfacePieces pieces = piecesOf(polyhedron.mesh());
  const TrianglesByComponent triangles(pieces);
  Holders holders(polyhedron, pieces);
  std::vector<std::uint32_t> indexOf(pieces.components.size(), none);
  for (SphereId slot = 0; slot < extentOf_.size(); ++slot) {
    const Sphere sphere = inner.sphere(slot);
    if (sphere.radius < 0.0) continue;
    // The largest component is the least likely to lie inside another
    holders.forEach(sphere, [&](std::uint32_t component) {
      if (indexOf[component] == none) {
        indexOf[component] = static_cast<std::uint32_t>(extents_.size());
        extents_.push_back(extentOf(polyhedron.mesh(), pieces, component, triangles.of(component)));
      }
      const std::uint32_t index = indexOf[component];
      if (extentOf_[slot] == none ||
          extents_[index].ball.radius > extents_[extentOf_[slot]].ball.radius)
        extentOf_[slot] = index;
    });
    unheld_ += extentOf_[slot] == none;
  }
}

bool InnerComponents::proveContact(const InnerComponents& a, SphereId slotA,
                                   const InnerComponents& b, SphereId slotB, const Pose& bToA,
                                   Real slack) noexcept {
  const std::uint32_t indexA = a.extentOf_[slotA], indexB = b.extentOf_[slotB];
  if (indexA == none || indexB == none) return false;
  const ComponentExtent &extentA = a.extents_[indexA], &extentB = b.extents_[indexB];
  const Sphere movedB{transformed(bToA, extentB.ball.centre), extentB.ball.radius};
  return reachesOut(extentB.farthest, bToA, extentA.ball, slack) &&
         reachesOut(extentA.farthest, Pose{}, movedB, slack);
}

}  // namespace nearmiss
