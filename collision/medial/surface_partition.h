// SPDX-License-Identifier: MIT
/// The surface partition: hands the surface pieces of a sphere to its children, and enlarges the
/// children until each holds its pieces. This makes coverage by merged spheres certain (erratum
/// E5).
#pragma once

#include "spheres/even_points.h"
#include "spheres/point_grid.h"
#include "spheres/surface_pieces.h"

#include <nearmiss/primitives.h>

#include <cstdint>
#include <vector>

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
  PointGrid grid_;
  Real spacing_;
};

}  // namespace nearmiss
