// SPDX-License-Identifier: MIT
/// Measures the part of a link's surface that is outside spheres.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <span>
#include <string>
#include <vector>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

/// Proven bounds, in the file's unit; for round shapes see auditLink().
struct LinkAudit {
  bool covered = false;                              ///< completely covered, proven
  Real area = 0.0;                                   ///< of the surface; approximate for round
                                                     ///< shapes
  Real shareAtLeast = 0.0, shareAtMost = 0.0;        ///< fraction of the surface outside the
                                                     ///< spheres
  Real farthestAtLeast = 0.0, farthestAtMost = 0.0;  ///< distance from the spheres; infinite
                                                     ///< without spheres
  Vec3 where{0.0};  ///< a point at distance farthestAtLeast, in the frame of the link
  std::vector<std::string> warnings;  ///< of the meshes
};

/// Audits each shape separately. Round shapes are measured with circumscribed polyhedra. The
/// distance between shape and polyhedron is included in the distance bounds; the lower bound of
/// their share is 0, and shareAtMost is that of the polyhedron. Errors: those of loadModel(),
/// makePolyhedron() and measureUncovered(); TooLarge if the shapes have more than
/// maxRobotTriangles; Cancelled soon after `progress` is cancelled.
[[nodiscard]] Result<LinkAudit> auditLink(const RobotLink& link, std::span<const Sphere> spheres,
                                          BuildProgress* progress);

}  // namespace nearmiss::app::robot
