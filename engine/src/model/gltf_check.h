// SPDX-License-Identifier: MIT
/// Counts that a glTF file declares, checked against its size: readers trust them, and allocate or
/// loop by them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Whatever the language of the machine.
[[nodiscard]] inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// Half a sentence on the first count or length in the head of a glTF file that its bytes cannot
/// hold; nothing if there is none, or if the file has another format. Reads what it needs of the
/// file, and throws as the standard library does.
[[nodiscard]] std::optional<std::string> impossibleCount(const std::filesystem::path& file);

/// Number of triangles that a glTF file announces, in all meshes together, each once; nothing for
/// other formats.
[[nodiscard]] std::optional<std::uint64_t> declaredTriangles(const std::filesystem::path& file);

}  // namespace nearmiss::engine
