// SPDX-License-Identifier: MIT
/// The plane through two ships: the nearer ship at each point, and the distance between the ships.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <chrono>
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

/// A plane: origin + x * u + y * v, with perpendicular unit vectors u and v.
struct CuttingFrame {
  Vec3 origin{0.0}, u{1.0, 0.0, 0.0}, v{0.0, 1.0, 0.0};
  [[nodiscard]] Vec3 at(const glm::dvec2& p) const noexcept { return origin + p.x * u + p.y * v; }
};

/// Appends the segments where the plane intersects the triangles of a body in this pose. Triangles
/// in the plane are skipped; their neighbours give their edges.
void addSection(const Polyhedron& polyhedron, const Pose& pose, const CuttingFrame& plane,
                std::vector<PlaneSite>& sites);

/// Bounds on the distance between two bodies from a discrete Voronoi diagram.
struct DiagramGap {
  double lower = 0.0, upper = 0.0;  ///< guaranteed bounds between the sections, metres
  glm::dvec2 a{0.0}, b{0.0};        ///< points of both bodies, at most `upper` apart
};

/// Searches along the border of the two regions, where both bodies are equally far. Sites below
/// `firstOfB` belong to the first body. Returns `nullopt` if a body has no region.
[[nodiscard]] std::optional<DiagramGap> gapOf(const DiagramPicture& picture,
                                              std::span<const PlaneSite> sites,
                                              std::uint32_t firstOfB);

/// Returns the point of a site that is nearest to `p`.
[[nodiscard]] glm::dvec2 nearestOf(const PlaneSite& site, const glm::dvec2& p) noexcept;

/// Cached between frames and redrawn in pieces, so that no frame becomes noticeably slower.
class ShipDiagram {
 public:
  ShipDiagram();
  ~ShipDiagram();

  /// Compiles the shaders in advance. Errors: those of DistanceDiagram::create().
  std::optional<Error> prepare();

  /// Updates the diagram if it is switched on. Uses the picked ships; with fewer than two, the
  /// user's ship and the nearest one. Errors: those of prepare().
  std::optional<Error> update(const Flight& flight, const UiState& ui, const Camera& camera);

  /// The plane to draw, valid until the next update(); `nullopt` if switched off.
  [[nodiscard]] const std::optional<DrawPlane>& plane() const noexcept { return plane_; }
  /// The nearest points of the two sections, world frame.
  struct Gap {
    Vec3 a{0.0}, b{0.0};
    double lower = 0.0, upper = 0.0;  ///< metres, within the plane
  };
  [[nodiscard]] const std::optional<Gap>& gap() const noexcept { return gap_; }

 private:
  /// A diagram in progress.
  struct Draft {
    CuttingFrame plane;
    double half = 0.0;           ///< half of the side, metres
    std::uint32_t firstOfB = 0;  ///< first index in sites_ of the second ship
    std::size_t drawn = 0;       ///< number of sites_ drawn so far
  };
  void begin(const Flight& flight, std::size_t first, std::size_t second, const Camera& camera);
  void goOn(double seconds);
  void finish();
  void paint(const DiagramPicture& picture, std::uint32_t firstOfSecond);

  std::unique_ptr<DistanceDiagram> diagram_;
  std::optional<Error> failure_;  ///< why there is no diagram
  std::optional<Draft> draft_;
  std::size_t batch_ = 1;  ///< sites per frame
  std::chrono::steady_clock::time_point updated_;
  std::vector<PlaneSite> sites_;
  std::vector<std::uint8_t> colours_;
  std::optional<DrawPlane> plane_;
  std::uint64_t revision_ = 0;  ///< of the last diagram, whether shown or not
  std::optional<Gap> gap_;
};

}  // namespace nearmiss::app::fly
