// SPDX-License-Identifier: MIT
/// Two ways to make merged spheres cover the surface. The surface partition distributes the pieces
/// of a sphere to its children and enlarges these until each contains its pieces (erratum E5). The
/// other way enlarges all spheres until they cover the surface together.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "spheres/point_tree.h"
#include "spheres/surface_samples.h"

namespace nearmiss {

/// A piece, and the point of the axis nearest to it.
struct OwnedPiece {
  SurfacePiece piece;
  std::uint32_t point = 0;
};

/// A sphere that owns pieces.
struct PieceHolder {
  Sphere ball;
  std::vector<std::uint32_t> points;  ///< its forming points, ascending
  std::vector<OwnedPiece> pieces;
};

class SurfacePartition {
 public:
  /// @param mesh, points must outlive this
  SurfacePartition(const TriangleMesh& mesh, const std::vector<Vec3>& points, Real spacing);

  /// Returns the whole surface in pieces about as large as the spacing of the points.
  [[nodiscard]] std::vector<OwnedPiece> wholeSurface() const;

  /// Gives each of `pieces` to one of `owners`, cut up where owners meet. Prefers an owner that has
  /// the piece's nearest point, so that the levels below have a sphere nearby. If `last`, prefers
  /// an owner that already contains the piece. Owners grow about their centres, as little as
  /// necessary.
  /// @pre at least one owner
  void distribute(std::vector<OwnedPiece> pieces, bool last,
                  std::vector<PieceHolder>& owners) const;

 private:
  const TriangleMesh* mesh_;
  const std::vector<Vec3>* points_;
  PointTree tree_;
  Real spacing_;
};

/// The surface to cover, and the required overlap.
struct CoverDemand {
  const Sphere* clip = nullptr;  ///< cover only the surface in this ball; null: all of it
  /// Spheres count as smaller by this share of their radii, so that a small piece of surface around
  /// each point lies wholly in one sphere.
  Real overlap = 0.0;
};

/// Enlarges balls about their centres, as little as necessary, up to half a per cent more, until
/// they cover every triangle as required by `demand` according to the boundary lemma [H96 §9.1], or
/// until `cancelled` is set.
/// @pre at least one ball
void enlargeUntilCovered(const Polyhedron& polyhedron, std::span<Sphere* const> balls,
                         const CoverDemand& demand, const std::atomic<bool>* cancelled);

}  // namespace nearmiss
