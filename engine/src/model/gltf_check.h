// SPDX-License-Identifier: MIT
/// Checks the declarations of a glTF file before it is read. Readers trust its counts, allocate or
/// loop by them, and ignore what they do not know.
#pragma once

#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Independent of the locale.
[[nodiscard]] inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// Returns half a sentence on what is wrong with the head of a glTF file; `nullopt` if it is valid
/// or of another format. BadFormat: a count or length that exceeds the data. Unsupported: a
/// required extension that is not implemented, or positions that are not three floats. Reads only
/// the necessary parts of the file. May throw exceptions of the standard library.
[[nodiscard]] std::optional<Error> gltfFault(const std::filesystem::path& file);

/// Returns the number of triangles that a glTF file declares, each mesh counted once; `nullopt` for
/// other formats.
[[nodiscard]] std::optional<std::uint64_t> declaredTriangles(const std::filesystem::path& file);

}  // namespace nearmiss::engine
