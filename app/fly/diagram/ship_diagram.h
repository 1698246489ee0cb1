// SPDX-License-Identifier: MIT
/// The plane through two ships: which of them is nearer where, how far, and how far apart they are.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"

namespace nearmiss::app::fly {

class DistanceDiagram;
class Flight;
struct Camera;
struct DiagramPicture;
struct PlaneSite;
struct UiState;

/// A point of it is origin + x * u + y * v; u and v are unit vectors at right angles.
struct CuttingFrame {
  Vec3 origin{0.0}, u{1.0, 0.0, 0.0}, v{0.0, 1.0, 0.0};
  [[nodiscard]] Vec3 at(const glm::dvec2& p) const noexcept { return origin + p.x * u + p.y * v; }
};

/// Appends the segments in which the plane meets the triangles of a body, which has this pose. One
/// that lies in the plane is left to its neighbours.
void addSection(const Polyhedron& polyhedron, const Pose& pose, const CuttingFrame& plane,
                std::vector<PlaneSite>& sites);

/// Bounds from a discrete Voronoi diagram on the distance between two bodies.
struct DiagramGap {
  double lower = 0.0, upper = 0.0;  ///< metres: between their sections, for certain
  glm::dvec2 a{0.0}, b{0.0};        ///< points of both, at most `upper` apart
};

/// Along the border of their regions, where both are equally far, they are nearest to each other.
/// Sites below `firstOfB` are of the first body. Nothing where one of them has no region.
[[nodiscard]] std::optional<DiagramGap> gapOf(const DiagramPicture& picture,
                                              std::span<const PlaneSite> sites,
                                              std::uint32_t firstOfB);

/// The point of a site that is nearest to `p`.
[[nodiscard]] glm::dvec2 nearestOf(const PlaneSite& site, const glm::dvec2& p) noexcept;

/// Kept between frames and redrawn in pieces, so that no single frame takes noticeably longer.
class ShipDiagram {
 public:
  ShipDiagram();
  ~ShipDiagram();

  /// Compiles what it draws with: now rather than in flight. Errors: those of
  /// DistanceDiagram::create().
  std::optional<Error> prepare();

  /// Goes on with the diagram where it is asked for. The picked ships; with one or none the
  /// user's own and its nearest. Errors: those of prepare().
  std::optional<Error> update(const Flight& flight, const UiState& ui, const Camera& camera);

  /// To be drawn; valid until the next update(). Nothing where it is switched off.
  [[nodiscard]] const std::optional<DrawPlane>& plane() const noexcept { return plane_; }
  /// The nearest points of the two sections, world frame.
  struct Gap {
    Vec3 a{0.0}, b{0.0};
    double lower = 0.0, upper = 0.0;  ///< metres, within the plane
  };
  [[nodiscard]] const std::optional<Gap>& gap() const noexcept { return gap_; }

 private:
  /// One that is being drawn.
  struct Draft {
    CuttingFrame plane;
    double half = 0.0;           ///< of its side, metres
    std::uint32_t firstOfB = 0;  ///< sites_ before it are of the first ship
    std::size_t drawn = 0;       ///< of sites_
  };
  void begin(const Flight& flight, std::size_t first, std::size_t second, const Camera& camera);
  void goOn();
  void finish();
  void paint(const DiagramPicture& picture, std::uint32_t firstOfSecond);

  std::unique_ptr<DistanceDiagram> diagram_;
  std::optional<Error> failure_;  ///< why there is none
  std::optional<Draft> draft_;
  std::size_t batch_ = 1;  ///< sites that a frame has time for
  std::vector<PlaneSite> sites_;
  std::vector<std::uint8_t> colours_;
  std::optional<DrawPlane> plane_;
  std::uint64_t revision_ = 0;  ///< of the last one, whether it is shown or not
  std::optional<Gap> gap_;
};

}  // namespace nearmiss::app::fly
