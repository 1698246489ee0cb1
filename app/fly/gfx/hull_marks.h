// SPDX-License-Identifier: MIT
/// Markings that give the built-in ships a scale: panel seams on the hull and a registration. Other
/// models keep their own look.
#pragma once

#include <engine/model/draw_mesh.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss::app::fly {

/// In the order of the hull picture.
inline constexpr std::array<std::string_view, 4> registrations{"NM-07", "NM-12", "NM-23", "NM-31"};

/// A registration painted on a hull, by projection from a rectangle.
struct Lettering {
  std::size_t registration = 0;  ///< index
  glm::vec3 middle{0.0f};        ///< metres, body frame, on the hull
  glm::vec3 along{0.0f};         ///< unit vector in reading direction
  glm::vec3 up{0.0f};
  float width = 0.0f;  ///< metres, four times the height
};

struct HullMarks {
  bool panels = false;
  std::vector<Lettering> letterings;
};

/// Returns the marks of a model file; none unless it is a built-in model. With its own frame
/// (engine::ModelFile::ownFrame) it has no letters, because their places assume a centred model.
[[nodiscard]] HullMarks hullMarksOf(const std::filesystem::path& file, bool ownFrame);

/// A triangle of a hull, clipped to the rectangle of a lettering.
struct LetteredPiece {
  std::size_t triangle = 0;
  struct Corner {
    std::array<float, 3> weights{};    ///< of the triangle's corners
    float across = 0.0f, over = 0.0f;  ///< position in the rectangle, 0 to 1 from its lower left
                                       ///< corner
  };
  std::vector<Corner> corners;  ///< of a convex polygon with the orientation of the triangle
};

/// Returns the pieces of the hull that a lettering covers: those that face it and are near its
/// plane.
[[nodiscard]] std::vector<LetteredPiece> letteredPieces(const engine::DrawMesh& mesh,
                                                        const Lettering& lettering);

/// One texture for all hulls: the brightness of the paint on panels, seams, rivets and letters. A
/// few rows are neutral, for surfaces that are not hull.
struct HullPicture {
  static constexpr int width = 1024, height = 1312;  ///< pixels
  /// The neutral value; see shaders/ship.frag.glsl.
  static constexpr std::uint8_t plain = 204;
  std::vector<std::uint8_t> light;  ///< row by row
};

/// Draws the same picture at every start.
[[nodiscard]] HullPicture drawHullPicture();

/// Texture coordinates, 0 to 1, of a neutral place.
[[nodiscard]] glm::vec2 plainPlace() noexcept;
/// Texture coordinates of a hull point projected along `axis` (0 to 2); `reach` of the body,
/// metres.
[[nodiscard]] glm::vec2 panelPlace(const glm::vec3& point, int axis, float reach) noexcept;
/// Texture coordinates of a point in the rectangle of a registration.
[[nodiscard]] glm::vec2 letterPlace(std::size_t registration, float across, float over) noexcept;

}  // namespace nearmiss::app::fly
