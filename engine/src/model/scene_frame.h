// SPDX-License-Identifier: MIT
/// The frame and unit of a scene read by assimp.
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
  glm::dmat4 toModel{1.0};         ///< replaces the transformation of the scene's root
  std::vector<std::string> notes;  ///< phrases about what was converted and what was ignored
};

/// Coordinates are those of the file after its node transforms. Reverts assimp's change of the up
/// axis in some formats. Converts Collada units to metres, as ROS does.
[[nodiscard]] SceneFrame frameOf(const Assimp::Importer& importer, const aiScene& scene);

}  // namespace nearmiss::engine
