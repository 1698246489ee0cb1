// SPDX-License-Identifier: MIT
#include "tools/robot/audit/audit_report.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "report/html.h"
#include "tools/robot/audit/link_picture.h"
#include "tools/robot/link_mesh.h"

namespace nearmiss::app::robot {
namespace {

std::string figureCell(Real value) {
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : "";
}

report::HtmlTable tableOf(std::span<const AuditedLink> links) {
  report::HtmlTable table;
  table.caption = "Bounds, lengths in the unit of the file";
  table.headings = {{"link", ""},
                    {"verdict", ""},
                    {"spheres", ""},
                    {"area", "of the surface"},
                    {"outside at least", "share of the surface outside of all spheres"},
                    {"outside at most", "share of the surface outside of all spheres"},
                    {"farthest at least", "distance of the farthest point from the spheres"},
                    {"farthest at most", "distance of the farthest point from the spheres"},
                    {"farthest point", "in the frame of the link"}};
  for (const AuditedLink& each : links) {
    const LinkAudit& audit = each.audit;
    const bool marked = audit.farthestAtLeast > 0.0;
    table.rows.push_back(
        {each.link->name, std::string(verdictName(each)), std::to_string(each.spheres.size()),
         figureCell(audit.area), percentText(audit.shareAtLeast), percentText(audit.shareAtMost),
         figureCell(audit.farthestAtLeast), figureCell(audit.farthestAtMost),
         marked ? fmt::format("{:.4g} {:.4g} {:.4g}", audit.where.x, audit.where.y, audit.where.z)
                : ""});
  }
  return table;
}

Result<report::PageSection> sectionOf(const AuditedLink& each) {
  LinkMesh mesh;
  for (const LinkShape& shape : each.link->shapes)
    if (const auto added = addShape(shape, mesh); !added) return added.error();
  PicturedLink shown{mesh.mesh, each.spheres, {}};
  if (each.audit.farthestAtLeast > 0.0) shown.farthest = each.audit.where;
  return report::PageSection{fmt::format("{}: {}", each.link->name, verdictName(each)),
                             report::paragraphHtml(fmt::format(
                                 "{} spheres, {}.", each.spheres.size(), verdictText(each))) +
                                 pictureSvg(shown, each.link->name),
                             false};
}

}  // namespace

Result<std::string> auditPage(const RobotFile& robot, std::span<const AuditedLink> links) {
  report::Page page;
  page.title = fmt::format("Do the spheres cover {}?", robot.name);
  page.found.push_back(verdictOfAll(links) + ".");
  for (const AuditedLink& each : links)
    if (!each.audit.covered)
      page.found.push_back(fmt::format("{}: {}.", each.link->name, verdictText(each)));
  page.sections.push_back(
      {"All links", pictureDefinitions() + report::tableHtml(tableOf(links)) + pictureLegend(),
       false});
  for (const AuditedLink& each : links) {
    auto section = sectionOf(each);
    if (!section) return section.error();
    page.sections.push_back(*std::move(section));
  }
  return report::pageHtml(page);
}

}  // namespace nearmiss::app::robot
