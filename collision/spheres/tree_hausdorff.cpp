// SPDX-License-Identifier: MIT
#include "spheres/tree_hausdorff.h"

#include <nearmiss/level_report.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "spheres/farthest_point.h"
#include "spheres/parallel_for.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

/// The tolerance of Ho, relative to that of H: Ho of a thick solid is a small part of H.
constexpr Real outsidePrecision = 0.25;

/// Calls put(id, distance) once for every sphere, the distance rounded up from at most `tolerance`
/// radii above the true one. False if cancelled.
bool measureSpheres(const FarthestPointSearch& search, Real tolerance, int maxWorkers,
                    const SphereTree::Data& data, BuildProgress* progress, const auto& put) {
  if (progress) progress->enter(BuildStage::Hausdorff);
  const int workers = std::max(1, maxWorkers);
  std::vector<FarthestPointSearch> searches(static_cast<std::size_t>(workers), search);
  std::atomic<std::size_t> done{0};
  parallelFor(data.packs.size(), workers, [&](std::size_t pack, int worker) {
    const SpherePack& p = data.packs[pack];
    for (int lane = 0; lane < SpherePack::width && p.r[lane] >= 0.0f; ++lane) {
      if (progress && progress->cancelled) return;
      const SphereId id =
          static_cast<SphereId>(pack * SpherePack::width) + static_cast<SphereId>(lane);
      if (!data.identity.empty() && data.identity[id] != id) continue;
      const Sphere ball{Vec3(p.x[lane], p.y[lane], p.z[lane]), p.r[lane]};
      const DistanceRange range =
          searches[static_cast<std::size_t>(worker)].search(ball, tolerance * ball.radius);
      put(id, floatAtLeast(range.atMost));
    }
    if (progress)
      progress->fraction = static_cast<float>(++done) / static_cast<float>(data.packs.size());
  });
  return !progress || !progress->cancelled;
}

}  // namespace

bool measureHausdorff(const Polyhedron& polyhedron, const DistanceField& field,
                      const SphereTreeSettings& settings, SphereTree::Data& data,
                      BuildProgress* progress) {
  const auto hOf = [&data](SphereId id) -> float& {
    return data.links[id / SpherePack::width].hausdorff[id % SpherePack::width];
  };
  if (!measureSpheres(FarthestPointSearch(polyhedron, &field), settings.hausdorffTolerance,
                      settings.workers, data, progress,
                      [&hOf](SphereId id, float h) { hOf(id) = h; }))
    return false;
  for (SphereId id = 0; id < data.identity.size(); ++id) hOf(id) = hOf(data.identity[id]);
  return true;
}

bool measureOutside(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                    SphereTree::Data& data, BuildProgress* progress) {
  data.outside.clear();
  if (!polyhedron.report().solid()) return true;
  const DistanceField field(polyhedron.mesh());
  data.outside.resize(data.packs.size() * SpherePack::width, 0.0f);
  if (!measureSpheres(FarthestPointSearch(polyhedron, &field, BallPart::Outside),
                      outsidePrecision * settings.hausdorffTolerance, settings.workers, data,
                      progress, [&data](SphereId id, float ho) {
                        const auto& links = data.links[id / SpherePack::width];
                        data.outside[id] = std::min(ho, links.hausdorff[id % SpherePack::width]);
                      }))
    return false;
  for (SphereId id = 0; id < data.identity.size(); ++id)
    data.outside[id] = data.outside[data.identity[id]];
  return true;
}

std::vector<SphereLevelReport> levelReports(const SphereTree& tree) {
  std::vector<SphereLevelReport> reports;
  std::vector<SphereId> spheres;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    SphereLevelReport report;
    report.spheres = spheres.size();
    for (const SphereId id : spheres) {
      const Real radius = tree.sphere(id).radius;
      report.hausdorffMean += tree.hausdorff(id);
      report.hausdorffMax = std::max(report.hausdorffMax, tree.hausdorff(id));
      report.outsideMean += tree.outside(id);
      report.outsideMax = std::max(report.outsideMax, tree.outside(id));
      report.radiusMean += radius;
      report.radiusMax = std::max(report.radiusMax, radius);
    }
    report.hausdorffMean /= static_cast<Real>(spheres.size());
    report.outsideMean /= static_cast<Real>(spheres.size());
    report.radiusMean /= static_cast<Real>(spheres.size());
    reports.push_back(report);
  }
  return reports;
}

}  // namespace nearmiss
