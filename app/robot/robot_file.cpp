// SPDX-License-Identifier: MIT
#include "robot/robot_file.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "robot/urdf.h"

namespace nearmiss::app {
namespace {

constexpr std::uintmax_t mostBytes = std::uintmax_t{64} << 20;

Result<std::string> readAll(const std::filesystem::path& file) {
  std::error_code failed;
  const bool regular = std::filesystem::is_regular_file(file, failed);
  if (!std::filesystem::exists(file, failed))
    return Error{ErrorCode::NotFound, fmt::format("there is no file \"{}\"", file.string())};
  if (!regular)
    return Error{ErrorCode::Unreadable, fmt::format("\"{}\" is no file", file.string())};
  if (std::filesystem::file_size(file, failed) > mostBytes)
    return Error{ErrorCode::TooLarge,
                 fmt::format("\"{}\" is larger than {} MiB", file.string(), mostBytes >> 20)};
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream)
    return Error{ErrorCode::Unreadable, fmt::format("cannot read \"{}\"", file.string())};
  return text;
}

bool isThere(const std::filesystem::path& file) {
  std::error_code failed;
  return std::filesystem::is_regular_file(file, failed);
}

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
    if (isThere(folder / package / rest)) return folder / package / rest;
    if (folder.filename() == package && isThere(folder / rest)) return folder / rest;
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
  if (isThere(found)) return found;
  return Error{ErrorCode::NotFound,
               fmt::format("\"{}\" names the mesh \"{}\", and there is no file \"{}\"",
                           robot.string(), named, found.string())};
}

Result<RobotFile> readRobot(const std::filesystem::path& file, const RobotReading& reading) {
  const auto text = readAll(file);
  if (!text) return text.error();
  RobotFile robot;
  robot.document = std::make_unique<tinyxml2::XMLDocument>();
  if (robot.document->Parse(text->data(), text->size()) != tinyxml2::XML_SUCCESS)
    return Error{ErrorCode::BadFormat, fmt::format("\"{}\" is no XML: line {}", file.string(),
                                                   robot.document->ErrorLineNum())};
  tinyxml2::XMLElement* root = robot.document->RootElement();
  const std::string kind = root ? root->Name() : "";
  if (kind == "mujoco")
    return Error{ErrorCode::Unsupported,
                 fmt::format("\"{}\" is MJCF, which is not read; a URDF is", file.string())};
  if (kind != "robot")
    return Error{
        ErrorCode::BadFormat,
        fmt::format("\"{}\" is no URDF: its root is <{}>, not <robot>", file.string(), kind)};
  return readUrdf(std::move(robot), file, reading);
}

}  // namespace nearmiss::app
