// SPDX-License-Identifier: MIT
#include "tools/robot/named_files.h"

#include <tinyxml2.h>

#include <set>
#include <string>
#include <utility>

namespace nearmiss::app::robot {
namespace {

using Paths = std::set<std::filesystem::path>;

/// Collects the values of an attribute in all elements below `parent`.
void gather(const tinyxml2::XMLElement& parent, const char* attribute,
            std::set<std::string>& names) {
  for (const tinyxml2::XMLElement* each = parent.FirstChildElement(); each;
       each = each->NextSiblingElement()) {
    if (const char* name = each->Attribute(attribute)) names.insert(name);
    gather(*each, attribute, names);
  }
}

void resolveUrdf(const std::set<std::string>& names, const std::filesystem::path& file,
                 const RobotReading& reading, Paths& paths) {
  for (const std::string& name : names)
    if (auto found = resolveMesh(name, file, reading)) paths.insert(*std::move(found));
}

/// Resolves names in every folder that <compiler> sets, for all kinds of files.
void resolveMjcf(const tinyxml2::XMLElement& root, const std::set<std::string>& names,
                 const std::filesystem::path& file, Paths& paths) {
  std::set<std::string> folders{""};
  for (const char* kind : {"meshdir", "assetdir", "texturedir"}) {
    // A later section overrides earlier ones
    const char* folder = nullptr;
    for (const tinyxml2::XMLElement* each = root.FirstChildElement("compiler"); each;
         each = each->NextSiblingElement("compiler"))
      if (const char* named = each->Attribute(kind)) folder = named;
    if (folder) folders.insert(folder);
  }
  for (const std::string& name : names)
    for (const std::string& folder : folders) {
      const std::filesystem::path whole = file.parent_path() / folder;
      paths.insert(whole / name);
      // As with `strippath`
      paths.insert(whole / std::filesystem::path(name).filename());
    }
}

}  // namespace

std::vector<std::filesystem::path> namedFiles(const RobotFile& robot,
                                              const std::filesystem::path& file,
                                              const RobotReading& reading) {
  Paths paths(robot.included.begin(), robot.included.end());
  if (robot.document && robot.document->RootElement()) {
    const tinyxml2::XMLElement& root = *robot.document->RootElement();
    std::set<std::string> names;
    gather(root, robot.format == RobotFormat::Urdf ? "filename" : "file", names);
    if (robot.format == RobotFormat::Urdf)
      resolveUrdf(names, file, reading, paths);
    else
      resolveMjcf(root, names, file, paths);
  } else {
    for (const RobotLink& link : robot.links)
      for (const LinkShape& shape : link.shapes) paths.insert(shape.file);
  }
  return {paths.begin(), paths.end()};
}

}  // namespace nearmiss::app::robot
