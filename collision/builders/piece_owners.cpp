// SPDX-License-Identifier: MIT
#include "builders/piece_owners.h"

#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "base/parallel_for.h"
#include "builders/medial.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

Real shareOf(Real distance, Real perSquare, std::size_t most) noexcept {
  return std::clamp(perSquare * distance * distance, 1.0, static_cast<Real>(most));
}

Real power(std::size_t base, int exponent) noexcept {
  Real all = 1.0;
  for (int i = 0; i < exponent; ++i) all *= static_cast<Real>(base);
  return all;
}

}  // namespace

std::size_t levelTotal(int level, int levels, int branching, std::size_t most) noexcept {
  NEARMISS_ASSERT(1 <= level && level <= levels, level, levels);
  const Real branched = power(static_cast<std::size_t>(branching), level);
  if (most == 0) return static_cast<std::size_t>(branched);
  if (level == levels) return most;
  const Real last = static_cast<Real>(most);
  const Real even = std::pow(last, static_cast<Real>(level) / static_cast<Real>(levels));
  const Real doubling = last / power(2, levels - level);
  // Rounding may have made an integer slightly smaller
  const Real total = std::min(std::max(branched, even), doubling) * (1.0 + 1e-12);
  return std::max(std::size_t{1}, static_cast<std::size_t>(total));
}

std::vector<std::size_t> childShares(std::span<const Real> distances, std::size_t total,
                                     std::size_t most) {
  NEARMISS_ASSERT(total >= distances.size(), total, distances.size());
  const Real greatest = *std::max_element(distances.begin(), distances.end());
  // If all distances are 0, treat them as equal
  const auto relative = [&](Real each) { return greatest > 0.0 ? each / greatest : 1.0; };
  const auto sum = [&](Real perSquare) {
    Real all = 0.0;
    for (const Real each : distances) all += shareOf(relative(each), perSquare, most);
    return all;
  };
  // Raise a factor until it distributes too much. This takes many steps if some distance is tiny
  // compared with the greatest. If no factor does, every parent already has its maximum
  const Real available = static_cast<Real>(total);
  constexpr Real largestFactor = 1e300;
  Real low = 0.0, high = available * available;
  while (sum(high) <= available && high < largestFactor) high *= 1024.0;
  // Bisect for the largest factor that does not
  for (int i = 0; i < 100; ++i) {
    const Real middle = 0.5 * (low + high);
    (sum(middle) <= available ? low : high) = middle;
  }
  // Carry rounding remainders over to the next parent
  std::vector<std::size_t> shares;
  Real owed = 0.0;
  for (const Real each : distances) {
    owed += shareOf(relative(each), low, most);
    const auto share = std::clamp(static_cast<std::size_t>(owed + 1e-6), std::size_t{1}, most);
    shares.push_back(share);
    owed -= static_cast<Real>(share);
  }
  return shares;
}

namespace {

/// Minimum number of pieces to divide. The border between two balls runs along edges of pieces, so
/// it needs many.
constexpr std::size_t piecesOfRoot = 4000;
constexpr std::size_t piecesOfOthers = 600;
/// Minimum number per child, if the number of spheres is given.
constexpr std::size_t piecesOfEach = 150;
/// Number of starts of the first division, which has the greatest influence on when bodies meet.
constexpr int startsOfRoot = 4;
constexpr int startsOfMany = 2;
constexpr std::size_t waysToMeet = 400;
/// Number of surface points whose medial balls are seeds.
constexpr std::size_t medialPoints = 600;
/// Maximum number of children of a sphere, relative to the mean.
constexpr std::size_t maxTimesMean = 4;

std::optional<ExposureField> exposureOf(const Polyhedron& polyhedron,
                                        const BuildPlan<VariationalSettings>& settings,
                                        const BuildProgress* progress) {
  // An error bound limits H everywhere, even where it is hidden from the outside. Exposure is also
  // meaningless without a solid
  if (settings.objective != SphereObjective::Exposed || settings.errorBound > 0.0 ||
      !polyhedron.report().solid())
    return std::nullopt;
  return ExposureField(polyhedron.mesh(), cancellationOf(progress));
}

}  // namespace

PieceOwners::PieceOwners(const Polyhedron& polyhedron,
                         const BuildPlan<VariationalSettings>& settings, BuildProgress* progress,
                         float share)
    : polyhedron_(polyhedron),
      settings_(settings),
      progress_(progress),
      share_(share),
      field_(polyhedron.mesh()),
      exposure_(exposureOf(polyhedron, settings, progress)),
      largest_(settings.objective == SphereObjective::Largest ||
               (settings.objective == SphereObjective::Exposed && !polyhedron.report().solid())),
      probe_(field_, insideWeight(polyhedron, settings.objective),
             exposure_ ? &*exposure_ : nullptr),
      divisions_(static_cast<std::size_t>(settings.workers),
                 SurfaceDivision(probe_, cancellationOf(progress))) {}

DivisionEffort PieceOwners::effort(int level) const noexcept {
  DivisionEffort effort;
  if (level == 1) {
    // With many balls, starts differ less
    const std::size_t total =
        levelTotal(1, settings_.levels, settings_.branching, settings_.maxSpheres);
    effort.starts = total <= SpherePack::width ? startsOfRoot : startsOfMany;
    effort.meeting = meeting_ ? &*meeting_ : nullptr;
  }
  effort.byArea = settings_.objective == SphereObjective::AreaWeighted;
  effort.rough = !effort.byArea;
  if (level <= 2) {
    effort.rounds = 8;
    // Exchanges by area consider small gains
    effort.handOvers = effort.byArea ? 4 : 2;
    effort.finestStep = effort.byArea ? 0.015 : 0.03;
    effort.roughStep = 0.05;
    effort.polishingStep = 0.25;
  }
  effort.balls = medialBalls_;
  // The first levels have few spheres. Below them, a second start is worth its time only for the
  // largest H: medial seeds are better on average, but occasionally leave an outlier
  const bool both = level <= 2 || largest_;
  if (!medialBalls_.empty() && (settings_.seeds == SphereSeeds::Medial || !both)) effort.starts = 0;
  return effort;
}

PieceOwner PieceOwners::whole() {
  PieceOwner owner;
  if (settings_.seeds != SphereSeeds::FarthestPoints)
    medialBalls_ = medialBalls(polyhedron_, field_, medialPoints, progress_);
  if (progress_) progress_->enter(BuildStage::Structure);
  owner.pieces = surfacePieces(polyhedron_.mesh());
  const PieceCluster all = divisions_[0].enclose(owner.pieces);
  owner.ball = all.ball;
  owner.hausdorff = all.hausdorff;
  if (exposure_) meeting_.emplace(all.ball, waysToMeet);
  return owner;
}

/// Children are distributed in proportion to the square of this value.
Real PieceOwners::needOf(const PieceOwner& owner) const noexcept {
  if (settings_.objective != SphereObjective::AreaWeighted) return owner.hausdorff;
  // n children of a parent with Hausdorff distance h and area A have distances of about h / sqrt(n)
  // over the whole area A. The sum of A h / sqrt(n) is least if n is proportional to the square of
  // the cube root of A h
  Real area = 0.0;
  for (const SurfacePiece& piece : owner.pieces) area += areaOf(piece);
  return std::cbrt(owner.hausdorff * area);
}

/// Returns the maximum number of children of each parent.
std::vector<std::size_t> PieceOwners::sharesOf(std::span<const PieceOwner> parents, int level,
                                               std::size_t settled) const {
  const auto branching = static_cast<std::size_t>(settings_.branching);
  // With an error bound, a sphere has only as many children as the bound requires
  const bool adaptive = settings_.adaptive && settings_.errorBound == 0.0;
  const std::size_t given = settings_.maxSpheres;
  if (given == 0 && (level == 1 || !adaptive))
    return std::vector<std::size_t>(parents.size(), branching);
  std::vector<Real> distances;
  for (const PieceOwner& parent : parents) distances.push_back(needOf(parent));
  std::size_t total = levelTotal(level, settings_.levels, settings_.branching, given);
  if (given == 0) return childShares(distances, total, maxTimesMean * branching);

  // Owners that stay whole represent their surface in every level below
  total -= settled;
  for (std::size_t i = 0; i < parents.size(); ++i)
    if (parents[i].hausdorff <= settings_.errorBound) distances[i] = 0.0;
  if (!adaptive) return childShares(distances, total, branching);
  const std::size_t mean = (total + parents.size() - 1) / parents.size();
  return childShares(distances, total, std::min(maxTimesMean * mean, maxChildren));
}

/// Number of pieces to cut for `children` children.
std::size_t PieceOwners::piecesToDivide(std::size_t children, int level) const noexcept {
  const bool given = settings_.maxSpheres > 0;
  if (level == 1) return std::max(piecesOfRoot, given ? piecesOfEach * children : 0);
  if (given) return piecesOfEach * children;
  return piecesOfOthers * children / static_cast<std::size_t>(settings_.branching);
}

bool PieceOwners::divide(std::vector<PieceOwner>& parents, int level, std::size_t settled,
                         std::vector<PieceOwner>& children) {
  std::vector<std::vector<PieceOwner>> found(parents.size());
  const std::vector<std::size_t> shares = sharesOf(parents, level, settled);
  std::atomic<std::size_t> done{0};
  parallelFor(parents.size(), settings_.workers, [&](std::size_t i, int worker) {
    if (cancelled()) return;
    found[i] =
        childrenOf(parents[i], shares[i], level, divisions_[static_cast<std::size_t>(worker)]);
    if (progress_)
      progress_->fraction = share_ *
                            (static_cast<float>(level - 1) +
                             static_cast<float>(++done) / static_cast<float>(parents.size())) /
                            static_cast<float>(settings_.levels);
  });
  if (cancelled()) return false;
  children.clear();
  for (std::size_t i = 0; i < parents.size(); ++i)
    for (PieceOwner& child : found[i]) {
      child.parent = i;
      children.push_back(std::move(child));
    }
  return true;
}

/// Empty if the owner stays a leaf.
std::vector<PieceOwner> PieceOwners::childrenOf(PieceOwner& parent, std::size_t most, int level,
                                                SurfaceDivision& division) const {
  if (parent.hausdorff <= settings_.errorBound) return {};
  std::vector<SurfacePiece> pieces = std::move(parent.pieces);
  parent.pieces.clear();
  // A single child is a copy of its parent
  if (most == 1) {
    std::vector<PieceOwner> only(1);
    only[0].ball = parent.ball;
    only[0].hausdorff = parent.hausdorff;
    only[0].pieces = std::move(pieces);
    return only;
  }
  cutEvenly(pieces, piecesToDivide(most, level));
  // The fewest children that all stay within the bound, if any number does
  std::vector<PieceCluster> clusters;
  for (std::size_t count = settings_.errorBound > 0.0 ? 2 : most; count <= most; ++count) {
    clusters = division.divide(pieces, count, effort(level));
    if (std::all_of(clusters.begin(), clusters.end(),
                    [this](const PieceCluster& c) { return c.hausdorff <= settings_.errorBound; }))
      break;
  }
  std::vector<PieceOwner> children;
  for (const PieceCluster& cluster : clusters) {
    PieceOwner& child = children.emplace_back();
    child.ball = cluster.ball;
    child.hausdorff = cluster.hausdorff;
    for (const std::uint32_t i : cluster.pieces) child.pieces.push_back(pieces[i]);
  }
  return children;
}

Sphere rootBall(const Polyhedron& polyhedron, const Sphere& ball) noexcept {
  const Sphere bounding{Vec3(0.0), polyhedron.radius() * (1.0 + 1e-6)};
  const Sphere stored = storedBall(ball);
  return bounding.radius <= 1.1 * stored.radius ? bounding : stored;
}

std::vector<std::uint32_t> trianglesOf(std::span<const SurfacePiece> pieces) {
  std::vector<std::uint32_t> triangles;
  for (const SurfacePiece& piece : pieces) triangles.push_back(piece.triangle);
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  return triangles;
}

void listTriangles(std::span<const SphereId> ids, std::span<const std::vector<std::uint32_t>> lists,
                   SphereTree::Data& data) {
  const std::size_t spheres = data.packs.size() * SpherePack::width;
  data.triangleBegin.assign(spheres + 1, 0);
  data.leafTriangles.clear();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    data.triangleBegin[ids[i] + 1] = static_cast<std::uint32_t>(lists[i].size());
    data.leafTriangles.insert(data.leafTriangles.end(), lists[i].begin(), lists[i].end());
  }
  for (std::size_t id = 0; id < spheres; ++id) data.triangleBegin[id + 1] += data.triangleBegin[id];
}

}  // namespace nearmiss
