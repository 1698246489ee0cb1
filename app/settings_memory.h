// SPDX-License-Identifier: MIT
/// Where the window remembers what was chosen in it.
#pragma once

#include <filesystem>

namespace nearmiss::app {

struct SettingsMemory {
  /// Empty: the user's own file; in unattended runs, none.
  std::filesystem::path file;
  bool restoresDefaults = false;  ///< begins with the usual settings, and remembers those
};

}  // namespace nearmiss::app
