// SPDX-License-Identifier: MIT
/// Finds where the engines of a model are, whatever the model: those that shine, else what lies
/// farthest back.
#pragma once

#include <engine/model/draw_mesh.h>

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace nearmiss::app {

/// Where a flame leaves the ship, body frame; it burns towards +z.
struct Nozzle {
  glm::vec3 place{0.0f};
  float radius = 0.0f;  ///< metres
};

/// At most four, the largest first. `first` names for each vertex the first one at its position.
[[nodiscard]] std::vector<Nozzle> findNozzles(const engine::DrawMesh& mesh,
                                              std::span<const std::uint32_t> first);

}  // namespace nearmiss::app
