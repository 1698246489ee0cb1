// SPDX-License-Identifier: MIT
#include "coverage/whole_levels.h"

#include "coverage/coverage_lemma.h"
#include "coverage/triangles_meeting.h"
#include "sampling/triangle_halves.h"

#include <nearmiss/sphere_tree_measure.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss {

namespace {

/// Of the radius: corners must lie this far inside, so that rounding cannot make a gap look closed.
constexpr Real strictness = 1e-12;
/// Of one triangle, where the lemma leaves a doubt.
constexpr int mostSplits = 4000;

bool inOne(const Triangle& triangle, std::span<const Sphere> spheres) noexcept {
  return std::any_of(spheres.begin(), spheres.end(), [&triangle](const Sphere& s) {
    return std::all_of(triangle.begin(), triangle.end(), [&s](const Vec3& corner) {
      return glm::distance(corner, s.centre) <= s.radius * (1.0 - strictness);
    });
  });
}

/// Whether every piece of the triangle lies wholly in one sphere, after some splitting. Decides
/// about slivers, in whose planes the lemma is too imprecise.
bool coveredInPieces(const Triangle& triangle, std::span<const Sphere> spheres) {
  std::vector<Triangle> open{triangle};
  for (int splits = 0; !open.empty();) {
    const Triangle piece = open.back();
    open.pop_back();
    if (inOne(piece, spheres)) continue;
    if (++splits > mostSplits) return false;
    for (const Triangle& half : halves(piece)) open.push_back(half);
  }
  return true;
}

/// A point that may be open, or none.
std::optional<Vec3> openPoint(const Triangle& triangle, std::span<const Sphere> spheres) {
  if (inOne(triangle, spheres)) return {};
  const auto open = uncoveredPoint(triangle, spheres);
  if (open && coveredInPieces(triangle, spheres)) return {};
  return open;
}

}  // namespace

OpenLevels openLevels(const SphereTree& tree, const Polyhedron& polyhedron) {
  OpenLevels open;
  const auto count = static_cast<std::uint32_t>(polyhedron.mesh().triangles.size());
  std::vector<SphereId> spheres;
  std::vector<std::vector<Sphere>> meeting(count);
  for (int level = 0; level < tree.levelCount(); ++level) {
    // Which spheres of this level, leaves above included, meet which triangle
    for (std::vector<Sphere>& list : meeting) list.clear();
    cutAt(tree, level, spheres);
    for (const SphereId id : spheres)
      for (const std::uint32_t t : trianglesMeeting(polyhedron, tree.sphere(id)))
        meeting[t].push_back(tree.sphere(id));
    for (std::uint32_t t = 0; t < count; ++t) {
      const auto point = openPoint(polyhedron.mesh().corners(t), meeting[t]);
      if (point && open.triangles++ == 0) {
        open.level = level;
        open.triangle = t;
        open.where = *point;
      }
    }
  }
  return open;
}

}  // namespace nearmiss
