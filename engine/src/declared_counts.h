// SPDX-License-Identifier: MIT
/// What a model file announces, held against the bytes that are there: readers believe it, and
/// allocate or loop by it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace nearmiss::engine {

/// Half a sentence on the first count or length in the head of a PLY, OFF or glTF file that its
/// bytes cannot hold; nothing if there is none, or if the file is no such file. Reads what it needs
/// of the file, and throws as the standard library does.
[[nodiscard]] std::optional<std::string> impossibleCount(const std::filesystem::path& file);

}  // namespace nearmiss::engine
