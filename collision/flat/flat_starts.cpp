// SPDX-License-Identifier: MIT
#include "flat/flat_starts.h"

#include "flat/cluster_balls.h"
#include "medial/medial_balls.h"
#include "spheres/distance_field.h"
#include "spheres/seeded_random.h"
#include "variational/cover_seeds.h"

#include <nearmiss/sphere_tree_builder.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace nearmiss {
namespace {

/// The deepest spheres of a tree of one level whose spheres stick out little.
std::vector<Sphere> treeStart(const Polyhedron& polyhedron, const FlatSetSettings& settings,
                              BuildProgress* progress) {
  SphereTreeSettings tree;
  tree.levels = 1;
  tree.workers = settings.workers;
  tree.hausdorffTolerance = 0.5;
  tree.variational.objective = SphereObjective::Outside;
  tree.variational.mostSpheres = std::min(settings.count, mostSpheresOfOneLevel);
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
  if (progress && progress->cancelled) starts.clear();
  return starts;
}

}  // namespace nearmiss
