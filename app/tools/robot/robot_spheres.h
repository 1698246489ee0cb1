// SPDX-License-Identifier: MIT
/// The spheres of all links of a robot.
#pragma once

#include <nearmiss/result.h>
#include <nearmiss/spheres.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tools/robot/audit/link_audit.h"
#include "tools/robot/link_spheres.h"
#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

struct RobotCover {
  FlatSetSettings each;   ///< of each link; its count is used if `total` is 0
  std::size_t total = 0;  ///< spheres of all links together; 0: count per link
  Real allow = 0.0;       ///< maximum distance of uncovered points from the spheres, in the file's
                          ///< unit
  bool verbose = false;   ///< print all warnings
};

struct CoveredLink {
  const RobotLink* link = nullptr;
  std::size_t budget = 0;       ///< maximum number of spheres
  std::vector<Sphere> spheres;  ///< as written
  UnionVolume volume;           ///< of the spheres
  std::string like;             ///< link whose spheres were moved or mirrored; empty: fitted itself
  bool mirrored = false;
  bool open = false;  ///< part of its surface encloses nothing, so that it has no excess volume
  LinkAudit left;     ///< uncovered parts, if those are allowed
};

struct CoveredRobot {
  std::vector<CoveredLink> links;  ///< in the order of the file
  std::size_t unspent = 0;         ///< of the total: further spheres would not improve the fit
  bool interrupted = false;        ///< links are missing
};

/// Covers every link that has shapes and shows progress. Congruent links get the same spheres,
/// mirrored if necessary. After reading, an interrupt ends the work with the finished links.
/// Errors: those of prepareLink(), coverLink() and auditLink() with the link's name.
/// @pre a total is at least the number of links
Result<CoveredRobot> coverRobot(const RobotFile& robot, const RobotCover& settings);

/// One line: number and size of a link's spheres.
[[nodiscard]] std::string lineOf(const CoveredLink& link);

}  // namespace nearmiss::app::robot
