// SPDX-License-Identifier: MIT
#include "tools/robot/audit/audit_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "console/text.h"

namespace nearmiss::app::robot {
namespace {

using AuditJson = nlohmann::ordered_json;

AuditJson finite(Real value) { return std::isfinite(value) ? AuditJson(value) : AuditJson(); }

/// A percentage, or both bounds if they differ.
std::string shareText(const LinkAudit& audit) {
  const Real low = audit.shareAtLeast, high = audit.shareAtMost;
  if (low <= 0.0) return "at most " + percentText(high);
  // One number if both bounds almost agree
  if (low >= 0.98 * high) return "about " + percentText(0.5 * (low + high));
  return percentText(low) + " to " + percentText(high);
}

}  // namespace

std::string percentText(Real share) { return fmt::format("{:.3g} %", 100.0 * share); }

std::string verdictText(const AuditedLink& each) {
  const LinkAudit& audit = each.audit;
  if (audit.covered) return "covered";
  if (each.spheres.empty()) return "has no spheres";
  if (audit.farthestAtLeast <= 0.0)
    return fmt::format("not proven to be covered; nothing is farther outside than {:.3g}",
                       audit.farthestAtMost);
  return fmt::format("{} of its surface outside, by up to {:.4g} at {:.4g} {:.4g} {:.4g}",
                     shareText(audit), audit.farthestAtMost, audit.where.x, audit.where.y,
                     audit.where.z);
}

std::string_view verdictName(const AuditedLink& each) noexcept {
  if (each.audit.covered) return "covered";
  return each.audit.farthestAtLeast > 0.0 ? "uncovered" : "unproven";
}

std::string auditJson(const RobotFile& robot, std::span<const AuditedLink> links) {
  AuditJson all = AuditJson::array();
  for (const AuditedLink& each : links) {
    const LinkAudit& audit = each.audit;
    all.push_back({{"name", each.link->name},
                   {"spheres", each.spheres.size()},
                   {"verdict", verdictName(each)},
                   {"area", audit.area},
                   {"outside_share", {audit.shareAtLeast, audit.shareAtMost}},
                   {"farthest", {finite(audit.farthestAtLeast), finite(audit.farthestAtMost)}},
                   {"at", {audit.where.x, audit.where.y, audit.where.z}}});
  }
  const AuditJson whole{{"robot", robot.name}, {"links", std::move(all)}};
  return whole.dump(1, ' ', false, AuditJson::error_handler_t::replace) + "\n";
}

std::string verdictOfAll(std::span<const AuditedLink> links) {
  LinkAudit whole;
  const AuditedLink* worst = nullptr;
  std::size_t covered = 0;
  Real atLeast = 0.0, atMost = 0.0;
  for (const AuditedLink& each : links) {
    covered += each.audit.covered;
    whole.area += each.audit.area;
    atLeast += each.audit.shareAtLeast * each.audit.area;
    atMost += each.audit.shareAtMost * each.audit.area;
    if (!worst || each.audit.farthestAtMost > worst->audit.farthestAtMost) worst = &each;
  }
  if (covered == links.size())
    return fmt::format("all {} links are covered: no point of their surfaces is outside",
                       links.size());
  if (whole.area > 0.0) {
    whole.shareAtLeast = atLeast / whole.area;
    whole.shareAtMost = atMost / whole.area;
  }
  const Real farthest = worst->audit.farthestAtMost;
  return fmt::format("{} of {} links are covered; {} of the surface is outside, {}", covered,
                     links.size(), shareText(whole),
                     std::isfinite(farthest)
                         ? fmt::format("by up to {:.4g} in the unit of the file (\"{}\")", farthest,
                                       printable(worst->link->name))
                         : fmt::format("that of \"{}\" as a whole", printable(worst->link->name)));
}

}  // namespace nearmiss::app::robot
