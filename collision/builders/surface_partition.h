// SPDX-License-Identifier: MIT
/// Two ways to make merged spheres cover: the surface partition, which hands the pieces of a sphere
/// to its children and enlarges these until each holds its pieces (erratum E5), and enlarging all
/// until they cover together.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "spheres/point_tree.h"
#include "spheres/surface_samples.h"

namespace nearmiss {

/// A piece and the point of the axis that it is nearest to.
struct OwnedPiece {
  SurfacePiece piece;
  std::uint32_t point = 0;
};

/// A sphere that takes pieces.
struct PieceHolder {
  Sphere ball;
  std::vector<std::uint32_t> points;  ///< its forming points, ascending
  std::vector<OwnedPiece> pieces;
};

class SurfacePartition {
 public:
  /// @param mesh, points must outlive this
  SurfacePartition(const TriangleMesh& mesh, const std::vector<Vec3>& points, Real spacing);

  /// The whole surface in pieces about as large as the points are apart.
  [[nodiscard]] std::vector<OwnedPiece> wholeSurface() const;

  /// Gives each of `pieces` to one of `owners`, cut up where they meet: to one that has its nearest
  /// point, so that what is built below it has a sphere nearby; or, if `last`, to whichever holds
  /// it already. Owners grow about their centres, by as little as it takes.
  /// @pre at least one owner
  void distribute(std::vector<OwnedPiece> pieces, bool last,
                  std::vector<PieceHolder>& owners) const;

 private:
  const TriangleMesh* mesh_;
  const std::vector<Vec3>* points_;
  PointTree tree_;
  Real spacing_;
};

/// The surface to cover, and how thoroughly.
struct CoverDemand {
  const Sphere* clip = nullptr;  ///< only the surface in this ball; null: all of it
  /// Spheres count as smaller by this share of their radii, so that around every point one sphere
  /// holds a small piece of surface whole.
  Real overlap = 0.0;
};

/// Enlarges balls about their centres, by as little as it takes up to half a per cent, until every
/// triangle is covered as `demand` says by the boundary lemma [H96 §9.1], or until `cancelled` is
/// set. At least one ball.
void enlargeUntilCovered(const Polyhedron& polyhedron, std::span<Sphere* const> balls,
                         const CoverDemand& demand, const std::atomic<bool>* cancelled);

}  // namespace nearmiss
