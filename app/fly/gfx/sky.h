// SPDX-License-Identifier: MIT
/// The background at infinity: a band of stars in faint clouds, single stars, the sun, a planet.
/// Generated from a seed at start.
#pragma once

#include <glm/vec3.hpp>
#include <vector>

#include "fly/gfx/frame_block.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app::fly {

class Sky {
 public:
  explicit Sky(ShaderLoader& load);
  /// Fills the pixels without geometry. Leaves depth writes off and additive blending on.
  void draw(const Camera& camera, double aspect) const;

 private:
  struct Patch {
    glm::vec3 centre;  ///< unit
    float cosine;      ///< of the angular radius of the patch
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
