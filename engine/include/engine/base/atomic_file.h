// SPDX-License-Identifier: MIT
/// Atomic file writes: a reader sees either the old or the new contents.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Writes a file with replaceFile() of nearmiss/detail/file_replacement.h, which preserves links,
/// modes, pipes and devices. Errors: Unreadable.
Result<Success> writeWhole(const std::filesystem::path& file, std::string_view contents);

/// Checks that `file` can be written, before its contents are computed. Changes nothing. Errors:
/// Unreadable, with the reason.
Result<Success> checkWritable(const std::filesystem::path& file);

/// Makes the error `cannot write "x": No space left on device`.
[[nodiscard]] Error cannotWrite(const std::filesystem::path& file, int errorNumber);

/// Writes all of `contents`. Returns 0 or the error number.
[[nodiscard]] int writeFully(int descriptor, std::string_view contents) noexcept;

}  // namespace nearmiss::engine
