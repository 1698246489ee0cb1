// SPDX-License-Identifier: MIT
/// Rays against one model, beside Embree: blocks of all rays by each in turn.
#include <engine/base/resources.h>
#include <engine/model/shape_set.h>
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <fmt/format.h>
#include <nearmiss/ray.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <span>
#include <vector>

#include "bench.h"
#include "percentile.h"
#include "ray_peer.h"
#include "support/random.h"

namespace nearmiss::bench {
namespace {

/// From all around towards the middle: about half of them meet a model.
std::vector<Ray> raysAt(const Shape& shape, int count) {
  test::Random random(1);
  std::vector<Ray> rays(static_cast<std::size_t>(count));
  for (Ray& ray : rays) {
    ray.origin = 2.0 * shape.radius() * random.direction();
    ray.direction = glm::normalize(random.inCube(0.6 * shape.radius()) - ray.origin);
  }
  return rays;
}

/// Nanoseconds per ray of a block.
double timeOf(const std::vector<Ray>& rays, std::vector<Real>& first, const auto& cast) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < rays.size(); ++i) first[i] = cast(rays[i]);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / static_cast<double>(rays.size());
}

double medianOf(std::vector<double> times) {
  std::ranges::sort(times);
  return percentile(times, 0.5);
}

Result<Shape> shapeOf(const RaysCommand& command) {
  auto file = Result<std::filesystem::path>(command.model);
  if (command.model.empty()) file = engine::findModel("truck");
  if (!file) return file.error();
  engine::ShapeOptions options;
  options.treeBuilder = "octree";
  options.tree.levels = 1;
  options.bspTrees = engine::BspTrees::None;
  const auto set = engine::buildShapeSet(std::span(&*file, 1), options);
  if (!set) return set.error();
  return (*set)->collision()[0];
}

}  // namespace

int rays(const RaysCommand& command) {
  const auto shape = shapeOf(command);
  if (!shape) {
    fmt::print(stderr, "nearmiss-lab: {}\n", shape.error().message);
    return 2;
  }
  const std::vector<Ray> requested = raysAt(*shape, command.rays);
  std::vector<Real> own(requested.size()), theirs(requested.size());
  std::vector<double> ownTimes, theirTimes;
  const auto peer = makeEmbree(shape->polyhedron().mesh());
  static_cast<void>(raycast(*shape, {}, requested.front()));
  for (int round = 0; round < command.rounds; ++round) {
    ownTimes.push_back(
        timeOf(requested, own, [&](const Ray& ray) { return raycast(*shape, {}, ray).t; }));
    theirTimes.push_back(
        timeOf(requested, theirs, [&](const Ray& ray) { return peer->first(ray); }));
  }

  std::size_t hits = 0, alike = 0;
  for (std::size_t i = 0; i < requested.size(); ++i) {
    const bool hit = std::isfinite(own[i]);
    hits += hit;
    alike += hit == std::isfinite(theirs[i]) &&
             (!hit || std::abs(own[i] - theirs[i]) < 1e-4 * shape->radius());
  }
  std::error_code failed;
  std::filesystem::create_directories(command.folder, failed);
  const auto table = command.folder / "rays.csv";
  std::ofstream csv(table);
  csv << engine::headText(engine::machineHead(engine::commitName()))
      << "triangles,rays,hits,alike,nearmiss_ns,embree_ns\n"
      << fmt::format("{},{},{},{},{:.1f},{:.1f}\n", shape->polyhedron().mesh().triangles.size(),
                     requested.size(), hits, alike, medianOf(ownTimes), medianOf(theirTimes));
  csv.close();
  fmt::print("{} rays, {} hits, {} alike: {:.0f} ns, Embree {:.0f} ns, {:.2f} times\n",
             requested.size(), hits, alike, medianOf(ownTimes), medianOf(theirTimes),
             medianOf(ownTimes) / medianOf(theirTimes));
  return csv && alike == requested.size() ? 0 : 1;
}

}  // namespace nearmiss::bench
