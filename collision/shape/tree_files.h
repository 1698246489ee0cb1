// SPDX-License-Identifier: MIT
/// Reads and writes tree files. Files are not trusted, and are replaced atomically.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "spheres/tree_file.h"

namespace nearmiss {

/// Reads the payload of `file`, after validating magic, kind, version, length and checksum.
/// Errors: NotFound, Unreadable, BadFormat, WrongVersion, TooLarge.
[[nodiscard]] Result<std::vector<std::byte>> readTreeContainer(const std::string& file,
                                                               const TreeFileKind& kind);

/// As replaceFile(): if it fails, `file` is unchanged. Errors: Unreadable, TooLarge.
[[nodiscard]] Result<Success> writeTreeContainer(const std::string& file, const TreeFileKind& kind,
                                                 std::span<const std::byte> payload);

}  // namespace nearmiss
