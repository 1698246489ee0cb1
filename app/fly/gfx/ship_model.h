// SPDX-License-Identifier: MIT
/// A model on the GPU: packed vertices and drawing data.
#pragma once

#include <engine/model/draw_mesh.h>

#include "fly/gfx/gl_objects.h"
#include "fly/gfx/hull_marks.h"
#include "fly/gfx/packed_model.h"

namespace nearmiss::app::fly {

struct ShipModel : ModelProperties {
  VertexArray vertexArray;
  Buffer vertices;  ///< PackedVertex
  Buffer indices;
};

/// Uploads a model. Leaves the vertex array with the model's attributes set; ShipPass sets those of
/// the instances.
[[nodiscard]] ShipModel uploadModel(const engine::DrawMesh& mesh, const HullMarks& marks = {});

}  // namespace nearmiss::app::fly
