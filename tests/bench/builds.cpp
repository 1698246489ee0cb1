// SPDX-License-Identifier: MIT
/// How soon a mesh is ready to collide, what it occupies, and what the first query of each kind
/// waits for, by the quality of the sphere tree, beside other libraries.
#include <engine/base/resources.h>
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <malloc.h>
#include <nearmiss/nearmiss.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "bench.h"
#include "mesh_peer.h"
#include "percentile.h"
#include "quantity_table.h"
#include "support/meshes.h"

namespace nearmiss::bench {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

struct NamedMesh {
  std::string name;
  TriangleMesh mesh;
};

class BuildTable : public QuantityTable {
 public:
  explicit BuildTable(const std::filesystem::path& file)
      : QuantityTable(file,
                      "# title: from a mesh in memory to its first answers\n"
                      "# columns: quantities with their units; wall time, the median of several "
                      "rounds; each first query has one round\n"
                      "mesh,triangles,method,workers,quantity,value\n") {}
  void add(const NamedMesh& of, const std::string& method, int workers, const std::string& quantity,
           double value) {
    QuantityTable::add({of.name, std::to_string(of.mesh.triangles.size()), method,
                        std::to_string(workers), quantity},
                       value);
  }
};

double timeOf(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return Milliseconds(std::chrono::steady_clock::now() - start).count();
}

/// The median; slow work is done once.
double medianTime(int rounds, const auto& work) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    times.push_back(timeOf(work));
    if (times.front() > 3000.0) break;
  }
  std::ranges::sort(times);
  return percentile(times, 0.5);
}

double bytesInUse() { return static_cast<double>(::mallinfo2().uordblks + ::mallinfo2().hblkhd); }

/// The first query of each kind and the median of those after it, at two places where bodies meet,
/// or nearly.
void addQueries(BuildTable& table, const NamedMesh& of, const std::string& method, int workers,
                const Shape& shape) {
  const Real r = shape.radius();
  const Pose here{}, there{Vec3(0.9 * r, 0.1 * r, 0.05 * r)}, apart{Vec3(2.5 * r, 0.1 * r, 0.0)};
  const Ray ray{Vec3(-5.0 * r, 0.1 * r, 0.05 * r), Vec3(1.0, 0.0, 0.0)};
  const auto both = [&](const std::string& name, const auto& query) {
    table.add(of, method, workers, name + "_first_ms", timeOf(query));
    table.add(of, method, workers, name + "_later_ms", medianTime(9, query));
  };
  both("collide", [&] { (void)collide(shape, here, shape, there); });
  both("distance", [&] { (void)distance(shape, here, shape, apart); });
  both("contacts", [&] { (void)contactManifold(shape, here, shape, there); });
  both("raycast", [&] { (void)raycast(shape, here, ray); });
  both("nearest_point", [&] { (void)nearestPoint(shape, here, Vec3(0.0, 0.0, 2.0 * r)); });
}

bool addShape(BuildTable& table, const NamedMesh& of, const std::string& method, int workers,
              ShapeSettings settings, int rounds) {
  const bool huge = of.mesh.triangles.size() > 1'000'000;
  settings.tree.workers = workers;
  bool made = true;
  table.add(of, method, workers, "make_ms", medianTime(rounds, [&] {
              made = made && static_cast<bool>(makeShape(of.mesh, settings));
            }));
  if (!made) return false;
  const double before = bytesInUse();
  const auto shape = makeShape(of.mesh, settings);
  if (!shape) return false;
  const auto perTriangle = [&] {
    return (bytesInUse() - before) / static_cast<double>(of.mesh.triangles.size());
  };
  table.add(of, method, workers, "bytes_per_triangle", perTriangle());
  // Without a tree a query compares triangle by triangle
  if (workers > 1 || (huge && settings.quality == TreeQuality::None)) return true;
  addQueries(table, of, method, workers, *shape);
  table.add(of, method, workers, "bytes_per_triangle_after_queries", perTriangle());
  return true;
}

Result<std::vector<NamedMesh>> meshesOf(bool large) {
  std::vector<NamedMesh> meshes{{"cube", test::cube(1.0)}, {"torus", test::torus(32, 16)}};
  for (const char* model : {"lamp", "truck"}) {
    const auto file = engine::findModel(model);
    if (!file) return file.error();
    auto loaded = engine::loadModel(*file, {.targetRadius = 1.0});
    if (!loaded) return loaded.error();
    meshes.push_back({model, std::move(loaded->mesh)});
  }
  meshes.push_back({"torus", test::torus(100, 50)});
  meshes.push_back({"torus", test::torus(316, 158)});
  if (large) meshes.push_back({"torus", test::torus(1264, 632)});
  return meshes;
}

}  // namespace

int builds(const BuildsCommand& command) {
  const auto meshes = meshesOf(command.large);
  if (!meshes) {
    fmt::print(stderr, "nearmiss-lab: {}\n", meshes.error().message);
    return 3;
  }
  BuildTable table(command.folder / "builds.csv");
  for (const NamedMesh& of : *meshes) {
    const bool huge = of.mesh.triangles.size() > 1'000'000;
    for (const MeshPeerEntry& peer : meshPeers())
      if (peer.name.starts_with("fcl OBBRSS") || peer.name.starts_with("bullet"))
        table.add(of, std::string(peer.name), 1, "make_ms", medianTime(command.rounds, [&] {
                    (void)peer.make(of.mesh, test::tetrahedron());
                  }));
    for (const int workers : {1, 2}) {
      const std::pair<const char*, ShapeSettings> methods[] = {
          {"none", {.quality = TreeQuality::None}},
          {"fast", {}},
          {"tight", {.quality = TreeQuality::Tight}},
          {"octree", {.treeBuilder = "octree"}}};
      for (const auto& [name, settings] : methods) {
        if (huge && settings.quality == TreeQuality::Tight) continue;
        if (!addShape(table, of, name, workers, settings, command.rounds)) return 3;
      }
    }
  }
  return table.good() ? 0 : 2;
}

}  // namespace nearmiss::bench
