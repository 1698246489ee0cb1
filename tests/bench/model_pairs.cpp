// SPDX-License-Identifier: MIT
#include "model_pairs.h"

#include <engine/base/resources.h>
#include <engine/model/shape_set.h>
#include <fmt/format.h>
#include <nearmiss/rivals/tree_builders.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "support/assemblies.h"
#include "support/flawed_meshes.h"
#include "support/hard_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss::bench {
namespace {

/// Of a small model beside a large one.
constexpr Real smallScale = 0.04;

engine::ShapeOptions optionsOf(const PeersCommand& command) {
  engine::ShapeOptions options;
  options.treeBuilder = command.builder;
  options.tree.nodeBoxRatio = command.boxRatio;
  options.tree.innerSpheres = static_cast<std::size_t>(command.innerSpheres);
  options.tree.levels = command.levels;
  options.bspTrees = engine::BspTrees::None;
  return options;
}

Result<Model> built(std::string name, TriangleMesh mesh, const PeersCommand& command) {
  const engine::ShapeOptions options = optionsOf(command);
  ShapeSettings settings;
  settings.treeBuilder = options.treeBuilder;
  settings.otherBuilder = findSphereTreeBuilder(options.treeBuilder);
  settings.tree = options.tree;
  settings.usualAdditions = false;
  auto shape = makeShape(std::move(mesh), settings);
  if (!shape) return shape.error();
  return Model{std::move(name), *std::move(shape)};
}

/// The same shape of another size, with a tree of its own.
Result<Model> scaled(const Model& model, Real scale, const PeersCommand& command) {
  TriangleMesh mesh = model.shape.polyhedron().mesh();
  for (Vec3& position : mesh.positions) position *= scale;
  return built(model.name + " small", std::move(mesh), command);
}

/// Closed pieces that reach into each other, as many parts of machines are modelled.
TriangleMesh rubble(int pieces) {
  test::Random random(7);
  TriangleMesh mesh;
  for (int i = 0; i < pieces; ++i) {
    const Real size = random.between(0.15, 0.4);
    TriangleMesh piece = i % 2 == 0 ? test::sphere(10, 12, size) : test::cube(size);
    const Vec3 at = random.direction() * random.between(0.0, 0.7);
    test::append(mesh, piece, at);
  }
  return mesh;
}

/// A wavy sheet without thickness.
TriangleMesh sheet(int cells) {
  TriangleMesh mesh;
  for (int i = 0; i <= cells; ++i)
    for (int k = 0; k <= cells; ++k) {
      const Real x = 2.0 * i / cells - 1.0, y = 2.0 * k / cells - 1.0;
      mesh.positions.push_back({x, y, 0.2 * std::sin(7.0 * x) * std::cos(5.0 * y)});
    }
  const auto at = [cells](int i, int k) { return static_cast<std::uint32_t>(i * (cells + 1) + k); };
  for (int i = 0; i < cells; ++i)
    for (int k = 0; k < cells; ++k)
      test::addQuad(mesh, at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
  return mesh;
}

/// A torus in waves, with one triangle in ten gone.
TriangleMesh tornTorus() {
  TriangleMesh mesh = test::torus(80, 40);
  std::vector<std::array<std::uint32_t, 3>> kept;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (t % 10 != 0) kept.push_back(mesh.triangles[t]);
  mesh.triangles = std::move(kept);
  return mesh;
}

Result<std::vector<Model>> hardModels(const PeersCommand& command) {
  std::vector<Model> models;
  const auto add = [&](std::string name, TriangleMesh mesh) -> Result<Success> {
    auto model = built(std::move(name), std::move(mesh), command);
    if (!model) return model.error();
    models.push_back(*std::move(model));
    return Success{};
  };
  const std::pair<const char*, TriangleMesh> meshes[] = {
      {"tetrahedron", test::tetrahedron()},
      {"cube", test::cube(0.5)},
      {"torus 12800", test::torus(160, 40)},
      {"star 4000", test::spikyStar(3, 41, 50)},
      {"bed of nails", test::bedOfNails(15)},
      {"rubble", rubble(40)},
      {"sheet", sheet(60)},
      {"torn torus", tornTorus()},
      {"soup", test::soup(5, 2000, 0.15)},
      {"slivers", test::slivers(1000)},
      {"spikes", test::spikes(500)},
      {"heap", test::heap(150)},
  };
  for (const auto& [name, mesh] : meshes)
    if (auto added = add(name, mesh); !added) return added.error();
  return models;
}

Result<std::vector<Model>> fileModels(const PeersCommand& command) {
  std::vector<std::filesystem::path> files;
  if (command.usual)
    for (const char* name : {"truck", "lamp"}) {
      const auto file = engine::findModel(name);
      if (!file) return file.error();
      files.push_back(*file);
    }
  files.insert(files.end(), command.models.begin(), command.models.end());
  std::vector<Model> models;
  if (files.empty()) return models;
  const auto set = engine::buildShapeSet(files, optionsOf(command));
  if (!set) return set.error();
  for (std::size_t i = 0; i < files.size(); ++i)
    models.push_back(
        {(*set)->shapes()[i].name, (*set)->collision()[static_cast<std::uint32_t>(i)]});
  return models;
}

}  // namespace

namespace {

Result<std::vector<ModelPair>> assembledPairs(const PeersCommand& command) {
  std::vector<ModelPair> pairs;
  const auto add = [&](const test::Assembly& assembly, const char* aside) -> Result<Success> {
    auto a = built(fmt::format("{}{} {:g}", assembly.name, aside, assembly.clearance), assembly.a,
                   command);
    if (!a) return a.error();
    auto b = built(assembly.name, assembly.b, command);
    if (!b) return b.error();
    const Real radius = b->shape.radius();
    const auto near = [pose = assembly.assembled, clearance = assembly.clearance,
                       radius](test::Random& random) {
      return test::nearAssembled(random, {"", {}, {}, pose, clearance}, radius);
    };
    pairs.push_back({*std::move(a), *std::move(b), near});
    return Success{};
  };
  for (const test::Assembly& assembly : test::assemblies())
    if (auto added = add(assembly, ""); !added) return added.error();
  for (const test::Assembly& assembly : test::assembliesKeptAside())
    if (auto added = add(assembly, " (kept aside)"); !added) return added.error();
  return pairs;
}

}  // namespace

Result<std::vector<ModelPair>> modelPairs(const PeersCommand& command) {
  if (command.assemblies) return assembledPairs(command);
  auto models = fileModels(command);
  if (!models) return models.error();
  std::vector<ModelPair> pairs;
  for (const Model& model : *models) pairs.push_back({model, model, {}});
  if (command.usual) {
    const Model &truck = (*models)[0], &lamp = (*models)[1];
    const auto small = scaled(lamp, smallScale, command);
    if (!small) return small.error();
    pairs.push_back({lamp, truck, {}});
    pairs.push_back({*small, truck, {}});
  }
  if (!command.hard) return pairs;
  const auto hard = hardModels(command);
  if (!hard) return hard.error();
  for (std::size_t i = 0; i < hard->size(); ++i) {
    const Model& model = (*hard)[i];
    const Model& next = (*hard)[(i + 1) % hard->size()];
    const auto small = scaled(model, smallScale, command);
    if (!small) return small.error();
    pairs.push_back({model, model, {}});
    pairs.push_back({*small, next, {}});
  }
  return pairs;
}

}  // namespace nearmiss::bench
