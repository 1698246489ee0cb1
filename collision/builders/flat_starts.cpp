// SPDX-License-Identifier: MIT
#include "builders/flat_search.h"

#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/seeded_random.h"
#include "builders/clusters.h"
#include "builders/medial.h"
#include "geometry/closest_points.h"
#include "spheres/distance_field.h"
#include "spheres/enclosing_ball.h"

namespace nearmiss {
namespace {

/// Draws points with probability proportional to the square of their distance from those drawn
/// before.
std::vector<Vec3> farSeeds(std::span<const Vec3> points, std::size_t count, SeededRandom& random) {
  std::vector<Vec3> seeds{points[random.bits() % points.size()]};
  std::vector<Real> squares(points.size(), std::numeric_limits<Real>::infinity());
  while (seeds.size() < std::min(count, points.size())) {
    Real sum = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      squares[i] = std::min(squares[i], squaredDistance(points[i], seeds.back()));
      sum += squares[i];
    }
    Real drawn = sum * random.unit();
    std::size_t at = 0;
    while (at + 1 < points.size() && (drawn -= squares[at]) > 0.0) ++at;
    seeds.push_back(points[at]);
  }
  return seeds;
}

}  // namespace

Sphere ballAbout(const Vec3& centre, std::span<const Vec3> points) noexcept {
  return {centre, std::sqrt(maxSquaredDistance(centre, points)) * (1.0 + roundingUp)};
}

Sphere ballOf(std::span<const Vec3> points) noexcept {
  Sphere ball = smallestEnclosingBall(points);
  ball.radius *= 1.0 + roundingUp;
  return ball;
}

std::vector<Sphere> clusterBalls(std::span<const Vec3> points, std::size_t count,
                                 SeededRandom& random) {
  constexpr int rounds = 4;
  std::vector<Vec3> seeds = farSeeds(points, count, random);
  std::vector<std::vector<Vec3>> clusters;
  for (int round = 0; round < rounds; ++round) {
    clusters.assign(seeds.size(), {});
    for (const Vec3& point : points) {
      std::size_t nearest = 0;
      Real least = std::numeric_limits<Real>::infinity();
      for (std::size_t k = 0; k < seeds.size(); ++k) {
        const Real square = squaredDistance(point, seeds[k]);
        if (square >= least) continue;
        least = square;
        nearest = k;
      }
      clusters[nearest].push_back(point);
    }
    for (std::size_t k = 0; k < seeds.size(); ++k)
      if (!clusters[k].empty()) seeds[k] = smallestEnclosingBall(clusters[k]).centre;
  }
  std::vector<Sphere> balls;
  for (const std::vector<Vec3>& cluster : clusters)
    if (!cluster.empty()) balls.push_back(ballOf(cluster));
  return balls;
}

namespace {

/// Returns the deepest spheres of a one-level tree whose spheres protrude little.
std::vector<Sphere> treeStart(const Polyhedron& polyhedron, const FlatSetSettings& settings,
                              BuildProgress* progress) {
  SphereTreeSettings tree;
  tree.levels = 1;
  tree.workers = settings.workers;
  tree.hausdorffTolerance = 0.5;
  tree.variational.objective = SphereObjective::Outside;
  tree.variational.maxSpheres = std::min(settings.count, maxSpheresOfOneLevel);
  const auto built = buildVariationalSphereTree(polyhedron, tree, progress);
  if (!built) return {};
  std::vector<SphereId> ids;
  built->spheresOf(built->levelCount() - 1, ids);
  std::vector<Sphere> balls;
  for (const SphereId id : ids) balls.push_back(built->sphere(id));
  return balls;
}

}  // namespace

std::vector<std::vector<Sphere>> flatStarts(const Polyhedron& polyhedron,
                                            std::span<const SurfacePiece> pieces,
                                            std::span<const Vec3> points,
                                            const FlatSetSettings& settings,
                                            BuildProgress* progress) {
  std::vector<std::vector<Sphere>> starts;
  SeededRandom random(settings.seed);
  starts.push_back(clusterBalls(points, settings.count, random));

  const DistanceField field(polyhedron.mesh());
  const std::vector<Sphere> axis =
      medialBalls(polyhedron, field, 1000 + 10 * settings.count, progress);
  std::vector<std::uint32_t> members(pieces.size());
  std::iota(members.begin(), members.end(), 0u);
  std::vector<Sphere> medial = coverSeeds(axis, pieces, members, settings.count);
  if (!medial.empty()) starts.push_back(std::move(medial));

  std::vector<Sphere> tree = treeStart(polyhedron, settings, progress);
  if (!tree.empty()) starts.push_back(std::move(tree));
  if (wasCancelled(progress)) starts.clear();
  return starts;
}

}  // namespace nearmiss
