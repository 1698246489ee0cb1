// SPDX-License-Identifier: MIT
/// Location of the window's saved settings.
#pragma once

#include <filesystem>

namespace nearmiss::app {

struct SettingsMemory {
  /// Empty: the user's own file, or none for unattended runs.
  std::filesystem::path file;
  bool restoresDefaults = false;  ///< starts with the defaults and saves them
};

}  // namespace nearmiss::app
