// SPDX-License-Identifier: MIT
#include "builders/surface_partition.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "geometry/box_measures.h"
#include "geometry/closest_points.h"
#include "spheres/coverage.h"

namespace nearmiss {
namespace {

/// Minimum size of pieces that are cut where owners meet, relative to the points' spacing.
constexpr Real finest = 0.15;
/// Balls are enlarged by this share more than rounding requires, so that neighbours overlap.
constexpr Real overlapShare = 1e-5;
/// Maximum number of needles cut for the children of one sphere. The halves of needles are needles
/// again, three for each two, and would soon be millions.
constexpr std::size_t maxNeedleCuts = 2000;
constexpr std::size_t noOwner = static_cast<std::size_t>(-1);

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

/// The owner that must grow least for a piece, and by how much; 0 or less if it need not grow.
struct Offer {
  std::size_t owner = noOwner;
  Real growth = 0.0;
};

/// If `holders`, considers only owners that have the piece's point.
Offer bestOffer(const OwnedPiece& owned, const std::vector<PieceHolder>& owners, bool holders) {
  Offer best;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (holders && !hasPoint(owners[i], owned.point)) continue;
    const Real growth =
        reachOf(owned.piece, owners[i].ball.centre) * (1.0 + overlapShare) - owners[i].ball.radius;
    if (best.owner == noOwner || growth < best.growth) best = {i, growth};
  }
  return best;
}

}  // namespace

SurfacePartition::SurfacePartition(const TriangleMesh& mesh, const std::vector<Vec3>& points,
                                   Real spacing)
    : mesh_(&mesh), points_(&points), tree_(points), spacing_(spacing) {}

std::vector<OwnedPiece> SurfacePartition::wholeSurface() const {
  std::vector<SurfacePiece> pieces = surfacePieces(*mesh_);
  cutEvenly(pieces, 4 * points_->size());
  std::vector<OwnedPiece> owned;
  owned.reserve(pieces.size());
  for (const SurfacePiece& piece : pieces) owned.push_back({piece, tree_.nearest(piece.middle)});
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
    if (any.owner != noOwner && any.growth <= 0.0) return any;
    const Offer holder = bestOffer(owned, owners, true);
    if (holder.owner != noOwner && (!last || holder.growth <= any.growth)) return holder;
    return any.owner != noOwner ? any : bestOffer(owned, owners, false);
  };

  std::size_t needleCuts = 0;
  const auto mayCut = [&needleCuts](const SurfacePiece& piece) {
    return !isNeedle(piece) || needleCuts++ < maxNeedleCuts;
  };

  // Distribute the pieces that fit. Cut those that do not, unless they are far from fitting
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Offer offer = offerFor(pieces[i]);
    if (offer.growth <= 0.0) {
      owners[offer.owner].pieces.push_back(pieces[i]);
    } else if (sizeOf(pieces[i].piece) > std::max(finest * spacing_, 0.5 * offer.growth) &&
               mayCut(pieces[i].piece)) {
      for (const SurfacePiece& half : halves(pieces[i].piece))
        pieces.push_back({half, tree_.nearest(half.middle)});
    } else {
      waiting.push_back({offer.growth, i});
    }
  }

  // Start with the piece that needs most growth: a ball that has grown may contain other pieces
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

namespace {

/// The step by which a sphere grows beyond an uncovered point, relative to its radius, or to the
/// triangle if the radius is 0.
constexpr Real growthStep = 0.005;

Sphere shrunk(const Sphere& ball, Real share) noexcept {
  return {ball.centre, ball.radius * (1.0 - share)};
}

/// Enlarges balls until the triangle is covered. `meeting` are the balls that meet it. If none
/// does, adds one.
void coverTriangle(const Triangle& triangle, std::span<Sphere* const> balls,
                   std::vector<std::uint32_t>& meeting, const CoverDemand& demand,
                   const std::atomic<bool>* cancelled) {
  GrowingCover covering(triangle, demand.clip);
  for (const std::uint32_t i : meeting) covering.add(shrunk(*balls[i], demand.overlap));
  const auto holdsClip = [&](const Sphere& ball) {
    return glm::distance(ball.centre, demand.clip->centre) + demand.clip->radius <= ball.radius;
  };
  while (const auto open = covering.uncoveredPoint(cancelled)) {
    // In the plane of a needle, or where the clip only grazes the triangle, the proof may fail
    // however large the balls are
    if (heldByOne(triangle, covering.spheres()) || wasCancelled(cancelled)) return;
    if (demand.clip && std::ranges::any_of(covering.spheres(), holdsClip)) return;
    // Choose the sphere nearest to the point, among those that meet the triangle, or among all if
    // none does
    const auto gapOf = [&](const Sphere* ball) {
      return glm::distance(ball->centre, *open) - ball->radius;
    };
    if (meeting.empty()) {
      const auto nearest = std::ranges::min_element(balls, {}, gapOf);
      meeting.push_back(static_cast<std::uint32_t>(nearest - balls.begin()));
      covering.add(**nearest);
    }
    const auto best =
        std::ranges::min_element(meeting, {}, [&](std::uint32_t i) { return gapOf(balls[i]); });
    Sphere& ball = *balls[*best];
    ball.radius += std::max(0.0, gapOf(&ball));
    // A sphere of radius 0 has no radius to scale
    const Real size = ball.radius > 0.0 ? ball.radius : glm::length(boxOf(triangle).extent());
    ball.radius += growthStep * size;
    covering.grow(static_cast<std::size_t>(best - meeting.begin()), shrunk(ball, demand.overlap));
  }
}

}  // namespace

void enlargeUntilCovered(const Polyhedron& polyhedron, std::span<Sphere* const> balls,
                         const CoverDemand& demand, const std::atomic<bool>* cancelled) {
  // Find which balls meet which triangle. Surface outside the clip needs no ball
  std::vector<std::uint32_t> candidates;
  if (demand.clip) {
    candidates = trianglesMeeting(polyhedron, *demand.clip);
  } else {
    candidates.resize(polyhedron.mesh().triangles.size());
    std::iota(candidates.begin(), candidates.end(), 0u);
  }
  std::vector<std::vector<std::uint32_t>> meeting(candidates.size());
  for (std::uint32_t i = 0; i < balls.size(); ++i)
    for (const std::uint32_t t : trianglesMeeting(polyhedron, *balls[i])) {
      const auto at = std::lower_bound(candidates.begin(), candidates.end(), t);
      if (at != candidates.end() && *at == t)
        meeting[static_cast<std::size_t>(at - candidates.begin())].push_back(i);
    }
  for (std::size_t k = 0; k < candidates.size() && !wasCancelled(cancelled); ++k)
    coverTriangle(polyhedron.mesh().corners(candidates[k]), balls, meeting[k], demand, cancelled);
}

}  // namespace nearmiss
