// SPDX-License-Identifier: MIT
/// Hierarchical partition of surface pieces, shared by the variational builders. Every piece has
/// one owner in each level, and an owner owns the pieces of its children.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "builders/clusters.h"
#include "builders/surface_division.h"
#include "spheres/build_plan.h"
#include "spheres/distance_field.h"
#include "spheres/exposure_field.h"
#include "spheres/hausdorff_probe.h"
#include "spheres/surface_samples.h"

namespace nearmiss {

/// Maximum number of children of a sphere, because a division compares all of them with each other.
inline constexpr std::size_t maxChildren = maxSpheresOfOneLevel;

/// Maximum number of spheres in level `level` of `levels`. If `most` is 0, this is branching^level.
///
/// Otherwise `most` is the maximum for the deepest level. The other levels have the greater of
/// branching^level and most^(level / levels), but no more than most / 2^(levels - level).
/// Never less than the level above has.
/// @pre 1 <= level <= levels, most <= maxSpheresOf(levels)
[[nodiscard]] std::size_t levelTotal(int level, int levels, int branching,
                                     std::size_t most) noexcept;

/// Number of children of each parent, from 1 to `most`, together at most `total`. All children
/// shall get about the same Hausdorff distance: half the distance for a piece of surface takes four
/// times as many spheres.
/// @param distances Hausdorff distances of the parents, finite and nonnegative
/// @pre total is at least the number of parents
[[nodiscard]] std::vector<std::size_t> childShares(std::span<const Real> distances,
                                                   std::size_t total, std::size_t most);

/// A future sphere and the pieces that it owns.
struct PieceOwner {
  Sphere ball;             ///< contains the pieces
  Real hausdorff = 0.0;    ///< estimated, metres
  std::size_t parent = 0;  ///< index in the level above
  std::vector<SurfacePiece> pieces;
};

/// Divides owners level by level until they are small enough.
class PieceOwners {
 public:
  /// All arguments must outlive this.
  /// @param share fraction of the stage's progress that all divisions take
  PieceOwners(const Polyhedron& polyhedron, const BuildPlan<VariationalSettings>& settings,
              BuildProgress* progress, float share = 1.0f);

  /// Returns the single owner of level 0, which owns all pieces. Call before all divisions.
  [[nodiscard]] PieceOwner whole();

  /// Returns the owners of level `level`, in the order of their parents, in `next`. A parent that
  /// is divided passes its pieces on to its children; other parents keep theirs. Returns false if
  /// cancelled.
  /// @param settled number of owners above that stayed whole and are not among `parents`
  [[nodiscard]] bool divide(std::vector<PieceOwner>& parents, int level, std::size_t settled,
                            std::vector<PieceOwner>& children);

  [[nodiscard]] SurfaceDivision& division() noexcept { return divisions_[0]; }
  /// The effort for level `level` of a tree.
  [[nodiscard]] DivisionEffort effort(int level) const noexcept;
  /// The distance field of the polyhedron's mesh.
  [[nodiscard]] const DistanceField& field() const noexcept { return field_; }
  [[nodiscard]] bool cancelled() const noexcept { return wasCancelled(progress_); }

 private:
  [[nodiscard]] Real needOf(const PieceOwner& owner) const noexcept;
  [[nodiscard]] std::vector<std::size_t> sharesOf(std::span<const PieceOwner> parents, int level,
                                                  std::size_t settled) const;
  [[nodiscard]] std::size_t piecesToDivide(std::size_t children, int level) const noexcept;
  [[nodiscard]] std::vector<PieceOwner> childrenOf(PieceOwner& parent, std::size_t most, int level,
                                                   SurfaceDivision& division) const;

  const Polyhedron& polyhedron_;
  const BuildPlan<VariationalSettings>& settings_;
  BuildProgress* progress_;
  float share_;
  DistanceField field_;
  std::optional<ExposureField> exposure_;
  bool largest_;  ///< the maximum H is minimised, not a weighted one
  HausdorffProbe probe_;
  std::vector<SurfaceDivision> divisions_;  ///< one per worker
  std::optional<MeetingMeasure> meeting_;
  std::vector<Sphere> medialBalls_;  ///< seeds of divisions, if enabled in the settings
};

/// Returns the sphere for level 0 of a tree: the bounding sphere about the body's origin, which the
/// broad phase uses as well, or `ball` if the body lies far from its origin.
[[nodiscard]] Sphere rootBall(const Polyhedron& polyhedron, const Sphere& ball) noexcept;

/// Returns the triangles that the pieces belong to, ascending, without duplicates.
[[nodiscard]] std::vector<std::uint32_t> trianglesOf(std::span<const SurfacePiece> pieces);

/// Fills triangleBegin and leafTriangles: lists[i] belongs to leaf ids[i]; ids are ascending.
void listTriangles(std::span<const SphereId> ids, std::span<const std::vector<std::uint32_t>> lists,
                   SphereTree::Data& data);

}  // namespace nearmiss
