// SPDX-License-Identifier: MIT
/// All bytes of a file. Streams of the standard library throw where a disk or a server fails in the
/// midst of reading; this tells.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace nearmiss {

/// Reads `file` to its end into `bytes`. Returns 0, or the error number: EFBIG where it has more
/// than `most` bytes, however many it announced.
[[nodiscard]] int readFile(const std::filesystem::path& file, std::uintmax_t most,
                           std::string& bytes);

}  // namespace nearmiss
