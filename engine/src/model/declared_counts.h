// SPDX-License-Identifier: MIT
/// The counts declared in a model file, checked against its size: readers trust them, and allocate
/// or loop by them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace nearmiss::engine {

/// Half a sentence on the first count or length in the head of a glTF file that its bytes cannot
/// hold; nothing if there is none, or if the file has another format. Reads what it needs of the
/// file, and throws as the standard library does.
[[nodiscard]] std::optional<std::string> impossibleCount(const std::filesystem::path& file);

/// How many triangles a glTF file announces, in all meshes together, each once; nothing for other
/// formats.
[[nodiscard]] std::optional<std::uint64_t> declaredTriangles(const std::filesystem::path& file);

}  // namespace nearmiss::engine
