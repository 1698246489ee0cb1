// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/spheres.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/parallel_for.h"
#include "builders/flat_search.h"
#include "builders/solid_volume.h"
#include "spheres/point_grid.h"
#include "spheres/surface_samples.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

/// Numbers of moves of several balls at once, per sphere.
struct SearchEffort {
  std::size_t ofStarts;               ///< from every start
  std::array<std::size_t, 3> ofBest;  ///< for the best start, after each closing of gaps
};
constexpr SearchEffort usualEffort{2, {6, 2, 2}};
/// For spheres with a good initial layout: more moves gain almost nothing.
constexpr SearchEffort littleEffort{1, {1, 1, 1}};

const SearchEffort& effortOf(const FlatSetSettings& settings) noexcept {
  return settings.ownStarts || settings.start.empty() ? usualEffort : littleEffort;
}

constexpr std::size_t finalists = 2;
constexpr int roundsOfSettling = 6;

/// Reports steps of the search as progress.
class Steps {
 public:
  Steps(std::size_t total, BuildProgress* progress) noexcept : total_(total), progress_(progress) {}
  void next() noexcept {
    if (progress_) progress_->fraction = static_cast<float>(++done_) / static_cast<float>(total_);
  }

 private:
  std::size_t total_;
  BuildProgress* progress_;
  std::atomic<std::size_t> done_{0};
};

std::vector<Vec3> cornersOf(std::span<const SurfacePiece> pieces) {
  DistinctPoints distinct;
  distinct.start(3 * pieces.size());
  for (const SurfacePiece& piece : pieces)
    for (const Vec3& corner : piece.corners) distinct.add(corner);
  return {distinct.points().begin(), distinct.points().end()};
}

/// Returns a box around the body and all initial balls, with room to move.
Box regionOf(const Polyhedron& polyhedron, std::span<const std::vector<Sphere>> starts) {
  Box region = polyhedron.bounds();
  Real largest = 0.0;
  for (const std::vector<Sphere>& balls : starts)
    for (const Sphere& ball : balls) {
      region.include(Box{ball.centre - ball.radius, ball.centre + ball.radius});
      largest = std::max(largest, ball.radius);
    }
  region.low -= 0.3 * largest;
  region.high += 0.3 * largest;
  return region;
}

bool isCheaper(const FlatSearch& a, const FlatSearch& b) noexcept { return a.cost() < b.cost(); }

/// Returns the searches from all starts, cheapest first, limited to those that will be resumed.
std::vector<FlatSearch> firstSearches(const VolumeGrid& grid, const VolumeGrid& coarse,
                                      const std::vector<Vec3>& points,
                                      std::span<const std::vector<Sphere>> starts,
                                      const FlatSetSettings& settings,
                                      const std::atomic<bool>* cancelled, Steps& steps) {
  std::vector<std::optional<FlatSearch>> found(starts.size());
  parallelFor(starts.size(), settings.workers, [&](std::size_t i, int) {
    FlatSearch& search = found[i].emplace(grid, coarse, points, settings.seed + i, cancelled);
    if (search.cancelled()) return;
    std::vector<Sphere> balls = starts[i];
    balls.resize(settings.count, Sphere{});
    search.start(balls);
    search.settle(roundsOfSettling);
    search.exchange(effortOf(settings).ofStarts * settings.count);
    steps.next();
  });
  std::vector<FlatSearch> searches;
  for (std::optional<FlatSearch>& search : found) searches.push_back(*std::move(search));
  std::stable_sort(searches.begin(), searches.end(), isCheaper);
  while (searches.size() > finalists) searches.pop_back();
  return searches;
}

/// Closes the gaps between the balls, which lie where balls meet and move with them, and tries
/// moves again.
void closeAndExchange(const CoveredBody& body, std::size_t moves, FlatSearch& search,
                      Steps& steps) {
  closeGaps(body, 2, search);
  search.exchange(moves);
  steps.next();
}

/// Resumes the best searches for one round, and then the cheapest of them.
FlatSearch winnerOf(const CoveredBody& body, std::vector<FlatSearch> searches,
                    const FlatSetSettings& settings, Steps& steps) {
  const auto& moves = effortOf(settings).ofBest;
  parallelFor(searches.size(), settings.workers, [&](std::size_t i, int) {
    closeAndExchange(body, moves[0] * settings.count, searches[i], steps);
  });
  FlatSearch& best = *std::min_element(searches.begin(), searches.end(), isCheaper);
  for (std::size_t round = 1; round < moves.size(); ++round)
    closeAndExchange(body, moves[round] * settings.count, best, steps);
  best.settle(roundsOfSettling);
  closeGaps(body, 3, best);
  return std::move(best);
}

Result<std::vector<Sphere>> fitted(const Polyhedron& polyhedron, const FlatSetSettings& settings,
                                   BuildProgress* progress) {
  const Error cancelled{ErrorCode::Cancelled, "fitting spheres was cancelled"};
  std::vector<SurfacePiece> pieces = surfacePieces(polyhedron.mesh());
  cutEvenly(pieces, 4000 + 400 * settings.count);
  std::vector<Vec3> points = cornersOf(pieces);
  std::vector<std::vector<Sphere>> starts;
  if (settings.ownStarts || settings.start.empty())
    starts = flatStarts(polyhedron, pieces, points, settings, progress);
  if (wasCancelled(progress)) return cancelled;
  if (!settings.start.empty()) starts.emplace_back(settings.start.begin(), settings.start.end());
  if (starts.empty()) return cancelled;

  // Points inside the solid prevent holes; holes that remain between them are found by their
  // corners
  if (progress) progress->enter(BuildStage::Structure);
  const SolidParts parts(polyhedron, cancellationOf(progress));
  if (wasCancelled(progress)) return cancelled;
  const Box region = regionOf(polyhedron, starts);
  const std::size_t cells = 150'000 + 5'000 * settings.count;
  const VolumeGrid grid(parts, region, cells, cancellationOf(progress));
  const VolumeGrid coarse(parts, region, cells / 3, cancellationOf(progress));
  if (wasCancelled(progress)) return cancelled;
  for (const Vec3& point : grid.insidePoints(500 + 20 * settings.count))
    if (parts.contains(point)) points.push_back(point);

  const CoveredBody body{polyhedron, parts, pieces};
  Steps steps(starts.size() + finalists + usualEffort.ofBest.size() + 1, progress);
  std::vector<FlatSearch> searches =
      firstSearches(grid, coarse, points, starts, settings, cancellationOf(progress), steps);
  FlatSearch best = winnerOf(body, std::move(searches), settings, steps);
  const auto finish = [&](FlatSearch& search) {
    if (coverSurely(body, search, progress)) shrinkBalls(body, search);
    if (search.cancelled()) return std::numeric_limits<Real>::infinity();
    return measureUnion(polyhedron, parts, search.used(), usualRows, cancellationOf(progress))
        .outside;
  };
  const Real outside = finish(best);
  std::vector<Sphere> spheres = best.used();
  // If the cheapest start is better as it is, keep it
  std::optional<FlatSearch> given;
  for (const std::vector<Sphere>& balls : starts) {
    if (wasCancelled(progress)) return cancelled;
    FlatSearch other(grid, coarse, points, settings.seed, cancellationOf(progress));
    other.start(balls);
    if (!given || isCheaper(other, *given)) given.emplace(std::move(other));
  }
  if (finish(*given) <= outside) spheres = given->used();
  if (wasCancelled(progress)) return cancelled;
  if (progress) progress->enter(BuildStage::Done);
  return spheres;
}

std::vector<Sphere> scaledSpheres(std::span<const Sphere> spheres, int exponent) {
  std::vector<Sphere> scaled(spheres.begin(), spheres.end());
  for (Sphere& sphere : scaled) {
    sphere.centre *= std::ldexp(1.0, exponent);
    sphere.radius = std::ldexp(sphere.radius, exponent);
  }
  return scaled;
}

bool mayBegin(const Sphere& ball) noexcept {
  return isWithin(ball.centre, maxMeshSize) && ball.radius >= 0.0 && ball.radius <= maxMeshSize;
}

Error outOfRange(const char* what, std::size_t most, const std::string& given) {
  return {ErrorCode::Unsupported, std::string("a flat set has 1 to ") + std::to_string(most) + ' ' +
                                      what + ", not " + given};
}

}  // namespace

Result<std::vector<Sphere>> fitFlatSet(const Polyhedron& polyhedron,
                                       const FlatSetSettings& settings, BuildProgress* progress) {
  if (settings.count < 1 || settings.count > maxSpheresOfFlatSet)
    return outOfRange("spheres", maxSpheresOfFlatSet, std::to_string(settings.count));
  if (settings.start.size() > settings.count)
    return Error{ErrorCode::Unsupported, "a flat set begins with no more spheres than it may have"};
  if (!std::ranges::all_of(settings.start, mayBegin))
    return Error{
        ErrorCode::Unsupported,
        "a sphere to begin with must have a radius of 0 or more, and no number above 1e15"};
  if (settings.workers < 1 || settings.workers > maxBuildWorkers)
    return outOfRange("threads to build it", static_cast<std::size_t>(maxBuildWorkers),
                      std::to_string(settings.workers));
  return orOutOfMemory("cannot fit spheres", [&]() -> Result<std::vector<Sphere>> {
    const int exponent = exponentToUsualSize(polyhedron);
    if (exponent == 0) return fitted(polyhedron, settings, progress);
    FlatSetSettings scaled = settings;
    const std::vector<Sphere> start = scaledSpheres(settings.start, exponent);
    scaled.start = start;
    const auto usual = scaledBy(polyhedron, exponent, cancellationOf(progress));
    if (!usual) return usual.error();
    auto spheres = fitted(*usual, scaled, progress);
    if (spheres) *spheres = scaledSpheres(*spheres, -exponent);
    return spheres;
  });
}

}  // namespace nearmiss
