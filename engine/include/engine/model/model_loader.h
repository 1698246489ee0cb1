// SPDX-License-Identifier: MIT
/// Models from files, as triangle meshes.
#pragma once

#include <engine/model/draw_mesh.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace nearmiss::engine {

struct LoadOptions {
  Real targetRadius = 1.0;   ///< metres; centred and scaled to this radius; 0 keeps frame and unit
  Real weldDistance = 1e-6;  ///< times the radius; see cleanMesh()
  std::uintmax_t maxFileBytes = std::uintmax_t{256} << 20;
  std::size_t maxTriangles = 10'000'000;
  /// Processor time for reading the file, and one second more for each MiB of it.
  std::chrono::seconds maxTime{20};
};

struct LoadedModel {
  std::string name;   ///< the file's stem
  TriangleMesh mesh;  ///< welded and cleaned, for detection
  DrawMesh draw;      ///< the same surface, for drawing
  MeshReport report;
  MeshCleaning cleaning;  ///< what was done to the surface of the file
  /// A point p of `mesh` is p / scale + centre in the file. Both in the file's own unit, of Collada
  /// in metres.
  Vec3 centre{0.0};
  Real scale = 1.0;
  /// Max distance of a vertex from its place in the file, by reading and welding; file's unit.
  Real rounding = 0.0;
  std::vector<std::string> warnings;  ///< sentences that name the file, e.g. that it is not closed
};

/// Reads OBJ, OFF, PLY and STL, each coordinate as the nearest double, and any further format that
/// assimp reads, in its single precision: all sub-meshes and node transforms flattened into one
/// mesh. What the file announces and what was read are counted against each other. The reader runs
/// in a process of its own, so that no file can end or hold up the caller.
/// Errors: NotFound, Unreadable, BadFormat (also non-finite or huge coordinates), EmptyMesh (no
/// triangle with area is left), TooLarge.
Result<LoadedModel> loadModel(const std::filesystem::path& file, const LoadOptions& options = {});

/// The models that come with the program, in the order of their size: lamp, faucet, rocket, truck.
[[nodiscard]] std::vector<std::string> builtInModels();

/// A built-in name or a path, as a path. Errors: NotFound, with the built-in names in the sentence.
Result<std::filesystem::path> findModel(const std::string& nameOrFile);

// Loading a model that can be cancelled.

/// As loadModel(); ends with Cancelled soon after `cancelled` becomes true: at once while the file
/// is read, and between two steps of what follows.
Result<LoadedModel> loadModel(const std::filesystem::path& file, const LoadOptions& options,
                              const std::atomic<bool>& cancelled);

}  // namespace nearmiss::engine
