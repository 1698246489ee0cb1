// SPDX-License-Identifier: MIT
/// Draws what only adds light: engine plumes, the halo of ships that were hit, dust that drifts by.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/frame_block.h"
#include "fly/gfx/gl_objects.h"
#include "fly/gfx/ship_model.h"

namespace nearmiss::app::fly {

class GlowPass {
 public:
  explicit GlowPass(ShaderLoader& load);
  /// The frame's lights, plumes, and halos about the places where ships were hit.
  void drawGlow(const DrawFrame& frame, std::span<const ShipModel> models, const ViewCone& view);
  /// Motes at rest in the world, the same ones again every few metres: they show how fast one
  /// flies. With `before`, where the eye was, each draws a streak between both views.
  void drawDust(const Camera& camera, const std::optional<Pose>& before, double aspect) const;

 private:
  struct Halo {
    glm::vec4 ball;    ///< centre relative to the eye, radius
    glm::vec3 colour;  ///< of its middle
  };
  struct Plume {
    glm::vec3 from;   ///< relative to the eye
    glm::vec3 along;  ///< to its tip, metres
    glm::vec2 shape;  ///< width in metres, strength
  };
  void makeDust();
  void addPlume(const ShipInstance& ship, const ShipModel& model, const Camera& camera,
                double seconds, double phase);

  ShaderProgram halo_, plume_, dust_;
  VertexArray haloArray_, plumeArray_, dustArray_;
  Buffer dustVertices_;
  StreamBuffer haloStream_, plumeStream_;
  std::vector<Halo> halos_;
  std::vector<Plume> plumes_;
};

}  // namespace nearmiss::app::fly
