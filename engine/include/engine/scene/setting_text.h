// SPDX-License-Identifier: MIT
/// Settings of scenes as text: values for records and panels, and a table of all settings.
#pragma once

#include <engine/scene/scene_settings.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nearmiss::engine {

/// Returns the value without quotes: "42", "auto", "50 us", "sphere-tree"; empty for an unset
/// number. Owner: Scene, ShipLimits or DroneGroup.
template <class Owner>
[[nodiscard]] std::string plainText(const Setting<Owner>& setting, const Owner& owner);
/// As above, with four significant digits, for display.
template <class Owner>
[[nodiscard]] std::string briefText(const Setting<Owner>& setting, const Owner& owner);

/// Returns names and values of the settings in record heads, in order.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> headSettings(const Scene& scene);

/// Returns a Markdown table of all settings: table, key, option, values, default, meaning.
[[nodiscard]] std::string sceneSettingsTable();

}  // namespace nearmiss::engine
