// SPDX-License-Identifier: MIT
#include "tools/robot/audit/audit_command.h"

#include <engine/base/atomic_file.h>
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <tinyxml2.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "console/complaint.h"
#include "console/output_files.h"
#include "console/text.h"
#include "tools/robot/audit/audit_report.h"
#include "tools/robot/audit/link_audit.h"
#include "tools/robot/audit/sphere_sets.h"
#include "tools/robot/named_files.h"

namespace nearmiss::app::robot {
namespace {

bool isRobotFile(const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 4> endings{".urdf", ".xml", ".mjcf", ".xacro"};
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

/// Reads a mesh as a robot with one link.
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

/// The only set, if no names identify its link: the file has none, or the robot is a mesh.
/// Otherwise null.
const SphereSet* onlySet(const RobotFile& robot, const SphereSets& sets) {
  const auto solid = std::count_if(robot.links.begin(), robot.links.end(),
                                   [](const RobotLink& link) { return !link.shapes.empty(); });
  if (solid != 1 || sets.links.size() != 1) return nullptr;
  const bool isMesh = !robot.document;
  return isMesh || sets.links[0].link.empty() ? sets.links.data() : nullptr;
}

/// The set with the link's name, or the nameless one.
const SphereSet* setFor(const RobotLink& link, const SphereSets& sets, const SphereSet* nameless) {
  for (const SphereSet& each : sets.links)
    if (each.link == link.name) return &each;
  return nameless;
}

Result<std::vector<AuditedLink>> auditAll(const RobotFile& robot, const SphereSets& sets) {
  std::vector<AuditedLink> links;
  const SphereSet* const nameless = onlySet(robot, sets);
  for (const RobotLink& link : robot.links) {
    if (link.shapes.empty()) continue;
    const SphereSet* set = setFor(link, sets, nameless);
    std::vector<Sphere> spheres = set ? set->spheres : std::vector<Sphere>{};
    auto audit = auditLink(link, spheres, nullptr);
    if (!audit)
      return Error{audit.error().code,
                   fmt::format("link \"{}\": {}", link.name, audit.error().message)};
    for (const std::string& warning : audit->warnings) complain(warning);
    const AuditedLink& done =
        links.emplace_back(AuditedLink{&link, std::move(spheres), *std::move(audit)});
    fmt::print("{:<32} {:>5} spheres, {}\n", printable(link.name), done.spheres.size(),
               verdictText(done));
  }
  return links;
}

/// Reports sets that belong to no link of the robot.
void warnAboutUnknownLinks(const RobotFile& robot, const SphereSets& sets) {
  if (onlySet(robot, sets)) return;
  for (const SphereSet& set : sets.links) {
    const bool known = std::any_of(robot.links.begin(), robot.links.end(),
                                   [&](const RobotLink& link) { return link.name == set.link; });
    if (!known)
      complain(set.link.empty()
                   ? fmt::format("{} spheres name no link, and do not count", set.spheres.size())
                   : fmt::format("the robot has no link \"{}\", which has spheres", set.link));
  }
}

}  // namespace

void addAuditCommand(CLI::App& spheres, AuditCommand& command) {
  CLI::App* check = spheres.add_subcommand("check", std::string(auditSummary));
  check->add_option("ROBOT", command.robot, "a URDF, an MJCF file, or a mesh")->required();
  check
      ->add_option("SPHERES", command.spheres,
                   "a URDF, MJCF or SRDF with spheres, XRDF, cuRobo's YAML, JSON, or CSV with the "
                   "columns link, "
                   "x, y, z and radius")
      ->required();
  check->add_option("-o,--output", command.out, "write the figures as JSON");
  check->add_option("--page", command.page, "write a page with a picture of every link, FILE.html");
  check->add_flag("--visual", command.reading.visualToo,
                  "use the visual shapes of links without collision shapes");
  check->add_option("--packages", command.reading.packageFolders,
                    "folders with the packages of package:// names");
}

int auditSpheres(const AuditCommand& command) {
  const auto write = [](const std::filesystem::path& file, const std::string& text) {
    const auto kept = engine::writeWhole(file, text);
    if (!kept) return complain(kept.error(), Environment);
    fmt::print("written to {}\n", file.string());
    return static_cast<int>(Ok);
  };
  OutputFiles outputs;
  if (!command.out.empty()) outputs.emplace_back("-o", command.out);
  if (!command.page.empty()) outputs.emplace_back("--page", command.page);
  if (const int exitCode = checkOutputs(outputs, {command.robot, command.spheres}); exitCode != Ok)
    return exitCode;
  const auto robot = readAudited(command);
  if (!robot) return complain(robot.error(), BadModelOrScene);
  if (const int exitCode =
          checkOutputs(outputs, namedFiles(*robot, command.robot, command.reading));
      exitCode != Ok)
    return exitCode;
  const auto sets = readSphereSets(command.spheres, command.reading.packageFolders);
  if (!sets) return complain(sets.error(), BadModelOrScene);
  if (const int exitCode = checkOutputs(outputs, sets->named); exitCode != Ok) return exitCode;
  for (const auto* remarks : {&robot->remarks, &sets->remarks})
    for (const std::string& remark : *remarks) complain(remark);
  const auto links = auditAll(*robot, *sets);
  if (!links) return complain(links.error(), BadModelOrScene);
  if (links->empty()) {
    complain(fmt::format("no link of \"{}\" has a shape to cover", command.robot.string()));
    return BadModelOrScene;
  }
  warnAboutUnknownLinks(*robot, *sets);
  fmt::print("{}\n", verdictOfAll(*links));
  if (!command.out.empty())
    if (const int fault = write(command.out, auditJson(*robot, *links)); fault != Ok) return fault;
  if (!command.page.empty()) {
    const auto page = auditPage(*robot, *links);
    if (!page) return complain(page.error(), BadModelOrScene);
    if (const int fault = write(command.page, *page); fault != Ok) return fault;
  }
  const bool covered = std::all_of(links->begin(), links->end(),
                                   [](const AuditedLink& each) { return each.audit.covered; });
  return covered ? Ok : ValidationFailed;
}

}  // namespace nearmiss::app::robot
