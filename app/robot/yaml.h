// SPDX-License-Identifier: MIT
/// YAML of robots, as the values that JSON has.
#pragma once

#include <nearmiss/result.h>

#include <nlohmann/json.hpp>
#include <string>

namespace nearmiss::app::robot {

/// Plain words that are finite numbers become numbers, `null` and `~` nothing, all others strings.
/// Aliases are followed. Errors: BadFormat, with the line at fault, also for more than 32 levels or
/// four million values.
[[nodiscard]] Result<nlohmann::ordered_json> parseYaml(const std::string& text);

}  // namespace nearmiss::app::robot
