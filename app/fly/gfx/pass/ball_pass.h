// SPDX-License-Identifier: MIT
/// Draws solid spheres, exactly round: one square each, cut to shape and depth by the shader.
#pragma once

#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/frame_block.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app {

class BallPass {
 public:
  static Result<BallPass> create(const std::filesystem::path& shaders);
  /// Tests and writes depth, so that balls and ships cut into each other where they meet.
  void draw(std::span<const DrawBall> balls, const Camera& camera, const ViewCone& view);
  /// The same as one sees through them to what is no ball: of balls that hide each other the
  /// nearest alone shines, or many would make a blotch. @pre depth is written
  void drawThrough(std::span<const DrawBall> balls, const Camera& camera, const ViewCone& view);

 private:
  struct Instance {
    glm::vec4 ball;  ///< centre relative to the eye, radius
    glm::vec3 colour;
  };
  BallPass() = default;
  void drawPrepared() const;

  Program program_;
  VertexArray array_;
  Buffer corners_;
  StreamBuffer stream_;
  std::vector<Instance> instances_;
};

}  // namespace nearmiss::app
