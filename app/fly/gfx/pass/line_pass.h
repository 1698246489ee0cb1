// SPDX-License-Identifier: MIT
/// Draws lines of an even width, marked triangles, and the cage around the arena.
#pragma once

#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/frame_block.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app {

class LinePass {
 public:
  static Result<LinePass> create(const std::filesystem::path& shaders);
  void drawLines(std::span<const DrawLine> lines, const Vec3& eye);
  /// Blended over the surfaces that they lie in.
  void drawTriangles(std::span<const DrawTriangle> triangles, const Vec3& eye);
  /// Faint circles about the origin, clearer where the eye comes near them.
  void drawCage(double radius, const Vec3& eye) const;

 private:
  struct Segment {
    glm::vec3 from, to, colour;
  };
  struct Corner {
    glm::vec3 place, colour;
  };
  LinePass() = default;
  void makeCage();

  Program line_, flat_, cage_;
  VertexArray lineArray_, triangleArray_, cageArray_;
  Buffer cageVertices_;
  GLsizei cageCount_ = 0;
  StreamBuffer lineStream_, triangleStream_;
  std::vector<Segment> segments_;
  std::vector<Corner> corners_;
};

}  // namespace nearmiss::app
