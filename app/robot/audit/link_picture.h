// SPDX-License-Identifier: MIT
/// A link and its spheres from three sides, as SVG.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nearmiss::app::robot {

struct PicturedLink {
  const TriangleMesh& mesh;         ///< frame of the link
  std::span<const Sphere> spheres;  ///< likewise
  std::optional<Vec3> farthest;     ///< marked where it is there
};

/// Three views at one scale: surface shaded, spheres as circles. What is outside of all spheres is
/// hatched and coloured; the farthest point has a target. @pre the mesh has triangles
[[nodiscard]] std::string pictureSvg(const PicturedLink& link, std::string_view name);

/// What pictures refer to: once a page, before them.
[[nodiscard]] std::string pictureDefinitions();
/// A small picture of each mark, with words.
[[nodiscard]] std::string pictureLegend();

}  // namespace nearmiss::app::robot
