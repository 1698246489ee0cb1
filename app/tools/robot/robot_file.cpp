// SPDX-License-Identifier: MIT
#include <engine/scene/utf8.h>
#include <fmt/format.h>
#include <nearmiss/detail/file_bytes.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/robot/mjcf/bodies.h"
#include "tools/robot/robot_file.h"
#include "tools/robot/urdf.h"

namespace nearmiss::app::robot {
namespace {

/// Searches in a folder of packages, or in the package itself.
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
  std::filesystem::path found;
  for (const std::filesystem::path& folder : folders) {
    if (isFileThere(folder / package / rest)) return folder / package / rest;
    const bool isPackage = folder.filename() == package;
    if (isPackage && isFileThere(folder / rest)) return folder / rest;
    if (found.empty() && std::filesystem::is_directory(folder / package, failed))
      found = folder / package;
    if (found.empty() && isPackage && std::filesystem::is_directory(folder, failed)) found = folder;
  }
  if (!found.empty())
    return Error{ErrorCode::NotFound,
                 fmt::format("\"{}\" names the mesh \"{}\": the package \"{}\" is the folder "
                             "\"{}\", and that has no file \"{}\"",
                             robot.string(), named, package, found.string(), rest)};
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

namespace {

/// Checks the names of links, which other programs use to find them.
Result<RobotFile> withSoundNames(RobotFile robot, const std::filesystem::path& file) {
  const auto refuse = [&file](std::string_view whose, std::string_view name,
                              std::string_view fault) {
    std::string shown(name);
    for (char& c : shown)
      if (c < ' ' || c > '~') c = '?';
    return Error{ErrorCode::BadFormat, fmt::format("\"{}\": the name of {}, \"{}\", {}",
                                                   file.string(), whose, shown, fault)};
  };
  if (const auto fault = xmlNameFault(robot.name); !fault.empty())
    return refuse("the robot", robot.name, fault);
  for (const RobotLink& link : robot.links)
    if (const auto fault = xmlNameFault(link.name); !fault.empty())
      return refuse("a link", link.name, fault);
  return robot;
}

}  // namespace

Result<RobotFile> readRobot(const std::filesystem::path& file, const RobotReading& reading) {
  auto document = readXml(file);
  if (!document) return document.error();
  return readRobot(*std::move(document), file, reading);
}

Result<RobotFile> readRobot(std::unique_ptr<tinyxml2::XMLDocument> document,
                            const std::filesystem::path& file, const RobotReading& reading) {
  RobotFile robot;
  robot.document = std::move(document);
  tinyxml2::XMLElement* root = robot.document->RootElement();
  const std::string kind = root ? root->Name() : "";
  // Used if the file has no name; may be invalid in XML
  robot.name = file.stem().string();
  if (!xmlNameFault(robot.name).empty()) robot.name = "robot";
  if (kind == "mujoco") robot.format = RobotFormat::Mjcf;
  if (kind != "mujoco" && kind != "robot")
    return Error{
        ErrorCode::BadFormat,
        fmt::format("\"{}\" is neither URDF nor MJCF: its root is <{}>, not <robot> or <mujoco>",
                    file.string(), kind)};
  auto read = robot.format == RobotFormat::Mjcf ? readMjcf(std::move(robot), file, reading)
                                                : readUrdf(std::move(robot), file, reading);
  if (!read) return read;
  return withSoundNames(*std::move(read), file);
}

namespace {

constexpr std::uintmax_t maxBytes = std::uintmax_t{64} << 20;

}  // namespace

Result<std::string> readTextFile(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed))
    return Error{ErrorCode::NotFound, fmt::format("there is no file \"{}\"", file.string())};
  if (!isFileThere(file))
    return Error{ErrorCode::Unreadable, fmt::format("\"{}\" is no file", file.string())};
  if (std::filesystem::file_size(file, failed) > maxBytes)
    return Error{ErrorCode::TooLarge,
                 fmt::format("\"{}\" is larger than {} MiB", file.string(), maxBytes >> 20)};
  std::string text;
  if (const int error = readFile(file, maxBytes, text))
    return Error{ErrorCode::Unreadable, fmt::format("cannot read \"{}\" ({}).", file.string(),
                                                    std::generic_category().message(error))};
  constexpr std::string_view mark = "\xef\xbb\xbf";
  while (text.starts_with(mark)) text.erase(0, mark.size());
  return text;
}

Result<std::unique_ptr<tinyxml2::XMLDocument>> readXml(const std::filesystem::path& file) {
  const auto text = readTextFile(file);
  if (!text) return text.error();
  return parseXml(*text, file);
}

Result<std::unique_ptr<tinyxml2::XMLDocument>> parseXml(const std::string& text,
                                                        const std::filesystem::path& file) {
  auto document = std::make_unique<tinyxml2::XMLDocument>();
  if (document->Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    return Error{ErrorCode::BadFormat, fmt::format("\"{}\" is not valid XML: line {}",
                                                   file.string(), document->ErrorLineNum())};
  return document;
}

std::string_view xmlNameFault(std::string_view name) noexcept {
  while (!name.empty()) {
    const auto code = engine::takeUtf8(name);
    if (!code) return "is not UTF-8";
    const bool control = *code < ' ' && *code != '\t' && *code != '\n' && *code != '\r';
    if (control || *code == 0xfffe || *code == 0xffff) return "holds a character that XML forbids";
  }
  return {};
}

std::string xmlText(const tinyxml2::XMLDocument& document) {
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

std::optional<std::vector<Real>> numbersIn(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  std::vector<Real> numbers;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
    if (text.empty()) return numbers;
    std::string_view word = text.substr(0, text.find_first_of(spaces));
    text.remove_prefix(word.size());
    // from_chars() rejects a plus sign
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    Real number = 0.0;
    const char* last = word.data() + word.size();
    const auto [end, fault] = std::from_chars(word.data(), last, number);
    if (fault != std::errc() || end != last || !std::isfinite(number)) return {};
    numbers.push_back(number);
  }
}

bool isFileThere(const std::filesystem::path& file) {
  std::error_code failed;
  return std::filesystem::is_regular_file(file, failed);
}

}  // namespace nearmiss::app::robot
