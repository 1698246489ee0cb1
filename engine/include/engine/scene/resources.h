// SPDX-License-Identifier: MIT
/// Where the program finds its models, scenes and shaders, and where it keeps what it built.
#pragma once

#include <filesystem>
#include <optional>

namespace nearmiss::engine {

/// The folder that holds assets/ and shaders/: $NEARMISS_ROOT, else beside or above the program
/// (there also in share/nearmiss, where an installation keeps them), else the working folder.
[[nodiscard]] std::optional<std::filesystem::path> resourceRoot();

/// $XDG_CACHE_HOME/nearmiss, else ~/.cache/nearmiss, else a folder under the temporary one.
[[nodiscard]] std::filesystem::path defaultCacheFolder();

/// $XDG_CONFIG_HOME/nearmiss/config.toml, else ~/.config/nearmiss/config.toml; it need not exist.
/// Empty without a home.
[[nodiscard]] std::filesystem::path userSettingsFile();

/// $XDG_DATA_HOME/nearmiss, else ~/.local/share/nearmiss; it need not exist. Empty without a home.
[[nodiscard]] std::filesystem::path userDataFolder();

}  // namespace nearmiss::engine
