// SPDX-License-Identifier: MIT
/// As much of YAML as files of spheres use: maps and lists by indentation or in brackets, scalars,
/// comments. Anchors, tags and texts of several lines are refused.
#pragma once

#include <nearmiss/result.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace nearmiss::app::robot {

/// As JSON: numbers are numbers, other words are strings. Errors: BadFormat, with the line at
/// fault.
[[nodiscard]] Result<nlohmann::ordered_json> parseYaml(std::string_view text);

}  // namespace nearmiss::app::robot
