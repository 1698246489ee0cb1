// SPDX-License-Identifier: MIT
/// What a glTF file declares, checked before it is read: readers trust its counts, and allocate or
/// loop by them, and pass over what they do not know.
#pragma once

#include <nearmiss/result.h>

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

/// Half a sentence on what is wrong with the head of a glTF file; nothing if all is well, or if the
/// file has another format. BadFormat: a count or length that its bytes cannot hold. Unsupported:
/// an extension that it requires and that is not understood, or positions that are no three floats.
/// Reads what it needs of the file, and throws as the standard library does.
[[nodiscard]] std::optional<Error> gltfFault(const std::filesystem::path& file);

/// Number of triangles that a glTF file announces, in all meshes together, each once; nothing for
/// other formats.
[[nodiscard]] std::optional<std::uint64_t> declaredTriangles(const std::filesystem::path& file);

}  // namespace nearmiss::engine
