// SPDX-License-Identifier: MIT
/// A model on the GPU: packed vertices and drawing data.
#pragma once

#include <engine/model/draw_mesh.h>

#include <cstdint>
#include <vector>

#include "fly/gfx/gl_objects.h"
#include "fly/gfx/hull_marks.h"
#include "fly/gfx/packed_model.h"

namespace nearmiss::app::fly {

struct ShipModel {
  VertexArray vertexArray;
  Buffer vertices;  ///< PackedVertex
  Buffer indices;
  /// Index ranges of the levels, finest first; see detail_levels.h.
  struct Range {
    std::size_t first = 0;
    GLsizei count = 0;
  };
  std::vector<Range> levels;
  std::vector<float> cells;  ///< of the levels, metres
  float radius = 0.0f;       ///< metres, around the origin of the body frame
  std::vector<Nozzle> nozzles;
  bool closed = true;  ///< every edge has two faces: enables backface culling
};

/// Uploads a model. Leaves the vertex array with the model's attributes set; ShipPass sets those of
/// the instances.
[[nodiscard]] ShipModel uploadModel(const engine::DrawMesh& mesh, const HullMarks& marks = {});

}  // namespace nearmiss::app::fly
