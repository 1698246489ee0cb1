// SPDX-License-Identifier: MIT
/// Reads a whole file. Standard streams throw if a disk or a server fails during reading; this
/// returns an error instead.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace nearmiss {

/// Reads `file` to its end into `bytes`. Returns 0 or the error number; EFBIG if it has more than
/// `most` bytes, regardless of its announced size.
[[nodiscard]] int readFile(const std::filesystem::path& file, std::uintmax_t most,
                           std::string& bytes);

}  // namespace nearmiss
