// SPDX-License-Identifier: MIT
/// The project's programs call each other, found as git finds its commands.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

/// Beside this program, then in ../libexec/nearmiss, then in PATH; nothing if it is in none of
/// them.
[[nodiscard]] std::optional<std::filesystem::path> findProgram(std::string_view name);

/// Becomes the program, so that signals and the exit code are its own. Returns only if it cannot.
[[nodiscard]] Error becomeProgram(const std::filesystem::path& file,
                                  std::vector<std::string> words);

enum class ChildOutput { Shown, Dropped };

/// Runs the program to its end. Returns its exit code; 128 and more where a signal ended it.
/// Errors: Unreadable, if it cannot be started, or nobody can tell how it ended.
[[nodiscard]] Result<int> runChild(const std::filesystem::path& file,
                                   std::vector<std::string> words, ChildOutput output);

}  // namespace nearmiss::app
