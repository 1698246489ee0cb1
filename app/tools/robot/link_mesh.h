// SPDX-License-Identifier: MIT
/// Converts the shapes of a link to meshes.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

/// Maximum number of triangles of the shapes of a link, and of a robot whose links are covered.
inline constexpr std::size_t maxRobotTriangles = std::size_t{1} << 24;

/// The shapes of a link as one mesh in its frame, and the loss of accuracy.
struct LinkMesh {
  TriangleMesh mesh;
  Real rounding = 0.0;
  /// Maximum distance of a mesh's points and its reference from the origin. Moving the mesh back
  /// does not restore the lost digits.
  Real reference = 0.0;
  bool facedInwards = false;  ///< the faces of a solid's file pointed inwards and were flipped
  std::vector<std::string> warnings;
};

/// TooLarge: a link has more than maxRobotTriangles.
[[nodiscard]] Error tooManyTriangles();

/// Adds a shape. Errors: those of loadModel(); TooLarge beyond maxRobotTriangles; Cancelled soon
/// after `cancelled` is set.
[[nodiscard]] Result<Success> addShape(const LinkShape& shape, LinkMesh& link,
                                       const std::atomic<bool>* cancelled = nullptr);

/// Maximum displacement of points by reading the meshes and moving them into the frame of the link.
/// @param radius of the mesh
[[nodiscard]] Real lostOf(const LinkMesh& link, Real radius) noexcept;

}  // namespace nearmiss::app::robot
