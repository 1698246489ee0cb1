// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>
#include <nearmiss/sphere_tree_certificate.h>

#include "coverage/coverage_chains.h"
#include "coverage/whole_levels.h"
#include "measure/farthest_point.h"
#include "out_of_memory.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <string_view>
#include <utility>

namespace nearmiss {
namespace {

/// Of the radius: how precisely H is measured against the stored one.
constexpr Real measureTolerance = 1e-3;
/// Of one triangle: pieces that are counted.
constexpr std::size_t mostUncovered = 1000;

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

  // What the coverage guarantees: a chain of spheres at every point, or whole levels
  if (tree.coverage() == Coverage::Guaranteed) {
    CoverageChains coverage(tree, mesh);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      Vec3 where{0.0};
      const std::size_t uncovered = coverage.uncovered(t, mostUncovered, where);
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

  // What proves contact must lie inside
  std::string outside;
  verdict.brokenInner = checkInnerSpheres(tree.data().inner, polyhedron, outside);
  if (verdict.brokenInner > 0) complain(verdict, std::move(outside));
  return verdict;
}

/// What was not checked, for want of memory, is not certified.
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
