// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/detail/number_text.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "spheres/coverage.h"
#include "spheres/distance_field.h"
#include "spheres/hausdorff.h"

namespace nearmiss {
namespace {

/// Parts of the surface that a level does not cover.
struct OpenLevels {
  std::size_t triangles = 0;  ///< not proven to be covered, summed over levels
  // The first of them
  int level = 0;
  std::uint32_t triangle = 0;
  Vec3 where{0.0};
};

/// Thrown to end a check that was cancelled.
struct CheckCancelled {};

/// Progress of one stage of a check.
class CheckStage {
 public:
  CheckStage(BuildProgress& progress, BuildStage stage, std::size_t steps) noexcept
      : progress_(&progress), steps_(steps) {
    progress.enter(stage);
  }
  /// @throws CheckCancelled
  void step() {
    if (progress_->cancelled) NEARMISS_THROW(CheckCancelled());
    progress_->fraction = static_cast<float>(++done_) / static_cast<float>(steps_);
  }

 private:
  BuildProgress* progress_;
  std::size_t steps_, done_ = 0;
};

/// Tests each level, with the leaves above it, by the boundary lemma. If the lemma does not prove
/// coverage, tries pieces that lie wholly in one sphere.
/// @param slack all spheres are enlarged by this, metres
OpenLevels openLevels(const SphereTree& tree, const Polyhedron& polyhedron, Real slack,
                      BuildProgress& progress) {
  OpenLevels open;
  const auto count = static_cast<std::uint32_t>(polyhedron.mesh().triangles.size());
  std::vector<SphereId> spheres;
  std::vector<std::vector<Sphere>> meeting(count);
  const auto levels = static_cast<std::size_t>(tree.levelCount());
  CheckStage stage(progress, BuildStage::Triangles, levels * count);
  for (int level = 0; level < tree.levelCount(); ++level) {
    // Find which spheres of this level, including leaves above, meet which triangle
    for (std::vector<Sphere>& list : meeting) list.clear();
    cutAt(tree, level, spheres);
    for (const SphereId id : spheres) {
      Sphere ball = tree.sphere(id);
      ball.radius += slack;
      for (const std::uint32_t t : trianglesMeeting(polyhedron, ball)) meeting[t].push_back(ball);
    }
    for (std::uint32_t t = 0; t < count; ++t) {
      stage.step();
      const auto point = openPoint(polyhedron.mesh().corners(t), meeting[t], &progress.cancelled);
      if (point && open.triangles++ == 0) {
        open.level = level;
        open.triangle = t;
        open.where = *point;
      }
    }
  }
  return open;
}

/// Tolerance of the H with which the stored one is compared, relative to the radius.
constexpr Real measureTolerance = 1e-3, finestTolerance = 1e-8;
/// Maximum number of uncovered pieces counted per triangle.
constexpr std::size_t maxUncovered = 1000;

std::string placeText(const Vec3& p) {
  return "(" + textOf(p.x) + ", " + textOf(p.y) + ", " + textOf(p.z) + ")";
}

void complain(SphereTreeCertificate& verdict, std::string sentence) {
  if (verdict.complaint.empty()) verdict.complaint = std::move(sentence);
}

/// Checks each level as a whole, with the leaves above.
void checkLevels(const SphereTree& tree, const Polyhedron& polyhedron, Real slack,
                 SphereTreeCertificate& verdict, BuildProgress& progress) {
  const OpenLevels open = openLevels(tree, polyhedron, slack, progress);
  verdict.uncoveredPieces = open.triangles;
  if (open.triangles > 0)
    complain(verdict, "level " + std::to_string(open.level) +
                          " as a whole is not proven to cover triangle " +
                          std::to_string(open.triangle) + " near " + placeText(open.where));
}

/// Measures balls. Most bounds are proven by a field, which finds some point of the surface nearby
/// much sooner than a search finds the nearest. The others are measured exactly.
class BoundCheck {
 public:
  BoundCheck(const Polyhedron& polyhedron, const DistanceField& field, BallPart part) noexcept
      : quick_(polyhedron, &field, part), exact_(polyhedron, nullptr, part) {}

  /// `atMost` is proven; `atLeast` is above `stored` only if `stored` is too small.
  [[nodiscard]] DistanceRange measure(const Sphere& ball, Real stored) {
    const DistanceRange quick = quick_.search(ball, measureTolerance * ball.radius, stored);
    if (quick.atMost <= stored) return {0.0, quick.atMost};
    // Measure only as accurately as necessary to decide
    for (Real tolerance = measureTolerance;; tolerance *= 0.1) {
      const DistanceRange exact = exact_.search(ball, tolerance * ball.radius, stored);
      if (exact.atMost <= stored || exact.atLeast > stored || tolerance < finestTolerance)
        return exact;
    }
  }

 private:
  FarthestPointSearch quick_, exact_;
};

/// Checks that no point of the ball is farther than `stored`. `where` describes the points in
/// messages.
void checkBound(BoundCheck& check, SphereId id, const Sphere& ball, Real stored,
                std::string_view where, SphereTreeCertificate& verdict) {
  const DistanceRange measured = check.measure(ball, stored);
  if (measured.atMost <= stored) return;
  ++verdict.brokenBounds;
  const bool broken = measured.atLeast > stored;
  const Real distance = broken ? measured.atLeast : measured.atMost;
  const int digits = digitsToTell(distance, stored);
  complain(verdict, "sphere " + std::to_string(id) + (broken ? " has a point " : " may have one ") +
                        std::string(where) + textOf(distance, digits) +
                        " m from the surface, but stores " + textOf(stored, digits) + " m");
}

/// Calls visit(sphere) for every sphere of every level.
void forEachSphere(const SphereTree& tree, BuildProgress& progress, const auto& visit) {
  std::vector<SphereId> spheres;
  std::size_t count = 0;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    count += spheres.size();
  }
  CheckStage stage(progress, BuildStage::Hausdorff, count);
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    for (const SphereId id : spheres) {
      stage.step();
      visit(id);
    }
  }
}

SphereTreeCertificate nearbyCertificate(const SphereTree& tree, const Polyhedron& nearby,
                                        Real slack, BuildProgress& progress) {
  SphereTreeCertificate verdict;
  if (tree.coverage() != Coverage::Samples) checkLevels(tree, nearby, slack, verdict, progress);
  verdict.covers = verdict.uncoveredPieces == 0;
  const DistanceField field(nearby.mesh());
  BoundCheck farthest(nearby, field, BallPart::Whole);
  forEachSphere(tree, progress, [&](SphereId id) {
    checkBound(farthest, id, tree.sphere(id), tree.hausdorff(id) + slack, "", verdict);
  });
  verdict.bounds = verdict.brokenBounds == 0;
  return verdict;
}

/// Checks what the coverage guarantees: a chain of spheres at every point, or whole levels.
void checkCoverage(const SphereTree& tree, const Polyhedron& polyhedron,
                   SphereTreeCertificate& verdict, BuildProgress& progress) {
  const TriangleMesh& mesh = polyhedron.mesh();
  if (tree.coverage() == Coverage::Guaranteed) {
    CoverageChains coverage(tree, mesh, &progress.cancelled);
    CheckStage stage(progress, BuildStage::Triangles, mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      stage.step();
      Vec3 where{0.0};
      const std::size_t uncovered = coverage.uncovered(t, maxUncovered, where);
      verdict.uncoveredPieces += uncovered;
      if (uncovered > 0)
        complain(verdict, "triangle " + std::to_string(t) + " is not proven to be covered near " +
                              placeText(where));
    }
  } else if (tree.coverage() == Coverage::Paper) {
    checkLevels(tree, polyhedron, 0.0, verdict, progress);
  }
  verdict.covers = verdict.uncoveredPieces == 0;
}

SphereTreeCertificate certificateOf(const SphereTree& tree, const Polyhedron& polyhedron,
                                    BuildProgress& progress) {
  SphereTreeCertificate verdict;
  const TriangleMesh& mesh = polyhedron.mesh();
  if (const char* fault =
          SphereTree::validate(tree.data(), static_cast<std::uint32_t>(mesh.triangles.size()))) {
    complain(verdict, std::string("the tree is malformed: ") + fault);
    return verdict;
  }

  checkCoverage(tree, polyhedron, verdict, progress);

  // No point of a ball may be farther from the surface than its H, and no point outside the solid
  // farther than its Ho
  const DistanceField field(mesh);
  BoundCheck farthest(polyhedron, field, BallPart::Whole);
  BoundCheck farthestOutside(polyhedron, field, BallPart::Outside);
  if (tree.boundsSolid() && !polyhedron.report().solid()) {
    ++verdict.brokenBounds;
    complain(verdict, "the tree stores distances outside of a solid, but the mesh is none");
  }
  forEachSphere(tree, progress, [&](SphereId id) {
    checkBound(farthest, id, tree.sphere(id), tree.hausdorff(id), "", verdict);
    if (tree.boundsSolid() && polyhedron.report().solid())
      checkBound(farthestOutside, id, tree.sphere(id), tree.outside(id), "outside of the solid ",
                 verdict);
  });
  verdict.bounds = verdict.brokenBounds == 0;

  // Spheres that prove contact must lie inside
  progress.enter(BuildStage::Inside);
  std::string outside;
  verdict.brokenInner = checkInnerSpheres(tree.data().inner, polyhedron, outside);
  if (verdict.brokenInner > 0) complain(verdict, std::move(outside));
  return verdict;
}

Result<SphereTreeCertificate> observed(BuildProgress& progress, const auto& certificate) {
  return orOutOfMemory("cannot check the tree", [&]() -> Result<SphereTreeCertificate> {
    NEARMISS_TRY {
      SphereTreeCertificate verdict = certificate(progress);
      progress.enter(BuildStage::Done);
      return verdict;
    }
    NEARMISS_CATCH(const CheckCancelled&) {
      return Error{ErrorCode::Cancelled, "the check was cancelled"};
    }
  });
}

/// Returns no certificate if there was not enough memory for the check.
SphereTreeCertificate orNone(const auto& certificate) {
  BuildProgress unseen;
  const auto verdict = observed(unseen, certificate);
  if (verdict) return *verdict;
  SphereTreeCertificate none;
  NEARMISS_TRY { none.complaint = verdict.error().message; }
  NEARMISS_CATCH(const std::bad_alloc&) {
    // There is no memory for a message either
  }
  return none;
}

}  // namespace

SphereTreeCertificate checkSphereTree(const SphereTree& tree, const Polyhedron& polyhedron) {
  return orNone([&](BuildProgress& unseen) { return certificateOf(tree, polyhedron, unseen); });
}

Result<SphereTreeCertificate> checkSphereTree(const SphereTree& tree, const Polyhedron& polyhedron,
                                              BuildProgress& progress) {
  return observed(progress,
                  [&](BuildProgress& shown) { return certificateOf(tree, polyhedron, shown); });
}

SphereTreeCertificate checkAgainstNearby(const SphereTree& tree, const Polyhedron& nearby,
                                         Real slack) {
  return orNone(
      [&](BuildProgress& unseen) { return nearbyCertificate(tree, nearby, slack, unseen); });
}

Result<SphereTreeCertificate> checkAgainstNearby(const SphereTree& tree, const Polyhedron& nearby,
                                                 Real slack, BuildProgress& progress) {
  return observed(progress, [&](BuildProgress& shown) {
    return nearbyCertificate(tree, nearby, slack, shown);
  });
}

}  // namespace nearmiss
