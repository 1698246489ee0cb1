// SPDX-License-Identifier: MIT
/// Draws spheres as outlines: one ring, or three circles that show the shape.
#pragma once

#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/frame_block.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app::fly {

class SpherePass {
 public:
  explicit SpherePass(ShaderLoader& load);
  /// Blends over the picture. Ships hide the outlines, but three circles stay faintly visible.
  void draw(std::span<const DrawSphere> spheres, const Camera& camera, const ViewCone& view);

 private:
  struct Instance {
    glm::vec4 ball;    ///< centre relative to the eye, radius
    glm::vec4 colour;  ///< with alpha
  };
  void makeShapes();
  void bind(const VertexArray& array, std::size_t first) const;

  ShaderProgram ring_, circles_;
  VertexArray ringArray_, circlesArray_;
  Buffer ringVertices_, circlesVertices_;
  GLsizei ringCount_ = 0, circlesCount_ = 0;
  StreamBuffer stream_;
  std::vector<Instance> instances_;
};

/// Draws exactly round solid spheres: one square each; the shader computes shape and depth.
class BallPass {
 public:
  explicit BallPass(ShaderLoader& load);
  /// Tests and writes depth, so that balls and ships intersect correctly.
  void draw(std::span<const DrawBall> balls, const Camera& camera, const ViewCone& view);
  /// Draws translucent balls. Of overlapping balls only the nearest is drawn, so that many do not
  /// add up.
  /// @pre depth is written
  void drawThrough(std::span<const DrawBall> balls, const Camera& camera, const ViewCone& view);

 private:
  struct Instance {
    glm::vec4 ball;  ///< centre relative to the eye, radius
    glm::vec3 colour;
  };
  void drawPrepared() const;

  ShaderProgram program_;
  VertexArray array_;
  Buffer corners_;
  StreamBuffer stream_;
  std::vector<Instance> instances_;
};

/// Draws lines of constant width, marked triangles, and the cage around the arena.
class LinePass {
 public:
  explicit LinePass(ShaderLoader& load);
  void drawLines(std::span<const DrawLine> lines, const Vec3& eye);
  /// Blends over the surfaces of the triangles.
  void drawTriangles(std::span<const DrawTriangle> triangles, const Vec3& eye);
  /// Draws faint circles around the origin, brighter near the eye.
  void drawCage(double radius, const Vec3& eye) const;

 private:
  struct Segment {
    glm::vec3 from, to;
    glm::vec4 colour;
  };
  struct Corner {
    glm::vec3 place, colour;
  };
  void makeCage();

  ShaderProgram line_, flat_, cage_;
  VertexArray lineArray_, triangleArray_, cageArray_;
  Buffer cageVertices_;
  GLsizei cageCount_ = 0;
  StreamBuffer lineStream_, triangleStream_;
  std::vector<Segment> segments_;
  std::vector<Corner> corners_;
};

/// Draws a picture on a plane in the world.
class PlanePass {
 public:
  explicit PlanePass(ShaderLoader& load);
  /// Blends over the picture; ships hide it.
  void draw(const DrawPlane& plane, const Vec3& eye);

 private:
  ShaderProgram program_;
  VertexArray array_;
  StreamBuffer stream_;
  Texture texture_;
  std::uint64_t revision_ = 0;  ///< of the picture in the texture
};

}  // namespace nearmiss::app::fly
