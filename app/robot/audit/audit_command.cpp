// SPDX-License-Identifier: MIT
#include "robot/audit/audit_command.h"

#include <engine/model/model_loader.h>
#include <engine/record/atomic_file.h>
#include <fmt/format.h>
#include <tinyxml2.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "console/complaint.h"
#include "console/output_files.h"
#include "console/printable.h"
#include "robot/audit/link_audit.h"
#include "robot/audit/sphere_sets.h"

namespace nearmiss::app::robot {
namespace {

using AuditJson = nlohmann::ordered_json;

struct AuditedLink {
  const RobotLink* link;
  std::size_t spheres = 0;
  LinkAudit audit;
};

bool isRobotFile(const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 4> endings{".urdf", ".xml", ".mjcf", ".xacro"};
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

/// A mesh is a robot of one link.
Result<RobotFile> readAudited(const AuditCommand& command) {
  if (isRobotFile(command.robot)) return readRobot(command.robot, command.reading);
  const auto path = engine::findModel(command.robot.string());
  if (!path) return path.error();
  RobotFile robot;
  robot.name = path->stem().string();
  LinkShape whole;
  whole.kind = LinkShapeKind::Mesh;
  whole.file = *path;
  RobotLink& link = robot.links.emplace_back();
  link.name = robot.name;
  link.shapes.push_back(std::move(whole));
  return robot;
}

/// The set of a link: that of its name, or the only one if there is only one link to have it.
const SphereSet* setFor(const RobotLink& link, const SphereSets& sets, bool onlyLink) {
  for (const SphereSet& each : sets.links)
    if (each.link == link.name) return &each;
  const bool onlySet = sets.links.size() == 1;
  return onlyLink && onlySet ? sets.links.data() : nullptr;
}

std::string percent(Real share) { return fmt::format("{:.3g} %", 100.0 * share); }

/// One figure where both bounds say about the same.
std::string shareText(const LinkAudit& audit) {
  const Real low = audit.shareAtLeast, high = audit.shareAtMost;
  if (low <= 0.0) return "at most " + percent(high);
  if (low >= 0.98 * high) return "about " + percent(0.5 * (low + high));
  return percent(low) + " to " + percent(high);
}

std::string verdictText(const AuditedLink& each) {
  const LinkAudit& audit = each.audit;
  if (audit.covered) return "covered";
  if (each.spheres == 0) return "has no spheres";
  if (audit.farthestAtLeast <= 0.0)
    return fmt::format("not proven to be covered; nothing is farther outside than {:.3g}",
                       audit.farthestAtMost);
  return fmt::format("{} of its surface outside, by up to {:.4g} at {:.4g} {:.4g} {:.4g}",
                     shareText(audit), audit.farthestAtMost, audit.where.x, audit.where.y,
                     audit.where.z);
}

std::string_view verdictName(const AuditedLink& each) {
  if (each.audit.covered) return "covered";
  return each.audit.farthestAtLeast > 0.0 ? "uncovered" : "unproven";
}

AuditJson finite(Real value) { return std::isfinite(value) ? AuditJson(value) : AuditJson(); }

std::string reportOf(const RobotFile& robot, const std::vector<AuditedLink>& links) {
  AuditJson all = AuditJson::array();
  for (const AuditedLink& each : links) {
    const LinkAudit& audit = each.audit;
    all.push_back({{"name", each.link->name},
                   {"spheres", each.spheres},
                   {"verdict", verdictName(each)},
                   {"area", audit.area},
                   {"outside_share", {audit.shareAtLeast, audit.shareAtMost}},
                   {"farthest", {finite(audit.farthestAtLeast), finite(audit.farthestAtMost)}},
                   {"at", {audit.where.x, audit.where.y, audit.where.z}}});
  }
  const AuditJson whole{{"robot", robot.name}, {"links", std::move(all)}};
  return whole.dump(1, ' ', false, AuditJson::error_handler_t::replace) + "\n";
}

/// What all links are together, by area.
void printWhole(const std::vector<AuditedLink>& links) {
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
  if (covered == links.size()) {
    fmt::print("all {} links are covered: no point of their surfaces is outside\n", links.size());
    return;
  }
  if (whole.area > 0.0) {
    whole.shareAtLeast = atLeast / whole.area;
    whole.shareAtMost = atMost / whole.area;
  }
  const Real farthest = worst->audit.farthestAtMost;
  fmt::print("{} of {} links are covered; {} of the surface is outside, {}\n", covered,
             links.size(), shareText(whole),
             std::isfinite(farthest)
                 ? fmt::format("by up to {:.4g} in the unit of the file (\"{}\")", farthest,
                               printable(worst->link->name))
                 : fmt::format("that of \"{}\" as a whole", printable(worst->link->name)));
}

Result<std::vector<AuditedLink>> auditAll(const RobotFile& robot, const SphereSets& sets) {
  std::vector<AuditedLink> links;
  const auto solid = std::count_if(robot.links.begin(), robot.links.end(),
                                   [](const RobotLink& link) { return !link.shapes.empty(); });
  for (const RobotLink& link : robot.links) {
    if (link.shapes.empty()) continue;
    const SphereSet* set = setFor(link, sets, solid == 1);
    const std::vector<Sphere> none;
    const std::vector<Sphere>& spheres = set ? set->spheres : none;
    auto audit = auditLink(link, spheres, nullptr);
    if (!audit)
      return Error{audit.error().code,
                   fmt::format("link \"{}\": {}", link.name, audit.error().message)};
    for (const std::string& warning : audit->warnings) complain(warning);
    links.push_back({&link, spheres.size(), *std::move(audit)});
    fmt::print("{:<32} {:>5} spheres, {}\n", printable(link.name), spheres.size(),
               verdictText(links.back()));
  }
  return links;
}

/// Sets that belong to no link of the robot: nobody else says so.
void remarkOnStrangers(const RobotFile& robot, const SphereSets& sets,
                       const std::vector<AuditedLink>& links) {
  if (links.size() == 1 && sets.links.size() == 1) return;
  for (const SphereSet& set : sets.links) {
    const bool known = std::any_of(robot.links.begin(), robot.links.end(),
                                   [&](const RobotLink& link) { return link.name == set.link; });
    if (!known)
      complain(set.link.empty()
                   ? std::string("the spheres name no link, and the robot has several")
                   : fmt::format("the robot has no link \"{}\", which has spheres", set.link));
  }
}

}  // namespace

void addAuditCommand(CLI::App& spheres, AuditCommand& command) {
  CLI::App* check = spheres.add_subcommand("check", std::string(auditSummary));
  check->add_option("ROBOT", command.robot, "a URDF, an MJCF file, or a mesh")->required();
  check
      ->add_option(
          "SPHERES", command.spheres,
          "a URDF or MJCF with spheres, cuRobo's YAML, JSON, or CSV with the columns link, "
          "x, y, z and radius")
      ->required();
  check->add_option("-o,--out", command.out, "write the figures as JSON");
  check->add_flag("--visual", command.reading.visualToo,
                  "use the visual shapes of links without collision shapes");
  check->add_option("--packages", command.reading.packageFolders,
                    "folders with the packages of package:// names");
  // What covering needs, checking does not
  std::vector<CLI::Option*> needed;
  for (CLI::Option* option : spheres.get_options())
    if (option->get_required()) needed.push_back(option);
  check->preparse_callback([needed](std::size_t) {
    for (CLI::Option* option : needed) option->required(false);
  });
}

int auditSpheres(const AuditCommand& command) {
  if (!command.out.empty())
    if (const int exitCode = checkOutputs({{"-o", command.out}}); exitCode != Ok) return exitCode;
  const auto robot = readAudited(command);
  if (!robot) return complain(robot.error(), BadModelOrScene);
  const auto sets = readSphereSets(command.spheres);
  if (!sets) return complain(sets.error(), BadModelOrScene);
  for (const auto* remarks : {&robot->remarks, &sets->remarks})
    for (const std::string& remark : *remarks) complain(remark);
  const auto links = auditAll(*robot, *sets);
  if (!links) return complain(links.error(), BadModelOrScene);
  if (links->empty()) {
    complain(fmt::format("no link of \"{}\" has a shape to cover", command.robot.string()));
    return BadModelOrScene;
  }
  remarkOnStrangers(*robot, *sets, *links);
  printWhole(*links);
  if (!command.out.empty())
    if (const auto kept = engine::writeWhole(command.out, reportOf(*robot, *links)); !kept)
      return complain(kept.error(), Environment);
  const bool covered = std::all_of(links->begin(), links->end(),
                                   [](const AuditedLink& each) { return each.audit.covered; });
  return covered ? Ok : ValidationFailed;
}

}  // namespace nearmiss::app::robot
