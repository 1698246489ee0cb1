// SPDX-License-Identifier: MIT
#include "spheres/build_plan.h"

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/result.h>

#include <algorithm>

#include "base/range_check.h"

namespace nearmiss {
namespace {

/// For a fast tree: H accurate to a tenth of the radius, and the number of queries per triangle and
/// level.
constexpr Real fastTolerance = 0.1;
constexpr std::size_t fastQueriesEach = 8, fastQueriesAtLeast = 512, fastQueriesAtMost = 32768;
/// Number of inner spheres of a fast tree, depending on its triangles.
constexpr std::size_t trianglesPerInner = 32, fastInnerAtLeast = 4, fastInnerAtMost = 64;

}  // namespace

void addUsual(std::size_t innerSpheres, SphereTreeSettings& settings) noexcept {
  if (settings.nodeBoxRatio == 0.0) settings.nodeBoxRatio = usualNodeBoxRatio;
  if (settings.innerSpheres == 0) settings.innerSpheres = innerSpheres;
}

SphereTreeSettings fastTreeSettings(SphereTreeSettings tree, std::size_t triangles,
                                    bool additions) noexcept {
  if (tree.hausdorffQueries == 0 &&
      tree.hausdorffTolerance == SphereTreeSettings{}.hausdorffTolerance) {
    tree.hausdorffTolerance = fastTolerance;
    tree.hausdorffQueries =
        std::clamp(fastQueriesEach * triangles, fastQueriesAtLeast, fastQueriesAtMost);
  }
  if (additions)
    addUsual(std::clamp(triangles / trianglesPerInner, fastInnerAtLeast, fastInnerAtMost), tree);
  return tree;
}

std::size_t maxSpheresOf(int levels) noexcept {
  return levels <= 1   ? maxSpheresOfOneLevel
         : levels == 2 ? maxSpheresOfTwoLevels
                       : maxSpheresOfALevel;
}

Result<Success> checkCommon(std::string_view builder, const SphereTreeSettings& settings) {
  RangeCheck check(builder);
  check.within("levels", settings.levels, 1, maxTreeLevels);
  check.aboveZero("a tolerance of H", settings.hausdorffTolerance, 1.0);
  check.within("a ratio for boxes", settings.nodeBoxRatio, 0.0, maxNodeBoxRatio);
  check.within("a number of inner spheres", static_cast<Real>(settings.innerSpheres), 0.0,
               static_cast<Real>(maxInnerSpheres));
  check.within("workers", settings.workers, 1, maxBuildWorkers);
  return check.outcome();
}

Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const VariationalSettings& own) {
  RangeCheck check(builder);
  check.oneOf("an objective", own.objective, SphereObjective::Exposed);
  check.oneOf("seeds", own.seeds, SphereSeeds::Best);
  check.within("a branching", own.branching, minBranching, maxBranching);
  check.notNegative("an error bound", own.errorBound);
  check.within("a number of spheres", static_cast<Real>(own.maxSpheres), 0.0,
               static_cast<Real>(maxSpheresOf(settings.levels)));
  return check.outcome();
}

Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const MedialSettings& own) {
  RangeCheck check(builder);
  check.oneOf("a coverage", own.coverage, Coverage::Samples);
  check.oneOf("a guarantee", own.guarantee, CoverageGuarantee::Safest);
  check.oneOf("an objective", own.objective, SphereObjective::Exposed);
  check.oneOf("an adjacency", own.adjacency, MedialAdjacency::SharedEdge);
  check.within("a branching", own.branching, minBranching, maxBranching);
  check.notNegative("an error bound", own.errorBound);
  check.within("a number of surface points", static_cast<Real>(own.surfacePoints), 0.0,
               static_cast<Real>(maxSurfacePoints));
  if (own.coverage != Coverage::Guaranteed && settings.nodeBoxRatio > 0.0)
    check.fault("guaranteed coverage where there are boxes");
  return check.outcome();
}

VariationalSettings clusterSettings(const DagSettings& own) noexcept {
  return {own.branching, own.adaptive, own.maxSpheres, own.objective, own.seeds, 0.0};
}

}  // namespace nearmiss
