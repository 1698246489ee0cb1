// SPDX-License-Identifier: MIT
#include "robot/robot_command.h"

#include <engine/record/atomic_file.h>
#include <fmt/format.h>
#include <tinyxml2.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "console/printable.h"
#include "option_checks.h"
#include "robot/link_spheres.h"
#include "robot/mjcf/spheres.h"
#include "robot/robot_file.h"
#include "robot/urdf.h"
#include "tree/sphere_formats.h"
#include "tree/spheres_command.h"

namespace nearmiss::app::robot {
namespace {

using RobotJson = nlohmann::ordered_json;

/// The spheres of each link that has shapes, in the order of the links.
using FittedLinks = std::vector<std::pair<const RobotLink*, LinkSpheres>>;

std::string urdfText(const RobotFile& robot, const FittedLinks& links) {
  for (const auto& [link, fitted] : links) replaceCollisions(*link, fitted.spheres);
  return xmlText(*robot.document);
}

std::string mjcfText(const RobotFile& robot, const FittedLinks& links) {
  MjcfSpheres writer(robot);
  for (const auto& [link, fitted] : links) writer.replace(*link, fitted.spheres);
  return xmlText(*robot.document);
}

std::string curoboText(const RobotFile&, const FittedLinks& links) {
  std::string text = "collision_spheres:\n";
  for (const auto& [link, fitted] : links) {
    // A planner looks links up by their names: those that YAML could misread are quoted
    const bool plain = tree::plainName(link->name) == link->name;
    const std::string quoted =
        RobotJson(link->name).dump(-1, ' ', false, RobotJson::error_handler_t::replace);
    text += fmt::format("  {}:\n", plain ? link->name : quoted);
    for (const Sphere& sphere : fitted.spheres) text += tree::curoboEntry(sphere);
  }
  return text;
}

std::string jsonText(const RobotFile& robot, const FittedLinks& links) {
  RobotJson all = RobotJson::array();
  for (const auto& [link, fitted] : links) {
    RobotJson spheres = RobotJson::array();
    for (const Sphere& each : fitted.spheres)
      spheres.push_back(
          {{"center", {each.centre.x, each.centre.y, each.centre.z}}, {"radius", each.radius}});
    RobotJson entry{{"name", link->name}, {"spheres", std::move(spheres)}};
    if (fitted.outsideShare >= 0.0) entry["outside_share"] = fitted.outsideShare;
    all.push_back(std::move(entry));
  }
  const RobotJson whole{{"robot", robot.name}, {"links", std::move(all)}};
  return whole.dump(1, ' ', false, RobotJson::error_handler_t::replace) + "\n";
}

struct SpheresFormat {
  std::string_view name;
  std::string (*write)(const RobotFile& robot, const FittedLinks& links);
  std::optional<RobotFormat> of;  ///< the one that it is the same file as
};
constexpr std::array<SpheresFormat, 4> formats{{{"urdf", urdfText, RobotFormat::Urdf},
                                                {"mjcf", mjcfText, RobotFormat::Mjcf},
                                                {"curobo", curoboText, {}},
                                                {"json", jsonText, {}}}};

/// The one asked for, or that of the robot's own file; null if that cannot be.
const SpheresFormat* formatFor(const RobotFile& robot, const std::string& name) {
  for (const SpheresFormat& each : formats)
    if (name.empty() ? each.of == robot.format : each.name == name)
      return each.of && each.of != robot.format ? nullptr : &each;
  return nullptr;
}

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
    fmt::print("{:<32} {:>5} spheres{}\n", printable(link.name), fitted->spheres.size(),
               fitted->outsideShare < 0.0
                   ? ", no part of it is closed"
                   : fmt::format(", outside of it {:.3g} of its volume", fitted->outsideShare));
    links.emplace_back(&link, *std::move(fitted));
  }
  return links;
}

bool hasShapes(const RobotFile& robot) {
  return std::any_of(robot.links.begin(), robot.links.end(),
                     [](const RobotLink& link) { return !link.shapes.empty(); });
}

std::string sentenceWithoutShapes(const RobotFile& robot, const RobotCommand& command) {
  if (robot.format == RobotFormat::Mjcf)
    return fmt::format(
        "no body of \"{}\" has a geom{}", command.file.string(),
        command.reading.visualToo ? "" : " that collides; --visual takes the others");
  return fmt::format("no link of \"{}\" has a <collision>{}", command.file.string(),
                     command.reading.visualToo ? " or <visual>" : "; --visual takes <visual>");
}

}  // namespace

void addRobotCommand(CLI::App& app, RobotCommand& command) {
  CLI::App* robot = app.add_subcommand("robot", std::string(robotSummary));
  robot->add_option("FILE", command.file, "a URDF, or an MJCF file of MuJoCo")->required();
  robot->add_option("-o,--out", command.out, "the file to write")->required();
  robot
      ->add_option("--format", command.format,
                   "urdf or mjcf: the same file with spheres to collide with, the default; "
                   "curobo: YAML collision_spheres; json")
      ->check(oneOf(namesOf(formats), "NAME"));
  tree::addFlatSetOptions(*robot, command.settings,
                          "at most N spheres per link; fewer if more would not help");
  robot->add_flag("--visual", command.reading.visualToo,
                  "use the visual shapes of links without collision shapes");
  robot->add_option("--packages", command.reading.packageFolders,
                    "folders with the packages of package:// names");
}

int writeRobot(const RobotCommand& command) {
  if (const int exitCode = checkOutputs({{"-o", command.out}}); exitCode != Ok) return exitCode;
  const auto robot = readRobot(command.file, command.reading);
  if (!robot) return complain(robot.error(), BadModelOrScene);
  const SpheresFormat* format = formatFor(*robot, command.format);
  if (!format) {
    complain(fmt::format("\"{}\" cannot be written as {}: it is no {}", command.file.string(),
                         command.format, command.format == "urdf" ? "URDF" : "MJCF"));
    return Usage;
  }
  for (const std::string& remark : robot->remarks) complain(remark);
  if (!hasShapes(*robot)) {
    complain(sentenceWithoutShapes(*robot, command));
    return BadModelOrScene;
  }
  watchForInterrupts();
  const auto links = fitLinks(*robot, tree::withWorkers(command.settings));
  if (!links) return complain(links.error(), BadModelOrScene);
  if (const auto kept = engine::writeWhole(command.out, format->write(*robot, *links)); !kept)
    return complain(kept.error(), Environment);
  std::size_t spheres = 0;
  for (const auto& [link, fitted] : *links) spheres += fitted.spheres.size();
  fmt::print("{} spheres on {} of {} links, in the unit of the file\nwritten to {}\n", spheres,
             links->size(), robot->links.size(), command.out.string());
  return Ok;
}

}  // namespace nearmiss::app::robot
