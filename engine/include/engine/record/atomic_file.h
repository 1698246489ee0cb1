// SPDX-License-Identifier: MIT
/// Writing a file so that a reader finds the old contents or the new, never a part.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// By replaceFile() of nearmiss/detail/file_replacement.h: links, modes, pipes and devices stay
/// what they are. Errors: Unreadable.
Result<Success> writeWhole(const std::filesystem::path& file, std::string_view contents);

/// Checks that `file` can be written, before the work whose result it is. Changes
/// nothing. Errors: Unreadable, with the reason.
Result<Success> checkWritable(const std::filesystem::path& file);

/// `cannot write "x": No space left on device`.
[[nodiscard]] Error cannotWrite(const std::filesystem::path& file, int errorNumber);

/// Writes all of `contents`; 0, or the error number.
[[nodiscard]] int writeFully(int descriptor, std::string_view contents) noexcept;

}  // namespace nearmiss::engine
