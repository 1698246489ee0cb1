// SPDX-License-Identifier: MIT
/// What spheres leave of the surface of a link.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <span>
#include <string>
#include <vector>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// Bounds that are proven, in the unit of the file; see auditLink() on round shapes.
struct LinkAudit {
  bool covered = false;                              ///< all of it, for certain
  Real area = 0.0;                                   ///< of the surface; of round shapes about
  Real shareAtLeast = 0.0, shareAtMost = 0.0;        ///< of the surface, outside of the spheres
  Real farthestAtLeast = 0.0, farthestAtMost = 0.0;  ///< from the spheres; infinite without any
  Vec3 where{0.0};  ///< a point that is farthestAtLeast away, in the frame of the link
  std::vector<std::string> warnings;  ///< of the meshes
};

/// Each shape on its own. Round shapes are measured as polyhedra around them, whose distance from
/// them is part of the bounds on distances; their least share is 0, and shareAtMost is that of the
/// polyhedron. Errors: those of loadModel(), makePolyhedron()
/// and measureUncovered(); TooLarge where the shapes have more than maxRobotTriangles; Cancelled
/// soon after `progress` says so.
[[nodiscard]] Result<LinkAudit> auditLink(const RobotLink& link, std::span<const Sphere> spheres,
                                          BuildProgress* progress);

}  // namespace nearmiss::app::robot
