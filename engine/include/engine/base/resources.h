// SPDX-License-Identifier: MIT
/// Locations of models, scenes and shaders, and of cached and user data.
#pragma once

#include <filesystem>
#include <optional>

namespace nearmiss::engine {

/// Returns the folder that holds assets/ and shaders/: $NEARMISS_ROOT, else next to or above the
/// program (also in share/nearmiss there, for installations), else the working folder.
[[nodiscard]] std::optional<std::filesystem::path> resourceRoot();

/// Returns $XDG_CACHE_HOME/nearmiss, else ~/.cache/nearmiss, else a folder in the temporary folder.
[[nodiscard]] std::filesystem::path defaultCacheFolder();

/// Returns $XDG_CONFIG_HOME/nearmiss/config.toml, else ~/.config/nearmiss/config.toml. The file
/// need not exist. Empty if there is no home folder.
[[nodiscard]] std::filesystem::path userSettingsFile();

/// Returns $XDG_DATA_HOME/nearmiss, else ~/.local/share/nearmiss. The folder need not exist. Empty
/// if there is no home folder.
[[nodiscard]] std::filesystem::path userDataFolder();

}  // namespace nearmiss::engine
