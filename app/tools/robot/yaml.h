// SPDX-License-Identifier: MIT
/// Parses YAML of robots to JSON values.
#pragma once

#include <nearmiss/result.h>

#include <nlohmann/json.hpp>
#include <string>

namespace nearmiss::app::robot {

/// Plain scalars that are finite numbers become numbers, `null` and `~` null, all others strings.
/// Resolves aliases. Errors: BadFormat with the line, also for more than 32 levels or four million
/// values.
[[nodiscard]] Result<nlohmann::ordered_json> parseYaml(const std::string& text);

}  // namespace nearmiss::app::robot
