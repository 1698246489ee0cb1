// SPDX-License-Identifier: MIT
#include <engine/base/resources.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <string>
#include <system_error>

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

/// Value of the variable; empty if unset. The XDG rules ignore relative values.
fs::path absoluteFromEnvironment(const char* variable) {
  const char* value = std::getenv(variable);
  if (!value || *value == '\0') return {};
  const fs::path path = value;
  return path.is_absolute() ? path : fs::path();
}

bool holdsResources(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "assets" / "models", ignored) ||
         fs::is_directory(folder / "assets" / "scenes", ignored);
}

}  // namespace

std::optional<fs::path> resourceRoot() {
  // The user's setting has priority even if it is wrong: the error message then names it
  if (const char* root = std::getenv("NEARMISS_ROOT"); root && *root != '\0') return fs::path(root);

  // Next to or above the program, at each level also in share/nearmiss
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    fs::path folder = program.parent_path();
    while (true) {
      if (holdsResources(folder)) return folder;
      if (holdsResources(folder / "share" / "nearmiss")) return folder / "share" / "nearmiss";
      if (folder == folder.parent_path()) break;
      folder = folder.parent_path();
    }
  }

  const fs::path working = fs::current_path(failed);
  if (!failed && holdsResources(working)) return working;
  return std::nullopt;
}

fs::path defaultCacheFolder() {
  if (const fs::path cache = absoluteFromEnvironment("XDG_CACHE_HOME"); !cache.empty())
    return cache / "nearmiss";
  if (const fs::path home = absoluteFromEnvironment("HOME"); !home.empty())
    return home / ".cache" / "nearmiss";
  // A private folder: the temporary folder is shared, and another user may own a folder of that
  // name. In that case use an unpredictable name, which is not found again
  std::error_code failed;
  const fs::path temporary = fs::temp_directory_path(failed);
  const fs::path folder =
      (failed ? fs::path("/tmp") : temporary) / ("nearmiss-" + std::to_string(::getuid()));
  struct stat about {};
  const bool present = ::lstat(folder.c_str(), &about) == 0;
  const bool own = S_ISDIR(about.st_mode) && about.st_uid == ::getuid() &&
                   (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (!present || own) return folder;
  return folder.string() + "-" + std::to_string(std::random_device{}());
}

fs::path userSettingsFile() {
  if (const fs::path config = absoluteFromEnvironment("XDG_CONFIG_HOME"); !config.empty())
    return config / "nearmiss" / "config.toml";
  if (const fs::path home = absoluteFromEnvironment("HOME"); !home.empty())
    return home / ".config" / "nearmiss" / "config.toml";
  return {};
}

fs::path userDataFolder() {
  if (const fs::path data = absoluteFromEnvironment("XDG_DATA_HOME"); !data.empty())
    return data / "nearmiss";
  if (const fs::path home = absoluteFromEnvironment("HOME"); !home.empty())
    return home / ".local" / "share" / "nearmiss";
  return {};
}

bool isSameFile(const FilePath& a, const FilePath& b) {
  std::error_code failed;
  return a == b || std::filesystem::equivalent(a, b, failed);
}

}  // namespace nearmiss::engine
