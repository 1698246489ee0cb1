// SPDX-License-Identifier: MIT
#include "robot/robot_command.h"

#include <engine/record/atomic_file.h>
#include <fmt/format.h>
#include <tinyxml2.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "option_checks.h"
#include "robot/link_spheres.h"
#include "robot/urdf.h"
#include "tree/sphere_formats.h"
#include "tree/spheres_command.h"

namespace nearmiss::app {
namespace {

using Json = nlohmann::ordered_json;

/// The spheres of each link that has shapes, in the order of the links.
using FittedLinks = std::vector<std::pair<const RobotLink*, LinkSpheres>>;

std::string urdfText(const RobotFile& robot, const FittedLinks& links) {
  for (const auto& [link, fitted] : links) replaceCollisions(*link, fitted.spheres);
  return xmlOf(robot);
}

std::string curoboText(const RobotFile&, const FittedLinks& links) {
  std::string text = "collision_spheres:\n";
  for (const auto& [link, fitted] : links) {
    // A planner looks links up by their names: those that YAML could misread are quoted
    const bool plain = plainName(link->name) == link->name;
    const std::string quoted =
        Json(link->name).dump(-1, ' ', false, Json::error_handler_t::replace);
    text += fmt::format("  {}:\n", plain ? link->name : quoted);
    for (const Sphere& sphere : fitted.spheres) text += curoboEntry(sphere);
  }
  return text;
}

std::string jsonText(const RobotFile& robot, const FittedLinks& links) {
  Json all = Json::array();
  for (const auto& [link, fitted] : links) {
    Json spheres = Json::array();
    for (const Sphere& each : fitted.spheres)
      spheres.push_back(
          {{"center", {each.centre.x, each.centre.y, each.centre.z}}, {"radius", each.radius}});
    Json entry{{"name", link->name}, {"spheres", std::move(spheres)}};
    if (fitted.outsideShare >= 0.0) entry["outside_share"] = fitted.outsideShare;
    all.push_back(std::move(entry));
  }
  const Json whole{{"robot", robot.name}, {"links", std::move(all)}};
  return whole.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

struct RobotFormat {
  std::string_view name;
  std::string (*write)(const RobotFile& robot, const FittedLinks& links);
};
constexpr std::array<RobotFormat, 3> formats{
    {{"urdf", urdfText}, {"curobo", curoboText}, {"json", jsonText}}};

/// Prints what each link got as it is done.
Result<FittedLinks> fitLinks(const RobotFile& robot, const FlatSetSettings& settings) {
  FittedLinks links;
  for (const RobotLink& link : robot.links) {
    if (link.shapes.empty()) continue;
    auto fitted = spheresOfLink(link, settings);
    if (!fitted)
      return Error{fitted.error().code,
                   fmt::format("link \"{}\": {}", link.name, fitted.error().message)};
    for (const std::string& warning : fitted->warnings) complain(warning);
    fmt::print("{:<32} {:>5} spheres{}\n", link.name, fitted->spheres.size(),
               fitted->outsideShare < 0.0
                   ? ", no part of it is closed"
                   : fmt::format(", outside of it {:.3g} of its volume", fitted->outsideShare));
    links.emplace_back(&link, *std::move(fitted));
  }
  return links;
}

}  // namespace

void addRobotCommand(CLI::App& app, RobotCommand& command) {
  CLI::App* robot = app.add_subcommand("robot", std::string(robotSummary));
  robot->add_option("FILE", command.file, "a URDF")->required();
  robot->add_option("-o,--out", command.out, "the file to write")->required();
  robot
      ->add_option("--format", command.format,
                   "urdf: the same file with spheres to collide with; curobo: YAML "
                   "collision_spheres; json")
      ->check(oneOf(namesOf(formats), "NAME"))
      ->capture_default_str();
  addFlatSetOptions(*robot, command.settings,
                    "spheres of a link at most; fewer where the search has no use for more");
  robot->add_flag("--visual", command.reading.visualToo,
                  "for links without <collision> take what they look like");
  robot->add_option("--packages", command.reading.packageFolders,
                    "folders that hold the packages of package:// names");
}

int writeRobot(const RobotCommand& command) {
  if (const int exitCode = checkOutputs({{"-o", command.out}}); exitCode != Ok) return exitCode;
  const auto robot = readRobot(command.file, command.reading);
  if (!robot) return complain(robot.error(), BadModelOrScene);
  const bool hasShapes = std::any_of(robot->links.begin(), robot->links.end(),
                                     [](const RobotLink& link) { return !link.shapes.empty(); });
  if (!hasShapes) {
    complain(fmt::format("no link of \"{}\" has a <collision>{}", command.file.string(),
                         command.reading.visualToo ? " or <visual>" : "; --visual takes <visual>"));
    return BadModelOrScene;
  }
  watchForInterrupts();
  const auto links = fitLinks(*robot, withWorkers(command.settings));
  if (!links) return complain(links.error(), BadModelOrScene);
  const auto format = std::find_if(formats.begin(), formats.end(), [&](const RobotFormat& each) {
    return each.name == command.format;
  });
  if (const auto kept = engine::writeWhole(command.out, format->write(*robot, *links)); !kept)
    return complain(kept.error(), Environment);
  std::size_t spheres = 0;
  for (const auto& [link, fitted] : *links) spheres += fitted.spheres.size();
  fmt::print("{} spheres on {} of {} links, in the unit of the file\nwritten to {}\n", spheres,
             links->size(), robot->links.size(), command.out.string());
  return Ok;
}

}  // namespace nearmiss::app
