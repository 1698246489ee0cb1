// SPDX-License-Identifier: MIT
/// The backdrop: a band of stars in faint clouds, single stars, the sun, a planet. Made by a seed
/// at start, infinitely far away.
#pragma once

#include <glm/vec3.hpp>
#include <vector>

#include "fly/gfx/frame_block.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app::fly {

class Sky {
 public:
  explicit Sky(ShaderLoader& load);
  /// Fills every pixel that nothing was drawn on. Leaves depth writing off and blending additive.
  void draw(const Camera& camera, double aspect) const;

 private:
  struct Patch {
    glm::vec3 centre;  ///< unit
    float cosine;      ///< of the angle that the patch spans about its centre
    GLint firstIndex, indexCount;
    GLint firstStar, starCount;
  };

  void makeClouds();
  void makeStars();
  void makePlanet();

  ShaderProgram clouds_, star_, planet_, sun_;
  VertexArray cloudArray_, starArray_, quadArray_;
  Buffer cloudVertices_, cloudIndices_, starVertices_;
  Texture planetPicture_;
  std::vector<Patch> patches_;
  mutable std::vector<GLint> starFirsts_;
  mutable std::vector<GLsizei> starCounts_, indexCounts_;
  mutable std::vector<const void*> indexOffsets_;
};

}  // namespace nearmiss::app::fly
