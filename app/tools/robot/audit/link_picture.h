// SPDX-License-Identifier: MIT
/// SVG views of a link and its spheres from three sides.
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
  std::optional<Vec3> farthest;     ///< marked if set
};

/// Three views at the same scale: shaded surface, spheres as circles. Hatches and colours surface
/// outside all spheres; marks the farthest point.
/// @pre the mesh has triangles
[[nodiscard]] std::string pictureSvg(const PicturedLink& link, std::string_view name);

/// SVG definitions, needed once per page before the pictures.
[[nodiscard]] std::string pictureDefinitions();
/// A legend of the marks.
[[nodiscard]] std::string pictureLegend();

}  // namespace nearmiss::app::robot
