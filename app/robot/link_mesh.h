// SPDX-License-Identifier: MIT
/// The shapes of a link as meshes.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// Triangles of the shapes of a link, and of a robot whose links are covered, at most.
inline constexpr std::size_t maxRobotTriangles = std::size_t{1} << 24;

/// Shapes of a link as one mesh in its frame, and what is lost on the way there.
struct LinkMesh {
  TriangleMesh mesh;
  Real rounding = 0.0;
  /// The farthest that a mesh has its points and its reference from its origin: moving it may bring
  /// back what lies there, but not its digits.
  Real reference = 0.0;
  bool facedInwards = false;  ///< a file of a solid has its faces inwards, which were turned
  std::vector<std::string> warnings;
};

/// TooLarge: a link has more than maxRobotTriangles.
[[nodiscard]] Error tooManyTriangles();

/// Errors: those of loadModel(); TooLarge beyond maxRobotTriangles; Cancelled soon after
/// `cancelled` is set.
[[nodiscard]] Result<Success> addShape(const LinkShape& shape, LinkMesh& link,
                                       const std::atomic<bool>* cancelled = nullptr);

/// How far reading the meshes and moving their points into the frame of the link may have moved
/// them. @param radius of the mesh
[[nodiscard]] Real lostOf(const LinkMesh& link, Real radius) noexcept;

}  // namespace nearmiss::app::robot
