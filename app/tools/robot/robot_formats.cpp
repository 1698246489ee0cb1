// SPDX-License-Identifier: MIT
#include "tools/robot/robot_formats.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "tools/robot/mjcf/spheres.h"
#include "tools/robot/urdf.h"

namespace nearmiss::app::robot {
namespace {

using RobotJson = nlohmann::ordered_json;

std::string urdfText(const WrittenRobot& written) {
  for (const CoveredLink& each : written.links) replaceCollisions(*each.link, each.spheres);
  return xmlText(*written.robot.document);
}

std::string mjcfText(const WrittenRobot& written) {
  MjcfSpheres writer(written.robot);
  for (const CoveredLink& each : written.links) writer.replace(*each.link, each.spheres);
  return xmlText(*written.robot.document);
}

/// Always quoted, because parsers disagree about plain words.
std::string yamlName(const std::string& name) {
  return RobotJson(name).dump(-1, ' ', false, RobotJson::error_handler_t::replace);
}

/// The spheres of all links as a YAML map, indented by `in` spaces.
std::string yamlSpheres(std::span<const CoveredLink> links, std::size_t in) {
  const std::string spaces(in, ' ');
  std::string text;
  for (const CoveredLink& each : links) {
    text += fmt::format("{}{}:\n", spaces, yamlName(each.link->name));
    for (const Sphere& sphere : each.spheres) {
      const Vec3& c = sphere.centre;
      text +=
          fmt::format("{0}  - center: [{1:.17g}, {2:.17g}, {3:.17g}]\n{0}    radius: {4:.17g}\n",
                      spaces, c.x, c.y, c.z, sphere.radius);
    }
  }
  return text;
}

std::string yamlIgnored(std::span<const IgnoredPair> pairs, std::size_t in) {
  std::map<std::string, std::string> lists;
  for (const IgnoredPair& pair : pairs) {
    std::string& list = lists[pair.a];
    list += fmt::format("{}{}", list.empty() ? "" : ", ", yamlName(pair.b));
  }
  std::string text;
  for (const auto& [link, others] : lists)
    text += fmt::format("{}{}: [{}]\n", std::string(in, ' '), yamlName(link), others);
  return text;
}

std::string curoboText(const WrittenRobot& written) {
  std::string text = "collision_spheres:\n" + yamlSpheres(written.links, 2);
  if (!written.ignored.empty())
    text += "self_collision_ignore:\n" + yamlIgnored(written.ignored, 2);
  return text;
}

std::string xrdfText(const WrittenRobot& written) {
  std::string text =
      "format: xrdf\nformat_version: 1.0\ncollision:\n  geometry: nearmiss\n"
      "self_collision:\n  geometry: nearmiss\n";
  text +=
      written.ignored.empty() ? "  ignore: {}\n" : "  ignore:\n" + yamlIgnored(written.ignored, 4);
  return text + "geometry:\n  nearmiss:\n    spheres:\n" + yamlSpheres(written.links, 6);
}

std::string srdfText(const WrittenRobot& written) {
  tinyxml2::XMLDocument document;
  document.InsertEndChild(document.NewDeclaration());
  tinyxml2::XMLElement* root = document.NewElement("robot");
  root->SetAttribute("name", written.robot.name.c_str());
  document.InsertEndChild(root);
  for (const CoveredLink& each : written.links) {
    tinyxml2::XMLElement* link = root->InsertNewChildElement("link_sphere_approximation");
    link->SetAttribute("link", each.link->name.c_str());
    for (const Sphere& sphere : each.spheres) {
      const Vec3& c = sphere.centre;
      tinyxml2::XMLElement* element = link->InsertNewChildElement("sphere");
      element->SetAttribute("center",
                            fmt::format("{:.17g} {:.17g} {:.17g}", c.x, c.y, c.z).c_str());
      element->SetAttribute("radius", fmt::format("{:.17g}", sphere.radius).c_str());
    }
  }
  for (const IgnoredPair& pair : written.ignored) {
    tinyxml2::XMLElement* element = root->InsertNewChildElement("disable_collisions");
    element->SetAttribute("link1", pair.a.c_str());
    element->SetAttribute("link2", pair.b.c_str());
    element->SetAttribute("reason", pair.reason.empty() ? "User" : pair.reason.c_str());
  }
  return xmlText(document);
}

std::string jsonText(const WrittenRobot& written) {
  RobotJson all = RobotJson::array();
  for (const CoveredLink& each : written.links) {
    RobotJson spheres = RobotJson::array();
    for (const Sphere& sphere : each.spheres)
      spheres.push_back({{"center", {sphere.centre.x, sphere.centre.y, sphere.centre.z}},
                         {"radius", sphere.radius}});
    RobotJson entry{{"name", each.link->name},
                    {"budget", each.budget},
                    {"spheres", std::move(spheres)},
                    {"union_volume", each.volume.whole}};
    if (!each.open && each.volume.solid > 0.0)
      entry["outside_share"] = each.volume.outside / each.volume.solid;
    if (!each.like.empty()) entry["like"] = each.like;
    if (each.left.area > 0.0)
      entry["uncovered"] = {{"share", {each.left.shareAtLeast, each.left.shareAtMost}},
                            {"farthest", {each.left.farthestAtLeast, each.left.farthestAtMost}}};
    all.push_back(std::move(entry));
  }
  const RobotJson whole{{"robot", written.robot.name}, {"links", std::move(all)}};
  return whole.dump(1, ' ', false, RobotJson::error_handler_t::replace) + "\n";
}

std::string srdfBeside(const WrittenRobot& written, const std::filesystem::path&) {
  return srdfText(written);
}

/// The configuration from which cricket generates VAMP's kernels. Without end effectors it takes
/// the last frame of the robot.
std::string cricketText(const WrittenRobot& written, const std::filesystem::path& file) {
  const auto nameWith = [&file](std::string_view extension) {
    return std::filesystem::path(file).replace_extension(extension).filename().string();
  };
  // The name becomes that of a C++ struct
  std::string name;
  for (const char c : written.robot.name) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += safe ? c : '_';
  }
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "Robot_" + name;
  const RobotJson whole{
      {"name", name},
      {"urdf", file.filename().string()},
      {"srdf", nameWith(".srdf")},
      {"resolution", 32},
      {"template", "templates/fk_template.hh"},
      {"subtemplates", {{{"name", "ccfk"}, {"template", "templates/ccfk_template.hh"}}}},
      {"output", name + "_fk.hh"}};
  return whole.dump(1, ' ', false, RobotJson::error_handler_t::replace) + "\n";
}

constexpr std::array<CompanionFile, 2> besideVamp{{{".srdf", srdfBeside}, {".json", cricketText}}};

constexpr std::array<RobotOutput, 8> everyOutput{
    {{"urdf", ".urdf", urdfText, RobotFormat::Urdf, false, {}},
     {"mjcf", ".xml", mjcfText, RobotFormat::Mjcf, false, {}},
     {"curobo", ".yml", curoboText, {}, true, {}},
     {"xrdf", ".xrdf", xrdfText, {}, true, {}},
     {"srdf", ".srdf", srdfText, {}, true, {}},
     {"json", ".json", jsonText, {}, false, {}},
     {"foam", ".urdf", urdfText, RobotFormat::Urdf, false, {}},
     {"vamp", ".urdf", urdfText, RobotFormat::Urdf, true, besideVamp}}};

}  // namespace

std::span<const RobotOutput> robotOutputs() noexcept { return everyOutput; }

const RobotOutput* outputFor(const RobotFile& robot, std::string_view name) {
  for (const RobotOutput& each : everyOutput)
    if (name.empty() ? each.of == robot.format : each.name == name)
      return each.of && each.of != robot.format ? nullptr : &each;
  return nullptr;
}

std::filesystem::path companionOf(const std::filesystem::path& file,
                                  const CompanionFile& companion) {
  return std::filesystem::path(file).replace_extension(companion.extension);
}

}  // namespace nearmiss::app::robot
