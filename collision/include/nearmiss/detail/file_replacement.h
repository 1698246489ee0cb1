// SPDX-License-Identifier: MIT
/// Writing a file so that a reader finds the old contents or the new, never a part.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string_view>

namespace nearmiss {

/// Writes `pieces`, one after the other, to a new file beside `file` (its name, `.new-`, the
/// process id and a number), syncs it and renames it over `file`, which keeps its mode and, where
/// that is allowed, its owner. A symbolic link stays: what it points to is replaced. Pipes, devices
/// and the like are written in place. On failure `file` is as it was and nothing is left beside it.
/// Returns 0, or the error number.
[[nodiscard]] int replaceFile(const std::filesystem::path& file,
                              std::initializer_list<std::span<const std::byte>> pieces);

/// Replaces `file` by the end of a chain of symbolic links, whether something is there or not; 0,
/// or ELOOP.
[[nodiscard]] int followLinks(std::filesystem::path& file);

/// 0 if replaceFile() would be permitted, else the error number. Changes nothing.
[[nodiscard]] int checkReplacement(const std::filesystem::path& file);

/// Removes leftovers of killed processes in `folder` for files whose names end in `ending`: regular
/// files named as replaceFile() names them, a minute after the last write if their process is gone,
/// and in any case after a day. replaceFile() does the same for the one file that it replaces.
void removeLeftovers(const std::filesystem::path& folder, std::string_view ending) noexcept;

}  // namespace nearmiss
