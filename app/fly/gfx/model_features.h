// SPDX-License-Identifier: MIT
/// How much of its surroundings each vertex of a model sees: recesses and what lies under other
/// parts are darker. Worked out once per model, so that a frame pays nothing for it.
#pragma once

#include <engine/model/draw_mesh.h>

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace nearmiss::app::fly {

/// For each vertex the share of the directions before its surface, weighed by the cosine to its
/// normal, in which no other part of the model is: 0 to 1. Found with depth pictures from many
/// directions; details smaller than a hundredth of the model are not seen.
[[nodiscard]] std::vector<float> openness(const engine::DrawMesh& mesh);

/// Finds where the engines of a model are, whatever the model: those that shine, else what lies
/// farthest back.
/// Where a flame leaves the ship, body frame; it burns towards +z.
struct Nozzle {
  glm::vec3 place{0.0f};
  float radius = 0.0f;  ///< metres
};

/// At most four, the largest first. `first` names for each vertex the first one at its position.
[[nodiscard]] std::vector<Nozzle> findNozzles(const engine::DrawMesh& mesh,
                                              std::span<const std::uint32_t> first);

}  // namespace nearmiss::app::fly
