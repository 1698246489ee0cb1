// SPDX-License-Identifier: MIT
/// Settings of scenes in words: their values as records and panels show them, and all of them as a
/// table.
#pragma once

#include <engine/scene/scene_settings.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nearmiss::engine {

/// The value without quotes: "42", "auto", "50 us", "sphere-tree"; empty for a number that is not
/// set. Owner: Scene, ShipLimits or DroneGroup.
template <class Owner>
[[nodiscard]] std::string plainText(const Setting<Owner>& setting, const Owner& owner);
/// The same with four digits of a real number, for people.
template <class Owner>
[[nodiscard]] std::string briefText(const Setting<Owner>& setting, const Owner& owner);

/// The settings that the heads of records have: their names there and their values, in order.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> headSettings(const Scene& scene);

/// All settings as a table of Markdown: table and key of scene files, option, values, default,
/// meaning.
[[nodiscard]] std::string sceneSettingsTable();

}  // namespace nearmiss::engine
