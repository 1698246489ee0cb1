// SPDX-License-Identifier: MIT
/// The spheres of all links of a robot.
#pragma once

#include <nearmiss/flat_set.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <string>
#include <vector>

#include "robot/audit/link_audit.h"
#include "robot/link_spheres.h"
#include "robot/robot_file.h"

namespace nearmiss::app::robot {

struct RobotCover {
  FlatSetSettings each;   ///< of each link; its count is heeded where `total` is 0
  std::size_t total = 0;  ///< spheres of all links together; 0: each has its own
  Real allow = 0.0;       ///< points of a link may be this far from its spheres; unit of the file
};

struct CoveredLink {
  const RobotLink* link = nullptr;
  std::size_t budget = 0;       ///< spheres that it may have
  std::vector<Sphere> spheres;  ///< for the file
  UnionVolume volume;           ///< of these
  std::string like;             ///< the link whose spheres these are, moved or mirrored; else empty
  bool mirrored = false;
  LinkAudit left;  ///< what stays uncovered; only where something may
};

struct CoveredRobot {
  std::vector<CoveredLink> links;  ///< in the order of the file
  std::size_t unspent = 0;         ///< of the total: more spheres would gain nothing
  bool interrupted = false;        ///< links are missing
};

/// Covers every link that has shapes, with a line of progress. Links alike get the same spheres,
/// mirrored where they are. Watches for interrupts once all are read: then one ends it with the
/// links that are finished. Errors: those of prepareLink(), coverLink() and auditLink() with the
/// link's name.
/// @pre a total is at least a sphere a link
Result<CoveredRobot> coverRobot(const RobotFile& robot, const RobotCover& settings);

/// One line: how many spheres a link has, and how large they are.
[[nodiscard]] std::string lineOf(const CoveredLink& link);

}  // namespace nearmiss::app::robot
