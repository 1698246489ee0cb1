// SPDX-License-Identifier: MIT
/// Discrete Voronoi diagrams by graphics hardware: the distance from each site is drawn as a
/// surface seen from below, and the depth test finds the nearest one [HKLM99].
#pragma once

#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "fly/diagram/diagram_picture.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app {

/// Draws off screen with what OpenGL 3.3 has. One context, which is current in every call.
class DistanceDiagram {
 public:
  static constexpr std::size_t mostSites = 0xfffffe;
  /// Errors: NotFound, Unsupported (a shader, or a picture that the driver cannot draw).
  static Result<DistanceDiagram> create(const std::filesystem::path& shaders, int pixels);

  /// Draws the sites as far as the square's diagonal reaches, with half a pixel of error at most,
  /// and waits for the picture. @pre sites.size() <= mostSites
  const DiagramPicture& draw(std::span<const PlaneSite> sites, const glm::dvec2& low, double side);

 private:
  struct Corner {
    glm::vec2 offset, end;
  };
  struct Instance {
    glm::vec4 segment;
    glm::vec3 name;
  };
  explicit DistanceDiagram(RenderTarget target) : target_(std::move(target)) {}
  void makeMesh();
  void readBack(double reach);

  RenderTarget target_;
  Program program_;
  VertexArray array_;
  Buffer corners_;
  GLsizei cornerCount_ = 0;
  StreamBuffer stream_;
  std::vector<Instance> instances_;
  std::vector<std::uint8_t> names_;
  double relativeError_ = 0.0;  ///< of the side
  DiagramPicture picture_;
};

}  // namespace nearmiss::app
