// SPDX-License-Identifier: MIT
/// The spheres of one link.
#pragma once

#include <nearmiss/flat_set.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <string>
#include <vector>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// Shapes of a link as one mesh in its frame, and what is lost on the way there.
struct LinkMesh {
  TriangleMesh mesh;
  Real rounding = 0.0;
  Real reference = 0.0;  ///< the farthest that a mesh has its reference from its origin
  std::vector<std::string> warnings;
};

/// Errors: those of loadModel().
[[nodiscard]] Result<Success> addShape(const LinkShape& shape, LinkMesh& link);

/// How far reading the meshes and moving their points into the frame of the link may have moved
/// them. @param radius of the mesh
[[nodiscard]] Real lostOf(const LinkMesh& link, Real radius) noexcept;

struct LinkSpheres {
  std::vector<Sphere> spheres;  ///< in the frame of the link
  /// Volume of their union outside of the link, relative to that of its closed parts; below 0
  /// without any.
  Real outsideShare = -1.0;
  std::vector<std::string> warnings;  ///< of the meshes
};

/// Spheres that cover all shapes of a link; a link of spheres alone keeps them, if they are no more
/// than allowed. Errors: those of loadModel(), of makePolyhedron() and of fitFlatSet().
/// @pre the link has shapes
[[nodiscard]] Result<LinkSpheres> spheresOfLink(const RobotLink& link,
                                                const FlatSetSettings& settings);

}  // namespace nearmiss::app::robot
