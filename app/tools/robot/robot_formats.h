// SPDX-License-Identifier: MIT
/// Output formats of a robot with spheres.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/robot/robot_file.h"
#include "tools/robot/robot_spheres.h"
#include "tools/robot/semantics/ignored_pairs.h"

namespace nearmiss::app::robot {

/// The data to write. All of it must outlive this object.
struct WrittenRobot {
  const RobotFile& robot;
  std::span<const CoveredLink> links;
  std::span<const IgnoredPair> ignored;  ///< pairs that are not checked against each other
};

/// A second file that a format needs, next to the first one.
struct CompanionFile {
  std::string_view extension;
  /// @param file  the first file
  std::string (*write)(const WrittenRobot& robot, const std::filesystem::path& file);
};

struct RobotOutput {
  std::string_view name;
  std::string_view extension;  ///< of a file without a given name
  std::string (*write)(const WrittenRobot& robot);
  std::optional<RobotFormat> of;  ///< the input format for which it rewrites the same file
  bool hasIgnored = false;        ///< contains the ignored pairs
  std::span<const CompanionFile> companions{};
};

/// The companion's name: the first file's, with another extension.
[[nodiscard]] std::filesystem::path companionOf(const std::filesystem::path& file,
                                                const CompanionFile& companion);

[[nodiscard]] std::span<const RobotOutput> robotOutputs() noexcept;

/// Returns the requested format, or that of the robot's file; null if there is none.
[[nodiscard]] const RobotOutput* outputFor(const RobotFile& robot, std::string_view name);

}  // namespace nearmiss::app::robot
