// SPDX-License-Identifier: MIT
/// Calls between the project's programs. They are searched like git's commands.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

/// Searches next to this program, then in ../libexec/nearmiss, then in PATH; `nullopt` if not
/// found.
[[nodiscard]] std::optional<std::filesystem::path> findProgram(std::string_view name);

/// Replaces this process by the program, including signals and exit code. Returns only on failure.
[[nodiscard]] Error becomeProgram(const std::filesystem::path& file,
                                  std::vector<std::string> words);

enum class ChildOutput { Shown, Dropped };

/// Runs the program to its end. Returns its exit code, or 128 plus the signal that ended it.
/// Errors: Unreadable if it cannot be started or its status is unavailable.
[[nodiscard]] Result<int> runChild(const std::filesystem::path& file,
                                   std::vector<std::string> words, ChildOutput output);

}  // namespace nearmiss::app
