// SPDX-License-Identifier: MIT
#include "robot/robot_file.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <string_view>
#include <system_error>
#include <utility>

#include "robot/mjcf/bodies.h"
#include "robot/urdf.h"
#include "robot/xml_file.h"

namespace nearmiss::app {
namespace {

/// In a folder of packages, or in the package itself.
Result<std::filesystem::path> findInPackages(const std::string& named,
                                             const std::filesystem::path& robot,
                                             const RobotReading& reading) {
  const std::string inside = named.substr(std::string_view("package://").size());
  const std::size_t slash = inside.find('/');
  const std::string package = inside.substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : inside.substr(slash + 1);
  std::vector<std::filesystem::path> folders = reading.packageFolders;
  std::error_code failed;
  for (auto folder = std::filesystem::absolute(robot, failed).parent_path();;
       folder = folder.parent_path()) {
    folders.push_back(folder);
    if (folder == folder.parent_path()) break;
  }
  for (const std::filesystem::path& folder : folders) {
    if (isFileThere(folder / package / rest)) return folder / package / rest;
    if (folder.filename() == package && isFileThere(folder / rest)) return folder / rest;
  }
  return Error{ErrorCode::NotFound,
               fmt::format("\"{}\" names the mesh \"{}\", and no folder that it lies in holds the "
                           "package \"{}\" with it; --packages names others",
                           robot.string(), named, package)};
}

}  // namespace

Result<std::filesystem::path> resolveMesh(const std::string& named,
                                          const std::filesystem::path& robot,
                                          const RobotReading& reading) {
  if (named.starts_with("package://")) return findInPackages(named, robot, reading);
  const bool isFile = named.starts_with("file://");
  const std::filesystem::path path =
      isFile ? named.substr(std::string_view("file://").size()) : named;
  const std::filesystem::path found = path.is_absolute() ? path : robot.parent_path() / path;
  if (isFileThere(found)) return found;
  return Error{ErrorCode::NotFound,
               fmt::format("\"{}\" names the mesh \"{}\", and there is no file \"{}\"",
                           robot.string(), named, found.string())};
}

Result<RobotFile> readRobot(const std::filesystem::path& file, const RobotReading& reading) {
  auto document = readXml(file);
  if (!document) return document.error();
  RobotFile robot;
  robot.document = *std::move(document);
  tinyxml2::XMLElement* root = robot.document->RootElement();
  const std::string kind = root ? root->Name() : "";
  if (kind == "mujoco") {
    robot.format = RobotFormat::Mjcf;
    return readMjcf(std::move(robot), file, reading);
  }
  if (kind != "robot")
    return Error{
        ErrorCode::BadFormat,
        fmt::format("\"{}\" is no URDF and no MJCF: its root is <{}>, not <robot> or <mujoco>",
                    file.string(), kind)};
  return readUrdf(std::move(robot), file, reading);
}

}  // namespace nearmiss::app
