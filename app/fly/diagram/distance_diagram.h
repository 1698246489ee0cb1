// SPDX-License-Identifier: MIT
/// A discrete Voronoi diagram: the nearest site in a plane for each pixel.
#pragma once

#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "fly/gfx/gl_objects.h"

namespace nearmiss::app::fly {

/// A segment in a plane, metres; a point if both ends are equal.
struct PlaneSite {
  glm::dvec2 a{0.0}, b{0.0};
};

/// A square grid of pixels with the nearest site of each and its distance.
struct DiagramPicture {
  static constexpr std::uint32_t none = 0xffffff;
  int pixels = 0;                    ///< along a side
  glm::dvec2 low{0.0};               ///< corner of the square, metres
  double side = 0.0;                 ///< metres
  std::vector<std::uint32_t> sites;  ///< row by row from `low`; `none` if no site is in reach
  std::vector<float> distances;      ///< metres, from the pixel centre
  /// Maximum error, metres: distances are at most this much too large, and a site is nearest within
  /// it.
  double error = 0.0;
  /// Maximum shortfall of a distance, metres; part of `error`. Assumes that the driver snaps
  /// vertices to a subpixel grid within two steps.
  double shortfall = 0.0;

  [[nodiscard]] glm::dvec2 middleOf(int x, int y) const noexcept {
    return low + side / pixels * glm::dvec2(x + 0.5, y + 0.5);
  }
  [[nodiscard]] std::size_t indexOf(int x, int y) const noexcept {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels) +
           static_cast<std::size_t>(x);
  }
};

/// Computes discrete Voronoi diagrams on the GPU: draws the distance from each site as a surface
/// seen from below, so that the depth test selects the nearest site [HKLM99]. Draws off screen with
/// OpenGL 3.3. The same context must be current in every call.
class DistanceDiagram {
 public:
  static constexpr std::size_t maxSites = 0xfffffe;
  /// Errors: NotFound, Unsupported (a shader fails, or the driver cannot draw such a picture).
  static Result<DistanceDiagram> create(const std::filesystem::path& shaders, int pixels);

  /// Draws the sites with a range of the square's diagonal and waits for the picture. The error is
  /// at most half a pixel plus twice the shortfall.
  /// @pre sites.size() <= maxSites
  const DiagramPicture& draw(std::span<const PlaneSite> sites, const glm::dvec2& low, double side);

  /// The same in pieces, over several frames. Starts with an empty square.
  void begin(const glm::dvec2& low, double side);
  /// Adds sites; `first` is the number of the first one.
  void add(std::span<const PlaneSite> sites, std::uint32_t first);
  /// Waits for the picture of all sites.
  const DiagramPicture& finish();

 private:
  void bind();
  struct Corner {
    glm::vec2 offset, end;
  };
  struct Instance {
    glm::vec4 segment;
    glm::vec3 name;
  };
  explicit DistanceDiagram(RenderTarget target) : target_(std::move(target)) {}
  void makeMesh(int subpixelBits);
  void readBack(double reach);

  RenderTarget target_;
  ShaderProgram program_;
  VertexArray array_;
  Buffer corners_;
  GLsizei cornerCount_ = 0;
  StreamBuffer stream_;
  std::vector<Instance> instances_;
  std::vector<std::uint8_t> names_;
  double relativeError_ = 0.0, relativeShortfall_ = 0.0;  ///< relative to the side
  DiagramPicture picture_;
};

}  // namespace nearmiss::app::fly
