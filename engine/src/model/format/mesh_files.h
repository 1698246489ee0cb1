// SPDX-License-Identifier: MIT
/// The formats in which most meshes come, read so that nothing is lost: every coordinate as the
/// double nearest to what the file says, every face, and no fewer than the file announces.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "model/model_assembly.h"

namespace nearmiss::engine {

struct MeshFileFormat {
  std::string_view extension;  ///< lower case, with its point
  /// `bytes`: the whole file. Errors, as half a sentence: BadFormat, Unsupported, TooLarge. A soup
  /// without triangles is none.
  Result<Soup> (*read)(std::string_view bytes, const std::filesystem::path& file,
                       const LoadOptions& options);
};

/// The format of the file by its name, or nothing where another reader is needed.
[[nodiscard]] const MeshFileFormat* meshFileFormat(const std::filesystem::path& file);

Result<Soup> readObj(std::string_view bytes, const std::filesystem::path& file,
                     const LoadOptions& options);
Result<Soup> readPly(std::string_view bytes, const std::filesystem::path& file,
                     const LoadOptions& options);
Result<Soup> readStl(std::string_view bytes, const std::filesystem::path& file,
                     const LoadOptions& options);
Result<Soup> readOff(std::string_view bytes, const std::filesystem::path& file,
                     const LoadOptions& options);

}  // namespace nearmiss::engine
