// SPDX-License-Identifier: MIT
/// An audit of spheres as one page with pictures.
#pragma once

#include <nearmiss/result.h>

#include <span>
#include <string>

#include "robot/audit/audit_report.h"

namespace nearmiss::app::robot {

/// HTML that needs no other file: the verdict, a table of all links, and a picture of each. Errors:
/// those of addShape().
/// @pre there are links
Result<std::string> auditPage(const RobotFile& robot, std::span<const AuditedLink> links);

}  // namespace nearmiss::app::robot
