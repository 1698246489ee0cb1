// SPDX-License-Identifier: MIT
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/tree_builders.h>
#include <nearmiss/tree_quality.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "spheres/coverage.h"
#include "spheres/hausdorff.h"

namespace nearmiss {
namespace {

/// Parts of the surface that a level does not cover.
struct OpenLevels {
  std::size_t triangles = 0;  ///< not proven to be covered, counted level by level
  // The first of them
  int level = 0;
  std::uint32_t triangle = 0;
  Vec3 where{0.0};
};

/// Tests each level with the leaves above it by the boundary lemma; where that leaves a doubt, by
/// pieces that lie wholly in one sphere.
/// @param slack by which all spheres are larger, metres
OpenLevels openLevels(const SphereTree& tree, const Polyhedron& polyhedron, Real slack) {
  OpenLevels open;
  const auto count = static_cast<std::uint32_t>(polyhedron.mesh().triangles.size());
  std::vector<SphereId> spheres;
  std::vector<std::vector<Sphere>> meeting(count);
  for (int level = 0; level < tree.levelCount(); ++level) {
    // Which spheres of this level, leaves above included, meet which triangle
    for (std::vector<Sphere>& list : meeting) list.clear();
    cutAt(tree, level, spheres);
    for (const SphereId id : spheres) {
      Sphere ball = tree.sphere(id);
      ball.radius += slack;
      for (const std::uint32_t t : trianglesMeeting(polyhedron, ball)) meeting[t].push_back(ball);
    }
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

/// The tolerance of the H that the stored one is compared with, relative to the radius.
constexpr Real measureTolerance = 1e-3;
/// Uncovered pieces of one triangle that are counted.
constexpr std::size_t maxUncovered = 1000;

std::string textOf(const Vec3& p) {
  return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ", " + std::to_string(p.z) + ")";
}

void complain(SphereTreeCertificate& verdict, std::string sentence) {
  if (verdict.complaint.empty()) verdict.complaint = std::move(sentence);
}

/// Each level as a whole, with the leaves above.
void checkLevels(const SphereTree& tree, const Polyhedron& polyhedron, Real slack,
                 SphereTreeCertificate& verdict) {
  const OpenLevels open = openLevels(tree, polyhedron, slack);
  verdict.uncoveredPieces = open.triangles;
  if (open.triangles > 0)
    complain(verdict, "level " + std::to_string(open.level) +
                          " as a whole is not proven to cover triangle " +
                          std::to_string(open.triangle) + " near " + textOf(open.where));
}

/// No point of the ball may be farther than `stored`; `where` such points are.
void checkBound(FarthestPointSearch& search, SphereId id, const Sphere& ball, Real stored,
                std::string_view where, SphereTreeCertificate& verdict) {
  const DistanceRange measured = search.search(ball, measureTolerance * ball.radius, stored);
  if (measured.atLeast <= stored) return;
  ++verdict.brokenBounds;
  complain(verdict, "sphere " + std::to_string(id) + " has a point " + std::string(where) +
                        std::to_string(measured.atLeast) + " m from the surface, but stores " +
                        std::to_string(stored) + " m");
}

SphereTreeCertificate nearbyCertificate(const SphereTree& tree, const Polyhedron& nearby,
                                        Real slack) {
  SphereTreeCertificate verdict;
  if (tree.coverage() != Coverage::Samples) checkLevels(tree, nearby, slack, verdict);
  verdict.covers = verdict.uncoveredPieces == 0;
  FarthestPointSearch farthest(nearby);
  std::vector<SphereId> spheres;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    for (const SphereId id : spheres)
      checkBound(farthest, id, tree.sphere(id), tree.hausdorff(id) + slack, "", verdict);
  }
  verdict.bounds = verdict.brokenBounds == 0;
  return verdict;
}

SphereTreeCertificate certificateOf(const SphereTree& tree, const Polyhedron& polyhedron) {
  SphereTreeCertificate verdict;
  const TriangleMesh& mesh = polyhedron.mesh();
  if (const char* fault =
          SphereTree::validate(tree.data(), static_cast<std::uint32_t>(mesh.triangles.size()))) {
    complain(verdict, std::string("the tree is malformed: ") + fault);
    return verdict;
  }

  // Check what the coverage guarantees: a chain of spheres at every point, or whole levels
  if (tree.coverage() == Coverage::Guaranteed) {
    CoverageChains coverage(tree, mesh);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      Vec3 where{0.0};
      const std::size_t uncovered = coverage.uncovered(t, maxUncovered, where);
      verdict.uncoveredPieces += uncovered;
      if (uncovered > 0)
        complain(verdict, "triangle " + std::to_string(t) + " is not proven to be covered near " +
                              textOf(where));
    }
  } else if (tree.coverage() == Coverage::Paper) {
    checkLevels(tree, polyhedron, 0.0, verdict);
  }
  verdict.covers = verdict.uncoveredPieces == 0;

  // No point of a ball may be farther from the surface than its H, nor one outside of the solid
  // than its Ho
  FarthestPointSearch farthest(polyhedron);
  FarthestPointSearch farthestOutside(polyhedron, nullptr, BallPart::Outside);
  if (tree.boundsSolid() && !polyhedron.report().solid()) {
    ++verdict.brokenBounds;
    complain(verdict, "the tree stores distances outside of a solid, but the mesh is none");
  }
  std::vector<SphereId> spheres;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    for (const SphereId id : spheres) {
      checkBound(farthest, id, tree.sphere(id), tree.hausdorff(id), "", verdict);
      if (tree.boundsSolid() && polyhedron.report().solid())
        checkBound(farthestOutside, id, tree.sphere(id), tree.outside(id), "outside of the solid ",
                   verdict);
    }
  }
  verdict.bounds = verdict.brokenBounds == 0;

  // Spheres that prove contact must lie inside
  std::string outside;
  verdict.brokenInner = checkInnerSpheres(tree.data().inner, polyhedron, outside);
  if (verdict.brokenInner > 0) complain(verdict, std::move(outside));
  return verdict;
}

/// Trees that could not be checked for want of memory are not certified.
SphereTreeCertificate orNone(const auto& certificate) {
  const auto verdict = orOutOfMemory(
      "cannot check the tree", [&]() -> Result<SphereTreeCertificate> { return certificate(); });
  if (verdict) return *verdict;
  SphereTreeCertificate none;
  try {
    none.complaint = verdict.error().message;
  } catch (const std::bad_alloc&) {
    // No memory for a sentence either
  }
  return none;
}

}  // namespace

SphereTreeCertificate checkSphereTree(const SphereTree& tree, const Polyhedron& polyhedron) {
  return orNone([&] { return certificateOf(tree, polyhedron); });
}

SphereTreeCertificate checkAgainstNearby(const SphereTree& tree, const Polyhedron& nearby,
                                         Real slack) {
  return orNone([&] { return nearbyCertificate(tree, nearby, slack); });
}

}  // namespace nearmiss
