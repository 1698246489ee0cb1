// SPDX-License-Identifier: MIT
/// A discrete Voronoi diagram: sites in a plane, and for each pixel which is nearest.
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

/// A segment in a plane, metres; a point where both ends are the same.
struct PlaneSite {
  glm::dvec2 a{0.0}, b{0.0};
};

/// A square of pixels; of each the nearest site and how far that is.
struct DiagramPicture {
  static constexpr std::uint32_t none = 0xffffff;
  int pixels = 0;                    ///< along a side
  glm::dvec2 low{0.0};               ///< corner of the square, metres
  double side = 0.0;                 ///< metres
  std::vector<std::uint32_t> sites;  ///< row by row from `low`; none where no site is in reach
  std::vector<float> distances;      ///< metres, from the middle of the pixel
  /// Metres: a distance is never too large by more, and a site is the nearest up to that.
  double error = 0.0;
  /// Metres, a part of the error: a distance is never too small by more, where a driver keeps to
  /// two steps of the grid between pixels on which it puts corners.
  double shortfall = 0.0;

  [[nodiscard]] glm::dvec2 middleOf(int x, int y) const noexcept {
    return low + side / pixels * glm::dvec2(x + 0.5, y + 0.5);
  }
  [[nodiscard]] std::size_t indexOf(int x, int y) const noexcept {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels) +
           static_cast<std::size_t>(x);
  }
};

/// Discrete Voronoi diagrams by graphics hardware: the distance from each site is drawn as a
/// surface seen from below, and the depth test finds the nearest one [HKLM99].
/// Draws off screen with what OpenGL 3.3 has. One context, which is current in every call.
class DistanceDiagram {
 public:
  static constexpr std::size_t maxSites = 0xfffffe;
  /// Errors: NotFound, Unsupported (a shader, or a picture that the driver cannot draw).
  static Result<DistanceDiagram> create(const std::filesystem::path& shaders, int pixels);

  /// Draws the sites as far as the square's diagonal reaches, with an error of at most half a pixel
  /// and twice the shortfall, and waits for the picture. @pre sites.size() <= maxSites
  const DiagramPicture& draw(std::span<const PlaneSite> sites, const glm::dvec2& low, double side);

  /// The same in pieces, over as many frames as one likes: an empty square,
  void begin(const glm::dvec2& low, double side);
  /// some sites, the first of which has that number,
  void add(std::span<const PlaneSite> sites, std::uint32_t first);
  /// and the picture of all of them, which is waited for.
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
  double relativeError_ = 0.0, relativeShortfall_ = 0.0;  ///< of the side
  DiagramPicture picture_;
};

}  // namespace nearmiss::app::fly
