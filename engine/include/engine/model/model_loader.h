// SPDX-License-Identifier: MIT
/// Models from files, as triangle meshes.
#pragma once

#include <engine/base/file_path.h>
#include <engine/model/draw_mesh.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace nearmiss::engine {

struct LoadOptions {
  Real targetRadius = 1.0;   ///< metres; the mesh is centred and scaled to it; 0 keeps frame and
                             ///< unit
  Real weldDistance = 1e-6;  ///< times the radius; see cleanMesh()
  std::uintmax_t maxFileBytes = std::uintmax_t{256} << 20;
  std::size_t maxTriangles = 10'000'000;
  /// Limit of processor time for reading the file, plus one second per MiB of the file.
  std::chrono::seconds maxTime{20};
};

struct LoadedModel {
  std::string name;   ///< the file's stem
  TriangleMesh mesh;  ///< welded and cleaned, for detection
  DrawMesh draw;      ///< the same surface, for drawing
  MeshReport report;
  MeshCleaning cleaning;  ///< what was changed in the surface of the file
  /// A point p of `mesh` is p / scale + centre in the file. Both are in the file's unit, for
  /// Collada in metres.
  Vec3 centre{0.0};
  Real scale = 1.0;
  /// Maximum displacement of a vertex by reading and welding, in the file's unit.
  Real rounding = 0.0;
  std::vector<std::string> warnings;  ///< sentences that name the file, such as a mesh that is not
                                      ///< closed
};

/// Reads a model. OBJ, OFF, PLY and STL keep each coordinate as the nearest double; any other
/// format is read by assimp in single precision. Flattens all sub-meshes and node transforms into
/// one mesh. Checks the counts that the file declares against the elements read. The reader runs in
/// a separate process, so a malformed file can neither crash nor block the caller.
/// Errors: NotFound, Unreadable, BadFormat (also non-finite or huge coordinates), EmptyMesh (no
/// triangle with area is left), TooLarge.
Result<LoadedModel> loadModel(const FilePath& file, const LoadOptions& options = {});

/// The built-in models: lamp, faucet, rocket, truck, ordered by size; shuttle and torus.
[[nodiscard]] std::vector<std::string> builtInModels();

/// Returns the path of a built-in model or of a file. Errors: NotFound, which lists the built-in
/// names.
Result<FilePath> findModel(const std::string& nameOrFile);

// Loading a model with cancellation.

/// As loadModel(), but returns Cancelled soon after `cancelled` becomes true: immediately while the
/// file is read, later between two processing steps.
Result<LoadedModel> loadModel(const FilePath& file, const LoadOptions& options,
                              const std::atomic<bool>& cancelled);

}  // namespace nearmiss::engine
