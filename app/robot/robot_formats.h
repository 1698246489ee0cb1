// SPDX-License-Identifier: MIT
/// A robot with spheres in the formats that it is written in.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "robot/robot_file.h"
#include "robot/robot_spheres.h"
#include "robot/semantics/ignored_pairs.h"

namespace nearmiss::app::robot {

/// What is written of a robot. All must outlive this.
struct WrittenRobot {
  const RobotFile& robot;
  std::span<const CoveredLink> links;
  std::span<const IgnoredPair> ignored;  ///< pairs that are not checked against each other
};

struct RobotOutput {
  std::string_view name;
  std::string (*write)(const WrittenRobot& robot);
  std::optional<RobotFormat> of;  ///< the format of robots that it is the same file as
  bool hasIgnored = false;        ///< it says which pairs are ignored
};

[[nodiscard]] std::span<const RobotOutput> robotOutputs() noexcept;

/// The one asked for, or that of the robot's own file; null if that cannot be.
[[nodiscard]] const RobotOutput* outputFor(const RobotFile& robot, std::string_view name);

}  // namespace nearmiss::app::robot
