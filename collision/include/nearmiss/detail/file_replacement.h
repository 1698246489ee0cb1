// SPDX-License-Identifier: MIT
/// Writes files so that a reader finds the old or the new contents, never a part.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string_view>

namespace nearmiss {

/// Writes `pieces`, one after the other, to a new file next to `file` (its name, `.new-`, the
/// process id and a number), syncs it and renames it to `file`. Keeps the mode of the file and, if
/// permitted, its owner. If `file` is a symbolic link, its target is replaced. Pipes, devices and
/// the like are written in place. On failure `file` is unchanged and no other file remains. Returns
/// 0 or the error number.
[[nodiscard]] int replaceFile(const std::filesystem::path& file,
                              std::initializer_list<std::span<const std::byte>> pieces);

/// Replaces `file` by the end of its chain of symbolic links, whether that exists or not. Returns 0
/// or ELOOP.
[[nodiscard]] int followLinks(std::filesystem::path& file);

/// Returns 0 if replaceFile() would be permitted, else the error number. Changes nothing.
[[nodiscard]] int checkReplacement(const std::filesystem::path& file);

/// Removes leftover temporary files of killed processes from `folder`, for files whose names end in
/// `ending`. Only regular files named by replaceFile() are removed: a minute after the last write
/// if their process is gone, and in any case after a day. replaceFile() does the same for the one
/// file that it replaces.
void removeLeftovers(const std::filesystem::path& folder, std::string_view ending) noexcept;

}  // namespace nearmiss
