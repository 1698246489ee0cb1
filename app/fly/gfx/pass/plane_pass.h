// SPDX-License-Identifier: MIT
/// Draws a picture on a plane in the world.
#pragma once

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app {

class PlanePass {
 public:
  static Result<PlanePass> create(const std::filesystem::path& shaders);
  /// Blends over what is there; what ships hide stays hidden.
  void draw(const DrawPlane& plane, const Vec3& eye);

 private:
  PlanePass() = default;
  Program program_;
  VertexArray array_;
  StreamBuffer stream_;
  Texture texture_;
  std::uint64_t revision_ = 0;  ///< of the picture in the texture
};

}  // namespace nearmiss::app
