// SPDX-License-Identifier: MIT
/// Writing a file so that a reader finds the old contents or the new, never a part.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Writes to a neighbouring temporary file, syncs and renames it; the neighbour is removed when
/// that fails. What is no regular file (a pipe, a device) is written in place. Errors: Unreadable.
Result<Success> writeWhole(const std::filesystem::path& file, std::string_view contents);

/// `cannot write "x": No space left on device`.
[[nodiscard]] Error cannotWrite(const std::filesystem::path& file, int errorNumber);

/// Writes all of `contents`; 0, or the error number.
[[nodiscard]] int writeFully(int descriptor, std::string_view contents) noexcept;

}  // namespace nearmiss::engine
