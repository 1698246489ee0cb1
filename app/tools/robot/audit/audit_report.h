// SPDX-License-Identifier: MIT
/// The result of an audit in sentences, as JSON, and as a page with pictures.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/robot/audit/link_audit.h"
#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

struct AuditedLink {
  const RobotLink* link = nullptr;
  std::vector<Sphere> spheres;
  LinkAudit audit;
};

/// "covered", or a description of the gaps.
[[nodiscard]] std::string verdictText(const AuditedLink& each);
/// One word: covered, uncovered, unproven.
[[nodiscard]] std::string_view verdictName(const AuditedLink& each) noexcept;

/// One sentence on all links, by area.
/// @pre there is at least one link
[[nodiscard]] std::string verdictOfAll(std::span<const AuditedLink> links);

[[nodiscard]] std::string auditJson(const RobotFile& robot, std::span<const AuditedLink> links);

/// "12.3 %"
[[nodiscard]] std::string percentText(Real share);

/// Returns self-contained HTML: the verdict, a table of all links, and a picture of each. Errors:
/// those of addShape().
/// @pre there is at least one link
Result<std::string> auditPage(const RobotFile& robot, std::span<const AuditedLink> links);

}  // namespace nearmiss::app::robot
