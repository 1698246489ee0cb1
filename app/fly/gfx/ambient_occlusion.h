// SPDX-License-Identifier: MIT
/// How much of its surroundings each vertex of a model sees: recesses and what lies under other
/// parts are darker. Worked out once a model, so that a frame pays nothing for it.
#pragma once

#include <engine/model/draw_mesh.h>

#include <vector>

namespace nearmiss::app {

/// For each vertex the share of the directions before its surface, weighed by the cosine to its
/// normal, in which no other part of the model is: 0 to 1. Found with depth pictures from many
/// directions; details smaller than a hundredth of the model are not seen.
[[nodiscard]] std::vector<float> openness(const engine::DrawMesh& mesh);

}  // namespace nearmiss::app
