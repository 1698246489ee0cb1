// SPDX-License-Identifier: MIT
/// Marks that give the program's own ships a scale: seams of panels on the hull, and a registration
/// in painted letters. Models of others keep their own look.
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

/// In the order in which the hull's picture has them.
inline constexpr std::array<std::string_view, 4> registrations{"NM-07", "NM-12", "NM-23", "NM-31"};

/// A registration painted on a hull: everything within reach of a rectangle takes it.
struct Lettering {
  std::size_t registration = 0;  ///< index
  glm::vec3 middle{0.0f};        ///< metres, body frame, on the hull
  glm::vec3 along{0.0f};         ///< unit vectors: the way that it reads
  glm::vec3 up{0.0f};
  float width = 0.0f;  ///< metres, four times the height
};

struct HullMarks {
  bool panels = false;
  std::vector<Lettering> letterings;
};

/// Marks of a model file: none unless it is one of the program's own. In a frame of its own
/// (engine::ModelFile::ownFrame) it has no letters: their places are those of a centred model.
[[nodiscard]] HullMarks hullMarksOf(const std::filesystem::path& file, bool ownFrame);

/// A triangle of a hull, or what of it lies in the rectangle of a lettering.
struct LetteredPiece {
  std::size_t triangle = 0;
  struct Corner {
    std::array<float, 3> weights{};    ///< of the triangle's corners
    float across = 0.0f, over = 0.0f;  ///< in the rectangle, 0 to 1 from its lower left
  };
  std::vector<Corner> corners;  ///< of a convex polygon, in the triangle's sense
};

/// The pieces of the hull that a lettering is painted on: what faces it and is near its plane.
[[nodiscard]] std::vector<LetteredPiece> letteredPieces(const engine::DrawMesh& mesh,
                                                        const Lettering& lettering);

/// One picture for all hulls: how light the paint is on panels, at their seams and rivets, and on
/// letters. Beside a few rows that change nothing, for all that is no hull.
struct HullPicture {
  static constexpr int width = 1024, height = 1312;  ///< pixels
  /// The value that leaves the paint as it is; see shaders/ship.frag.glsl.
  static constexpr std::uint8_t plain = 204;
  std::vector<std::uint8_t> light;  ///< row by row
};

/// The same at every start.
[[nodiscard]] HullPicture drawHullPicture();

/// Places in the picture, 0 to 1: one that leaves the paint as it is.
[[nodiscard]] glm::vec2 plainPlace() noexcept;
/// The place in the picture of a point of a hull, seen along `axis` (0 to 2); `reach` of the body,
/// metres.
[[nodiscard]] glm::vec2 panelPlace(const glm::vec3& point, int axis, float reach) noexcept;
/// The place in the picture of a point in the rectangle of a registration.
[[nodiscard]] glm::vec2 letterPlace(std::size_t registration, float across, float over) noexcept;

}  // namespace nearmiss::app::fly
