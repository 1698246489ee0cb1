// SPDX-License-Identifier: MIT
/// The frame and the unit of what assimp read.
#pragma once

#include <assimp/matrix4x4.h>

#include <glm/mat4x4.hpp>
#include <string>
#include <vector>

struct aiScene;
namespace Assimp {
class Importer;
}

namespace nearmiss::engine {

[[nodiscard]] glm::dmat4 matrixOf(const aiMatrix4x4& m);

struct SceneFrame {
  glm::dmat4 toModel{1.0};         ///< in the place of the transformation of the scene's root
  std::vector<std::string> notes;  ///< half sentences on what was converted, and what was not
};

/// Coordinates are those of the file after the transformations of its own nodes. assimp turns what
/// some formats have upright as it likes it upright: this is taken back. The unit of a Collada file
/// counts, as it does for ROS: its coordinates become metres.
[[nodiscard]] SceneFrame frameOf(const Assimp::Importer& importer, const aiScene& scene);

}  // namespace nearmiss::engine
