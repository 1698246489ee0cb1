// SPDX-License-Identifier: MIT
/// Pairs of links that planners do not check: SRDF, XRDF, cuRobo's YAML.
#pragma once

#include <nearmiss/result.h>

#include <compare>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

struct IgnoredPair {
  std::string a, b;    ///< links, a before b
  std::string reason;  ///< a word such as "Adjacent"; may be empty
  friend auto operator<=>(const IgnoredPair&, const IgnoredPair&) = default;
};

/// Makes a pair with the names in order.
[[nodiscard]] IgnoredPair ignoredPair(std::string a, std::string b, std::string reason);

/// Sorts the pairs and keeps the first of duplicates.
void sortIgnored(std::vector<IgnoredPair>& pairs);

struct IgnoredPairs {
  std::vector<IgnoredPair> pairs;  ///< sorted, without duplicates
  /// Links that are checked only in the pairs of `checked`: `disable_default_collisions`. Sorted,
  /// without duplicates.
  std::vector<std::string> alone;
  std::vector<IgnoredPair> checked;  ///< `enable_collisions`, which overrides all others
};

/// Reads `disable_collisions` of an SRDF, `self_collision: ignore:` of an XRDF, or cuRobo's
/// `self_collision_ignore`. Errors: NotFound, Unreadable, TooLarge, BadFormat, with a sentence that
/// names the file and, if possible, the line.
[[nodiscard]] Result<IgnoredPairs> readIgnoredPairs(const std::filesystem::path& file);

/// Removes the pairs that the file enables: `enable_collisions`.
void leaveChecked(const IgnoredPairs& ignored, std::vector<IgnoredPair>& pairs);

/// Maximum number of listed pairs, about 1 GB. A link that is never checked, or a link without
/// shapes between many others, stands for many pairs.
inline constexpr std::size_t maxIgnoredPairs = std::size_t{1} << 22;

/// Returns all ignored pairs among `links`. Errors: TooLarge for more than maxIgnoredPairs.
[[nodiscard]] Result<std::vector<IgnoredPair>> pairsAmong(const IgnoredPairs& ignored,
                                                          std::span<const std::string> links);

/// Returns links that share a joint, directly or through links without shapes; in MJCF, bodies and
/// their parents. Errors: TooLarge for more than maxIgnoredPairs.
[[nodiscard]] Result<std::vector<IgnoredPair>> adjacentPairs(const RobotFile& robot);

}  // namespace nearmiss::app::robot
