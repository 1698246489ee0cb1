// SPDX-License-Identifier: MIT
/// Pairs of links that planners do not check against each other: SRDF, XRDF, cuRobo's YAML.
#pragma once

#include <nearmiss/result.h>

#include <compare>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

struct IgnoredPair {
  std::string a, b;    ///< links, a before b
  std::string reason;  ///< a word, as "Adjacent"; may be empty
  friend auto operator<=>(const IgnoredPair&, const IgnoredPair&) = default;
};

/// With the names in order.
[[nodiscard]] IgnoredPair ignoredPair(std::string a, std::string b, std::string reason);

/// Sorts, and keeps the first of pairs with the same names.
void sortIgnored(std::vector<IgnoredPair>& pairs);

struct IgnoredPairs {
  std::vector<IgnoredPair> pairs;  ///< sorted, each once
  /// Links that are checked against no other one, but for `checked`: `disable_default_collisions`.
  /// Sorted, each once.
  std::vector<std::string> alone;
  std::vector<IgnoredPair> checked;  ///< `enable_collisions`; stronger than all others
};

/// Reads `disable_collisions` of an SRDF, `self_collision: ignore:` of an XRDF, or cuRobo's
/// `self_collision_ignore`. Errors: NotFound, Unreadable, TooLarge, BadFormat, in a sentence that
/// names the file, and the line where there is one.
[[nodiscard]] Result<IgnoredPairs> readIgnoredPairs(const std::filesystem::path& file);

/// Takes away those pairs that the file has checked: `enable_collisions`.
void leaveChecked(const IgnoredPairs& ignored, std::vector<IgnoredPair>& pairs);

/// Pairs that are listed at most, some 1 GB: a link that is checked against no other one, or one
/// without shapes that carries many, stands for pairs with all of them.
inline constexpr std::size_t maxIgnoredPairs = std::size_t{1} << 22;

/// All pairs among `links` that are ignored. Errors: TooLarge for more than maxIgnoredPairs.
[[nodiscard]] Result<std::vector<IgnoredPair>> pairsAmong(const IgnoredPairs& ignored,
                                                          std::span<const std::string> links);

/// Links that share a joint, or the joints of links without shapes between them; in MJCF bodies in
/// each other. Errors: TooLarge for more than maxIgnoredPairs.
[[nodiscard]] Result<std::vector<IgnoredPair>> adjacentPairs(const RobotFile& robot);

}  // namespace nearmiss::app::robot
