// SPDX-License-Identifier: MIT
/// A model in the format of the GPU, still in memory.
#pragma once

#include <engine/model/draw_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fly/gfx/hull_marks.h"
#include "fly/gfx/model_features.h"

namespace nearmiss::app::fly {

/// One vertex in GPU format.
struct PackedVertex {
  float position[3];
  std::uint32_t normal;   ///< 10 bits per component, signed
  std::uint8_t paint[4];  ///< square root of the colour; amount of livery
  std::uint8_t
      surface[4];  ///< metallic, roughness, square root of a quarter of the emission, open sky
  std::uint32_t smoothNormal;  ///< mean normal of all faces at this position, for silhouettes
  std::uint16_t hull[2];       ///< texture coordinates in the hull picture
};

/// What drawing needs to know of a model, beside its vertices and indices.
struct ModelProperties {
  /// Index ranges of the levels, finest first; see detail_levels.h.
  struct Range {
    std::size_t first = 0, count = 0;
  };
  std::vector<Range> levels;
  std::vector<float> cells;  ///< of the levels, metres
  float radius = 0.0f;       ///< metres, around the origin of the body frame
  std::vector<Nozzle> nozzles;
  bool closed = true;  ///< every edge has two faces: enables backface culling
};

struct PackedModel : ModelProperties {
  std::vector<PackedVertex> vertices;
  std::vector<std::uint32_t> indices;
};

/// Computes vertices and levels of a model.
[[nodiscard]] PackedModel packModel(const engine::DrawMesh& mesh, const HullMarks& marks = {});

}  // namespace nearmiss::app::fly
