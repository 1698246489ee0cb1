// SPDX-License-Identifier: MIT
/// Scenes of objects that stand still, each shape in a file of its own: more of them than there is
/// memory for.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/build_progress.h>
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

/// Data of a shape while it is not in memory.
struct StoredShape {
  std::filesystem::path file;  ///< see readShape()
  Box box;                     ///< around the mesh, in its own frame
  std::uint64_t bytes = 0;     ///< of memory, while it is there
  SolidSide side = SolidSide::None;
  std::vector<std::string> notes;  ///< sentences on its model, and on what was stored of it
};

struct StillObject {
  std::string name;
  std::uint32_t shape = 0;  ///< index in StillScene::shapes
  Pose pose;
};

enum class LeftOutReason : std::uint8_t {
  Joint,    ///< a joint holds both
  Allowed,  ///< somebody says that they may touch
};

/// A pair of objects that is not compared.
struct LeftOutPair {
  BodyPair pair;
  LeftOutReason why = LeftOutReason::Allowed;
};

struct StillScene {
  std::vector<StoredShape> shapes;
  std::vector<StillObject> objects;
  std::vector<LeftOutPair> leftOut;  ///< sorted by pair, each once
};

/// Names of two objects, or of all that share one, that are not to be compared.
struct LeftOutNames {
  std::string a, b;
  LeftOutReason why = LeftOutReason::Allowed;
};

/// Pairs that a scene may leave out, counted as often as they are named: some 800 MB.
inline constexpr std::size_t maxLeftOut = std::size_t{1} << 26;

/// Adds pairs to those that the scene leaves out; names that no object has are passed over. The
/// first reason of a pair stays. Errors: TooLarge for more than maxLeftOut pairs, since names that
/// many objects share stand for all of them; then nothing is added.
Result<Success> leaveOut(std::span<const LeftOutNames> names, StillScene& scene);

/// The files of all models of a layout, as it names them: they may not be there. Errors: those of
/// the layout itself.
Result<std::vector<std::filesystem::path>> modelsOfLayout(const std::filesystem::path& layout);

/// Reads a layout: [[objects]] with a `model`, `position`, `rotation` (w, x, y, z) and `name`;
/// `joints` and `allowed` list pairs of names that are left out.
/// Models keep their frame and unit; each is read once, one at a time, and stored in `folder` as a
/// shape with a sphere tree of this builder, unless a former call left one of the same mesh there
/// that can be read, or it is a .shape file by itself. Errors: NotFound, Unreadable, TooLarge,
/// BadFormat with a line; those of loadModel(), buildSphereTree() and readShape(); Cancelled.
Result<StillScene> readStillScene(const std::filesystem::path& layout,
                                  const std::filesystem::path& folder, const std::string& builder,
                                  BuildProgress* progress = nullptr);

}  // namespace nearmiss::engine
