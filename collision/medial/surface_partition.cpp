// SPDX-License-Identifier: MIT
#include "medial/surface_partition.h"

#include "geometry/closest_points.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nearmiss {
namespace {

/// Of the points' spacing: pieces are cut no further where owners meet.
constexpr Real finest = 0.15;
/// Balls are enlarged by this share more than rounding requires, so that neighbours overlap.
constexpr Real overlapping = 1e-5;
constexpr std::size_t none = static_cast<std::size_t>(-1);

Real reachOf(const SurfacePiece& piece, const Vec3& centre) noexcept {
  Real square = 0.0;
  for (const Vec3& corner : piece.corners)
    square = std::max(square, squaredDistance(corner, centre));
  return std::sqrt(square);
}

bool hasPoint(const PieceHolder& owner, std::uint32_t point) noexcept {
  return std::binary_search(owner.points.begin(), owner.points.end(), point);
}

Real sizeOf(const SurfacePiece& piece) noexcept {
  const auto& c = piece.corners;
  return std::sqrt(std::max(
      {squaredDistance(c[0], c[1]), squaredDistance(c[1], c[2]), squaredDistance(c[2], c[0])}));
}

/// The owner that must grow least for a piece, and by how much; a growth of 0 or less: not at all.
struct Offer {
  std::size_t owner = none;
  Real growth = 0.0;
};

/// Only owners with the piece's point are considered, if `holders`.
Offer bestOffer(const OwnedPiece& owned, const std::vector<PieceHolder>& owners, bool holders) {
  Offer best;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (holders && !hasPoint(owners[i], owned.point)) continue;
    const Real growth =
        reachOf(owned.piece, owners[i].ball.centre) * (1.0 + overlapping) - owners[i].ball.radius;
    if (best.owner == none || growth < best.growth) best = {i, growth};
  }
  return best;
}

}  // namespace

SurfacePartition::SurfacePartition(const TriangleMesh& mesh, const std::vector<Vec3>& points,
                                   Real spacing)
    : mesh_(&mesh), points_(&points), grid_(points, spacing), spacing_(spacing) {}

std::vector<OwnedPiece> SurfacePartition::wholeSurface() const {
  std::vector<SurfacePiece> pieces = surfacePieces(*mesh_);
  cutEvenly(pieces, 4 * points_->size());
  std::vector<OwnedPiece> owned;
  owned.reserve(pieces.size());
  for (const SurfacePiece& piece : pieces)
    owned.push_back({piece, grid_.nearest(piece.middle, *points_)});
  return owned;
}

void SurfacePartition::distribute(std::vector<OwnedPiece> pieces, bool last,
                                  std::vector<PieceHolder>& owners) const {
  struct Waiting {
    Real growth;
    std::size_t piece;
  };
  std::vector<Waiting> waiting;
  const auto offerFor = [&](const OwnedPiece& owned) {
    Offer any = last ? bestOffer(owned, owners, false) : Offer{};
    if (any.owner != none && any.growth <= 0.0) return any;
    const Offer holder = bestOffer(owned, owners, true);
    if (holder.owner != none && (!last || holder.growth <= any.growth)) return holder;
    return any.owner != none ? any : bestOffer(owned, owners, false);
  };

  // Hand out what fits, and cut what does not unless it is far from fitting
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Offer offer = offerFor(pieces[i]);
    if (offer.growth <= 0.0) {
      owners[offer.owner].pieces.push_back(pieces[i]);
    } else if (sizeOf(pieces[i].piece) > std::max(finest * spacing_, 0.5 * offer.growth)) {
      for (const SurfacePiece& half : halves(pieces[i].piece))
        pieces.push_back({half, grid_.nearest(half.middle, *points_)});
    } else {
      waiting.push_back({offer.growth, i});
    }
  }

  // What takes most growth comes first: a ball that has grown holds other pieces as well
  std::sort(waiting.begin(), waiting.end(), [](const Waiting& a, const Waiting& b) {
    return a.growth != b.growth ? a.growth > b.growth : a.piece < b.piece;
  });
  for (const Waiting& w : waiting) {
    const Offer offer = offerFor(pieces[w.piece]);
    PieceHolder& owner = owners[offer.owner];
    owner.ball.radius += std::max(0.0, offer.growth);
    owner.pieces.push_back(pieces[w.piece]);
  }
}

}  // namespace nearmiss
