// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "c/handles.h"

using namespace nearmiss;
using namespace nearmiss::c;

namespace {

nearmiss_status handOver(Result<Shape> made, nearmiss_shape** shape) {
  return withValue(std::move(made),
                   [&](Shape&& value) { *shape = new nearmiss_shape{std::move(value)}; });
}

std::span<const std::byte> bytesAt(const void* bytes, std::size_t size) noexcept {
  return {static_cast<const std::byte*>(bytes), size};
}

/// Where the fields of the first version end, whose programs run with this library, and its size.
constexpr std::size_t firstEnd =
    offsetof(nearmiss_shape_settings, builder) + sizeof(nearmiss_shape_settings::builder);
constexpr std::size_t firstSize = (firstEnd + alignof(nearmiss_shape_settings) - 1) /
                                  alignof(nearmiss_shape_settings) *
                                  alignof(nearmiss_shape_settings);

bool isKnown(const nearmiss_shape_settings& settings) noexcept {
  return settings.size == firstSize || settings.size == sizeof(nearmiss_shape_settings);
}

/// Selects the tree named by the program: a quality or a builder.
void takeTree(std::string_view name, ShapeSettings& settings) noexcept {
  if (name.empty())
    settings.quality = TreeQuality::None;
  else if (name == "fast")
    settings.quality = TreeQuality::Fast;
  else if (name == "tight")
    settings.quality = TreeQuality::Tight;
  else
    settings.treeBuilder = name;
}

/// Returns the settings of the program; fields that it does not know are 0.
/// @pre `program` is null or of a known version.
nearmiss_shape_settings known(const nearmiss_shape_settings* program) noexcept {
  nearmiss_shape_settings given{};
  if (program) std::memcpy(&given, program, program->size == firstSize ? firstEnd : program->size);
  return given;
}

ShapeSettings settingsOf(const nearmiss_shape_settings& given) {
  ShapeSettings settings;
  settings.weldDistance = given.weld;
  settings.bspTree = given.bsp_tree != 0;
  if (given.builder) takeTree(given.builder, settings);
  if (given.levels != 0) settings.tree.levels = given.levels;
  if (given.branching != 0) settings.tree.variational.branching = given.branching;
  settings.tree.variational.maxSpheres = given.max_spheres;
  return settings;
}

/// Forwards a build's progress to the program.
struct Reporter {
  nearmiss_progress call;
  void* context;
  BuildStage stage = BuildStage::Waiting;
  float fraction = 0.0f;  ///< last one forwarded
};

void report(BuildProgress& progress, void* context) {
  auto& reporter = *static_cast<Reporter*>(context);
  const BuildStage stage = progress.stage;
  const float fraction = progress.fraction;
  if (stage == reporter.stage && std::abs(fraction - reporter.fraction) < 0.01f) return;
  reporter.stage = stage;
  reporter.fraction = fraction;
  if (reporter.call(reporter.context, static_cast<int>(stage), double{fraction}) != 0)
    progress.cancelled = true;
}

}  // namespace

nearmiss_status nearmiss::c::makeFrom(Result<TriangleMesh> mesh,
                                      const nearmiss_shape_settings* settings,
                                      nearmiss_shape** shape) {
  if (settings && !isKnown(*settings))
    return failed(NEARMISS_UNSUPPORTED,
                  "settings.size must be sizeof(nearmiss_shape_settings) of this version");
  if (!mesh) return failed(mesh.error());
  const nearmiss_shape_settings given = known(settings);
  Reporter reporter{given.progress, given.context};
  BuildProgress progress;
  progress.context = &reporter;
  if (given.progress) progress.changed = report;
  return handOver(makeShape(*std::move(mesh), settingsOf(given), &progress), shape);
}

nearmiss_status nearmiss_shape_make(const double* vertices, size_t vertex_count,
                                    const uint32_t* triangles, size_t triangle_count,
                                    const nearmiss_shape_settings* settings,
                                    nearmiss_shape** shape) {
  const char* missing =
      firstNull(Named{"vertices", vertices}, Named{"triangles", triangles}, Named{"shape", shape});
  if (missing) return isNull(missing);
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (vertex_count > most || triangle_count > most)
    return failed(NEARMISS_TOO_LARGE, "a mesh must have fewer than 2^32 vertices and triangles");
  return guarded([&] {
    TriangleMesh mesh;
    mesh.positions.reserve(vertex_count);
    mesh.triangles.reserve(triangle_count);
    for (std::size_t i = 0; i < vertex_count; ++i)
      mesh.positions.push_back(vectorOf(vertices + 3 * i));
    for (std::size_t i = 0; i < triangle_count; ++i)
      mesh.triangles.push_back({triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]});
    return makeFrom(std::move(mesh), settings, shape);
  });
}

nearmiss_status nearmiss_shape_with_tree(const nearmiss_shape* shape, const void* bytes,
                                         size_t size, nearmiss_shape** with_tree) {
  const char* missing =
      firstNull(Named{"shape", shape}, Named{"bytes", bytes}, Named{"with_tree", with_tree});
  if (missing) return isNull(missing);
  return guarded([&] {
    auto file = sphereTreeFromBytes(bytesAt(bytes, size));
    if (!file) return failed(file.error());
    if (file->key.meshHash != shape->shape.polyhedron().hash())
      return failed(NEARMISS_MISMATCH, "the tree was built from another mesh");
    const TreeOrigin origin{file->builder, file->key.settingsHash};
    return handOver(shape->shape.with(std::move(file->tree), origin), with_tree);
  });
}

nearmiss_status nearmiss_shape_read(const void* bytes, size_t size, nearmiss_shape** shape) {
  const char* missing = firstNull(Named{"bytes", bytes}, Named{"shape", shape});
  if (missing) return isNull(missing);
  return guarded([&] { return handOver(shapeFromBytes(bytesAt(bytes, size)), shape); });
}

nearmiss_status nearmiss_shape_write(const nearmiss_shape* shape, void* bytes, size_t capacity,
                                     size_t* size) {
  const char* missing = firstNull(Named{"shape", shape}, Named{"size", size});
  if (!missing && capacity > 0) missing = firstNull(Named{"bytes", bytes});
  if (missing) return isNull(missing);
  return guarded([&] {
    const auto written = bytesOf(shape->shape);
    if (!written) return failed(written.error());
    *size = written->size();
    if (capacity == 0) return NEARMISS_OK;
    if (capacity < written->size())
      return failed(NEARMISS_TOO_LARGE,
                    "the shape needs " + std::to_string(written->size()) + " bytes");
    std::memcpy(bytes, written->data(), written->size());
    return NEARMISS_OK;
  });
}

nearmiss_status nearmiss_shape_scaled(const nearmiss_shape* shape, double factor,
                                      nearmiss_shape** scaled) {
  if (const char* missing = firstNull(Named{"shape", shape}, Named{"scaled", scaled}))
    return isNull(missing);
  return guarded([&] { return handOver(nearmiss::scaled(shape->shape, factor), scaled); });
}

nearmiss_status nearmiss_shape_refit(const nearmiss_shape* shape, const double* vertices,
                                     size_t vertex_count, nearmiss_shape** refitted,
                                     nearmiss_refit* refit) {
  const char* missing =
      firstNull(Named{"shape", shape}, Named{"vertices", vertices}, Named{"refitted", refitted});
  if (missing) return isNull(missing);
  return guarded([&] {
    // With a wrong count the numbers must not be read
    const std::size_t known = shape->shape.polyhedron().mesh().positions.size();
    if (vertex_count != known)
      return failed(NEARMISS_MISMATCH, "there are " + std::to_string(vertex_count) +
                                           " positions for the " + std::to_string(known) +
                                           " vertices of the shape");
    std::vector<Vec3> positions(known);
    for (std::size_t i = 0; i < known; ++i) positions[i] = vectorOf(vertices + 3 * i);
    return withValue(nearmiss::refit(shape->shape, positions), [&](Refit&& made) {
      *refitted = new nearmiss_shape{std::move(made.shape)};
      if (refit) *refit = {made.growth, made.rebuildPays};
    });
  });
}

nearmiss_status nearmiss_shape_vertices(const nearmiss_shape* shape, double* vertices,
                                        size_t capacity, size_t* count) {
  const char* missing = firstNull(Named{"shape", shape}, Named{"count", count});
  if (!missing && capacity > 0) missing = firstNull(Named{"vertices", vertices});
  if (missing) return isNull(missing);
  const std::vector<Vec3>& positions = shape->shape.polyhedron().mesh().positions;
  *count = positions.size();
  for (std::size_t i = 0; i < std::min(capacity, positions.size()); ++i)
    put(positions[i], vertices + 3 * i);
  return NEARMISS_OK;
}

nearmiss_status nearmiss_shape_prepare(const nearmiss_shape* shape) {
  if (!shape) return isNull("shape");
  return guarded([&] {
    prepare(shape->shape);
    return NEARMISS_OK;
  });
}

void nearmiss_shape_free(nearmiss_shape* shape) { delete shape; }

double nearmiss_shape_radius(const nearmiss_shape* shape) {
  return shape ? shape->shape.radius() : 0.0;
}

int nearmiss_shape_is_solid(const nearmiss_shape* shape) { return shape && shape->shape.solid(); }

int nearmiss_shape_level_count(const nearmiss_shape* shape) {
  return shape && shape->shape.sphereTree() ? shape->shape.sphereTree()->levelCount() : 0;
}

nearmiss_status nearmiss_shape_spheres(const nearmiss_shape* shape, int level, double* spheres,
                                       size_t capacity, size_t* count) {
  const char* missing = firstNull(Named{"shape", shape}, Named{"count", count});
  if (!missing && capacity > 0) missing = firstNull(Named{"spheres", spheres});
  if (missing) return isNull(missing);
  if (level < 0 || level >= nearmiss_shape_level_count(shape))
    return failed(NEARMISS_UNSUPPORTED, "the sphere tree has no such level");
  return guarded([&] {
    const SphereTree& tree = *shape->shape.sphereTree();
    std::vector<SphereId> ids;
    tree.spheresOf(level, ids);
    *count = ids.size();
    for (std::size_t i = 0; i < std::min(capacity, ids.size()); ++i) {
      const Sphere ball = tree.sphere(ids[i]);
      for (int k = 0; k < 3; ++k) spheres[4 * i + static_cast<std::size_t>(k)] = ball.centre[k];
      spheres[4 * i + 3] = ball.radius;
    }
    return NEARMISS_OK;
  });
}
