// SPDX-License-Identifier: MIT
/// The partition of surface pieces, level by level: every piece has one owner in each level, and an
/// owner owns the pieces of its children. Shared by the variational builders.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/tree_builders.h>

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

/// No sphere has more children: a division compares each of them with each.
inline constexpr std::size_t maxChildren = maxSpheresOfOneLevel;

/// Maximum number of spheres in level `level` of `levels`: branching^level, unless `most` is given,
/// for the deepest level. Then the others have as many all the same, or, if these are more, as many
/// as grow from level to level by the same factor up to `most`; but no more than can double from
/// there on. Never less than the level above has.
/// @pre 1 <= level <= levels, most <= maxSpheresOf(levels)
[[nodiscard]] std::size_t levelTotal(int level, int levels, int branching,
                                     std::size_t most) noexcept;

/// Number of children of each parent, from 1 to `most`, together at most `total`, so that all
/// children get about the same Hausdorff distance: half the distance for a piece of surface takes
/// four times the spheres.
/// @param distances Hausdorff distances of the parents, finite and not negative
/// @pre total is at least the number of parents
[[nodiscard]] std::vector<std::size_t> childShares(std::span<const Real> distances,
                                                   std::size_t total, std::size_t most);

/// A future sphere, with the pieces that it owns.
struct PieceOwner {
  Sphere ball;             ///< holds the pieces
  Real hausdorff = 0.0;    ///< estimated, metres
  std::size_t parent = 0;  ///< index in the level above
  std::vector<SurfacePiece> pieces;
};

/// Divides owners until they are small enough.
class PieceOwners {
 public:
  /// All must outlive this.
  /// @param share of the stage, as its progress, that all divisions take
  PieceOwners(const Polyhedron& polyhedron, const BuildPlan<VariationalSettings>& settings,
              BuildProgress* progress, float share = 1.0f);

  /// The one owner of level 0, of all pieces. To be called before all divisions.
  [[nodiscard]] PieceOwner whole();

  /// The owners of level `level`, in the order of their parents. A parent that is divided loses its
  /// pieces to its children; one that is not keeps them. False if cancelled.
  /// @param settled how many owners above stayed whole and are not among `parents`
  [[nodiscard]] bool divide(std::vector<PieceOwner>& parents, int level, std::size_t settled,
                            std::vector<PieceOwner>& children);

  [[nodiscard]] SurfaceDivision& division() noexcept { return divisions_[0]; }
  /// The effort for level `level` of a tree.
  [[nodiscard]] DivisionEffort effort(int level) const noexcept;
  /// The field of the polyhedron's mesh.
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
  bool largest_;  ///< the max H decides, not its weight where it is
  HausdorffProbe probe_;
  std::vector<SurfaceDivision> divisions_;  ///< one per worker
  std::optional<MeetingMeasure> meeting_;
  std::vector<Sphere> medialBalls_;  ///< seeds of divisions, if the settings want them
};

/// Level 0 of a tree: the bounding sphere about the body's origin, which the broad phase uses as
/// well, or `ball` where the body lies far from its origin.
[[nodiscard]] Sphere rootBall(const Polyhedron& polyhedron, const Sphere& ball) noexcept;

/// Which triangles the pieces belong to, ascending, each once.
[[nodiscard]] std::vector<std::uint32_t> trianglesOf(std::span<const SurfacePiece> pieces);

/// Fills triangleBegin and leafTriangles: lists[i] belongs to leaf ids[i], ids ascend.
void listTriangles(std::span<const SphereId> ids, std::span<const std::vector<std::uint32_t>> lists,
                   SphereTree::Data& data);

}  // namespace nearmiss
