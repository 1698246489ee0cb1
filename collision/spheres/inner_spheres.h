// SPDX-License-Identifier: MIT
/// Inner spheres: the choice of balls inside a solid, the hierarchy over those chosen, and the
/// components of a surface that wind about them.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// How far `point` is from a ball, in metres; 0 inside.
[[nodiscard]] Real gapTo(const Sphere& ball, const Vec3& point) noexcept;

/// Up to `count` of `balls`, one after the other, each the one that most lowers the sum over
/// `points` of the distance to the nearest ball kept, which is `farthest` at first. Stops where no
/// ball lowers it by more than `least`. Empty if cancelled.
[[nodiscard]] std::vector<Sphere> chooseBalls(const std::vector<Sphere>& balls,
                                              const std::vector<Vec3>& points, std::size_t count,
                                              Real farthest, Real least, int workers,
                                              const BuildProgress* progress);

/// As buildInnerSpheres(), from the balls at `points` points of the surface.
[[nodiscard]] Result<InnerSpheres> innerSpheresFrom(const Polyhedron& polyhedron, std::size_t count,
                                                    std::size_t points, int workers,
                                                    BuildProgress* progress);

/// Halves the spheres across their widest extent, three times for each level. A slot holds the
/// sphere that comes first in `chosen` of those below it.
/// @param chosen the best first; centres representable in float
[[nodiscard]] InnerSpheres innerHierarchy(const std::vector<Sphere>& chosen);

/// How far a component reaches: enough to see that it does not lie inside another. Body frame.
struct ComponentExtent {
  Sphere ball;                    ///< around all of it
  std::array<Vec3, 14> farthest;  ///< its vertices that lie farthest along fourteen directions
};

/// Which component of a surface winds about each inner sphere of a tree, and what two such spheres
/// prove. Those of two solids need none of it.
///
/// A surface that meets itself has no inside, but a closed component of it still winds about some
/// points. Let p be a point about which a component A of one body and a component B of the other
/// wind. If A and B do not meet, one of them lies within a bounded region of the other: else the
/// region of p that A bounds would lie in the region of p that B bounds and the other way round,
/// and both would have the same border. So where each has a vertex outside of a ball around the
/// other, the surfaces meet.
class InnerComponents {
 public:
  InnerComponents(const Polyhedron& polyhedron, const InnerSpheres& inner);

  /// True if sphere `slotA` of `a` and `slotB` of `b`, which is moved by `bToA`, prove contact by
  /// meeting. `slack`: the doubt in the pose, metres.
  [[nodiscard]] static bool proveContact(const InnerComponents& a, SphereId slotA,
                                         const InnerComponents& b, SphereId slotB, const Pose& bToA,
                                         Real slack) noexcept;

  /// The number of spheres that no component is known to wind about.
  [[nodiscard]] std::size_t unheld() const noexcept { return unheld_; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  std::size_t unheld_ = 0;
  std::vector<std::uint32_t> extentOf_;  ///< per slot; `none`: nothing is proven
  std::vector<ComponentExtent> extents_;
};

}  // namespace nearmiss
