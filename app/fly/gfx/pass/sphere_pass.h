// SPDX-License-Identifier: MIT
/// Draws spheres as outlines: a ring each, or three circles that show the ball's shape.
#pragma once

#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/frame_block.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app {

class SpherePass {
 public:
  static Result<SpherePass> create(const std::filesystem::path& shaders);
  /// Blends over what is there; what is hidden by ships stays hidden, but three circles shine
  /// through faintly.
  void draw(std::span<const DrawSphere> spheres, const Camera& camera, const ViewCone& view);

 private:
  struct Instance {
    glm::vec4 ball;    ///< centre relative to the eye, radius
    glm::vec4 colour;  ///< and alpha
  };
  SpherePass() = default;
  void makeShapes();
  void bind(const VertexArray& array, std::size_t first) const;

  Program ring_, circles_;
  VertexArray ringArray_, circlesArray_;
  Buffer ringVertices_, circlesVertices_;
  GLsizei ringCount_ = 0, circlesCount_ = 0;
  StreamBuffer stream_;
  std::vector<Instance> instances_;
};

}  // namespace nearmiss::app
