// SPDX-License-Identifier: MIT
/// The audit of a sphere model as a page with pictures.
#pragma once

#include <nearmiss/result.h>

#include <span>
#include <string>

#include "tools/robot/audit/audit_report.h"

namespace nearmiss::app::robot {

/// Returns self-contained HTML: the verdict, a table of all links, and a picture of each. Errors:
/// those of addShape().
/// @pre there is at least one link
Result<std::string> auditPage(const RobotFile& robot, std::span<const AuditedLink> links);

}  // namespace nearmiss::app::robot
