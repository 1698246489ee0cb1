// SPDX-License-Identifier: MIT
/// Locations of models, scenes and shaders, and of cached and user data.
#pragma once

#include <engine/base/file_path.h>

#include <optional>

namespace nearmiss::engine {

/// Returns the folder that holds assets/ and shaders/: $NEARMISS_ROOT, else next to or above the
/// program (also in share/nearmiss there, for installations), else the working folder.
[[nodiscard]] std::optional<FilePath> resourceRoot();

/// Returns true if both names are those of one file.
[[nodiscard]] bool isSameFile(const FilePath& a, const FilePath& b);

/// Returns $XDG_CACHE_HOME/nearmiss, else ~/.cache/nearmiss, else a folder in the temporary folder.
[[nodiscard]] FilePath defaultCacheFolder();

/// Returns $XDG_CONFIG_HOME/nearmiss/config.toml, else ~/.config/nearmiss/config.toml. The file
/// need not exist. Empty if there is no home folder.
[[nodiscard]] FilePath userSettingsFile();

/// Returns $XDG_DATA_HOME/nearmiss, else ~/.local/share/nearmiss. The folder need not exist. Empty
/// if there is no home folder.
[[nodiscard]] FilePath userDataFolder();

}  // namespace nearmiss::engine
