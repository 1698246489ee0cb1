// SPDX-License-Identifier: MIT
/// Draws additive effects: engine plumes, halos of hit ships, drifting dust.
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
  /// Draws lights, plumes, and halos around the places of hits.
  void drawGlow(const DrawFrame& frame, std::span<const ShipModel> models, const ViewCone& view);
  /// Draws dust at rest in the world, periodic in space, which shows the speed. With `before`, the
  /// previous pose of the eye, each particle is a streak.
  void drawDust(const Camera& camera, const std::optional<Pose>& before, double aspect) const;

 private:
  struct Halo {
    glm::vec4 ball;    ///< centre relative to the eye, radius
    glm::vec3 colour;  ///< at its centre
  };
  struct Plume {
    glm::vec3 from;   ///< relative to the eye
    glm::vec3 along;  ///< to the tip, metres
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
