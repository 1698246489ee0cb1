// SPDX-License-Identifier: MIT
/// Static scenes whose shapes are stored in separate files, so that a scene can exceed the memory.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// A shape that is not in memory.
struct StoredShape {
  std::filesystem::path file;  ///< see readShape()
  Box box;                     ///< of the mesh, in its own frame
  std::uint64_t bytes = 0;     ///< memory needed when loaded
  SolidSide side = SolidSide::None;
  std::vector<std::string> notes;  ///< sentences about the model and about its stored shape
};

struct StillObject {
  std::string name;
  std::uint32_t shape = 0;  ///< index in StillScene::shapes
  Pose pose;
};

enum class SkipReason : std::uint8_t {
  Joint,    ///< a joint connects both objects
  Allowed,  ///< declared as allowed to touch
};

/// A pair of objects that is not compared.
struct SkippedPair {
  BodyPair pair;
  SkipReason why = SkipReason::Allowed;
};

struct StillScene {
  std::vector<StoredShape> shapes;
  std::vector<StillObject> objects;
  std::vector<SkippedPair> skipped;  ///< sorted by pair, without duplicates
};

/// Names of two objects that are not compared. A name stands for all objects that have it.
struct SkippedNames {
  std::string a, b;
  SkipReason why = SkipReason::Allowed;
};

/// Maximum number of left-out pairs of a scene, including repetitions: about 800 MB.
inline constexpr std::size_t maxSkipped = std::size_t{1} << 26;

/// Adds left-out pairs to a scene; ignores unknown names. A pair keeps its first reason. Errors:
/// TooLarge for more than maxSkipped pairs, because a name may stand for many objects; then nothing
/// is added.
Result<Success> leaveOut(std::span<const SkippedNames> names, StillScene& scene);

/// Returns the model files of a layout, as named there; the files need not exist. Errors: those of
/// the layout itself.
Result<std::vector<std::filesystem::path>> modelsOfLayout(const std::filesystem::path& layout);

/// Reads a layout: [[objects]] with a `model`, `position`, `rotation` (w, x, y, z) and `name`;
/// `joints` and `allowed` list pairs of names to leave out. Models keep their frame and unit. Each
/// model is read once, one at a time, and stored in `folder` as a shape with a sphere tree of
/// `builder`. A readable shape of the same mesh from an earlier call is reused, and .shape files
/// are used directly.
/// Errors: NotFound, Unreadable, TooLarge, BadFormat with a line; those of loadModel(),
/// buildSphereTree() and readShape(); Cancelled.
Result<StillScene> readStillScene(const std::filesystem::path& layout,
                                  const std::filesystem::path& folder, const std::string& builder,
                                  BuildProgress* progress = nullptr);

}  // namespace nearmiss::engine
