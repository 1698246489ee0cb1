// SPDX-License-Identifier: MIT
/// Ambient occlusion per vertex: recesses and surfaces below other parts are darker. Computed once
/// per model, at no cost per frame.
#pragma once

#include <engine/model/draw_mesh.h>

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace nearmiss::app::fly {

/// Returns for each vertex the cosine-weighted fraction of the hemisphere above its surface that no
/// other part of the model covers: 0 to 1. Uses depth pictures from many directions; details
/// smaller than a hundredth of the model are ignored.
[[nodiscard]] std::vector<float> openness(const engine::DrawMesh& mesh);

/// Place where an engine's flame leaves the ship, body frame; the flame points to +z.
struct Nozzle {
  glm::vec3 place{0.0f};
  float radius = 0.0f;  ///< metres
};

/// Finds at most four engines of any model, largest first: emissive parts or, if there are none,
/// the rearmost parts. `first` is for each vertex the first one at its position.
[[nodiscard]] std::vector<Nozzle> findNozzles(const engine::DrawMesh& mesh,
                                              std::span<const std::uint32_t> first);

}  // namespace nearmiss::app::fly
