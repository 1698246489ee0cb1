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

SphereTreeCertificate certificateOf(const SphereTree& tree, const Polyhedron& polyhedron) {
  SphereTreeCertificate verdict;
  const TriangleMesh& mesh = polyhedron.mesh();
  const auto complain = [&verdict](std::string sentence) {
    if (verdict.complaint.empty()) verdict.complaint = std::move(sentence);
  };
  if (const char* fault =
          SphereTree::validate(tree.data(), static_cast<std::uint32_t>(mesh.triangles.size()))) {
    complain(std::string("the tree is malformed: ") + fault);
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
        complain("triangle " + std::to_string(t) + " is not proven to be covered near " +
                 textOf(where));
    }
  } else if (tree.coverage() == Coverage::Paper) {
    const OpenLevels open = openLevels(tree, polyhedron);
    verdict.uncoveredPieces = open.triangles;
    if (open.triangles > 0)
      complain("level " + std::to_string(open.level) +
               " as a whole is not proven to cover triangle " + std::to_string(open.triangle) +
               " near " + textOf(open.where));
  }
  verdict.covers = verdict.uncoveredPieces == 0;

  // No point of a ball may be farther from the surface than its H, nor one outside of the solid
  // than its Ho
  FarthestPointSearch farthest(polyhedron);
  FarthestPointSearch farthestOutside(polyhedron, nullptr, BallPart::Outside);
  if (tree.boundsSolid() && !polyhedron.report().solid()) {
    ++verdict.brokenBounds;
    complain("the tree stores distances outside of a solid, but the mesh is none");
  }
  const auto compare = [&](FarthestPointSearch& search, SphereId id, Real stored,
                           std::string_view where) {
    const Sphere ball = tree.sphere(id);
    const DistanceRange measured = search.search(ball, measureTolerance * ball.radius, stored);
    if (measured.atLeast <= stored) return;
    ++verdict.brokenBounds;
    complain("sphere " + std::to_string(id) + " has a point " + std::string(where) +
             std::to_string(measured.atLeast) + " m from the surface, but stores " +
             std::to_string(stored) + " m");
  };
  std::vector<SphereId> spheres;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    for (const SphereId id : spheres) {
      compare(farthest, id, tree.hausdorff(id), "");
      if (tree.boundsSolid() && polyhedron.report().solid())
        compare(farthestOutside, id, tree.outside(id), "outside of the solid ");
    }
  }
  verdict.bounds = verdict.brokenBounds == 0;

  // What proves contact must lie inside
  std::string outside;
  verdict.brokenInner = checkInnerSpheres(tree.data().inner, polyhedron, outside);
  if (verdict.brokenInner > 0) complain(std::move(outside));
  return verdict;
}

}  // namespace

SphereTreeCertificate checkSphereTree(const SphereTree& tree, const Polyhedron& polyhedron) {
  const auto verdict = orOutOfMemory(
      "cannot check the tree",
      [&]() -> Result<SphereTreeCertificate> { return certificateOf(tree, polyhedron); });
  if (verdict) return *verdict;
  // What was not checked is not certified
  SphereTreeCertificate none;
  try {
    none.complaint = verdict.error().message;
  } catch (const std::bad_alloc&) {
    // No memory for a sentence either
  }
  return none;
}

}  // namespace nearmiss
