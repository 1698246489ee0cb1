// SPDX-License-Identifier: MIT
/// Inner spheres: the choice of balls inside a solid, the hierarchy over them, and the components
/// of a surface that wind about them.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// Distance of `point` from a ball, metres; 0 inside.
[[nodiscard]] Real gapTo(const Sphere& ball, const Vec3& point) noexcept;

/// Returns up to `count` of `balls`, chosen greedily. Each most decreases the sum over `points` of
/// the distance to the nearest chosen ball; this distance is initially `farthest`. Stops if no ball
/// decreases the sum by more than `least`. Empty if cancelled.
[[nodiscard]] std::vector<Sphere> chooseBalls(const std::vector<Sphere>& balls,
                                              const std::vector<Vec3>& points, std::size_t count,
                                              Real farthest, Real least, int workers,
                                              const BuildProgress* progress);

/// As buildInnerSpheres(), with candidate balls at `points` points of the surface.
[[nodiscard]] Result<InnerSpheres> innerSpheresFrom(const Polyhedron& polyhedron, std::size_t count,
                                                    std::size_t points, int workers,
                                                    BuildProgress* progress);

/// Halves the spheres across their widest extent, three times per level. A slot contains the sphere
/// below it that comes first in `chosen`.
/// @param chosen the best first; centres representable in float
[[nodiscard]] InnerSpheres innerHierarchy(const std::vector<Sphere>& chosen);

/// The extent of a component, sufficient to prove that it does not lie inside another. Body frame.
struct ComponentExtent {
  Sphere ball;                    ///< contains the component
  std::array<Vec3, 14> farthest;  ///< its farthest vertices along fourteen directions
};

/// Which component of a surface winds about each inner sphere of a tree, and what two such spheres
/// prove. Two solids do not need this.
///
/// A surface that intersects itself has no inside, but a closed component of it still winds about
/// some points. Let p be a point about which a component A of one body and a component B of the
/// other wind. If A and B do not meet, one of them lies within a bounded region of the other.
/// Otherwise the region of p bounded by A would lie in the region of p bounded by B and vice versa,
/// and both would have the same border. So if each has a vertex outside a ball around the other,
/// the surfaces meet.
class InnerComponents {
 public:
  InnerComponents(const Polyhedron& polyhedron, const InnerSpheres& inner);

  /// Returns true if sphere `slotA` of `a` and sphere `slotB` of `b`, which is moved by `bToA`,
  /// prove contact when they meet. `slack` is the uncertainty of the pose, metres.
  [[nodiscard]] static bool proveContact(const InnerComponents& a, SphereId slotA,
                                         const InnerComponents& b, SphereId slotB, const Pose& bToA,
                                         Real slack) noexcept;

  /// Number of spheres about which no component is known to wind.
  [[nodiscard]] std::size_t unheld() const noexcept { return unheld_; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  std::size_t unheld_ = 0;
  std::vector<std::uint32_t> extentOf_;  ///< per slot; `none` if nothing is proven
  std::vector<ComponentExtent> extents_;
};

}  // namespace nearmiss
