// SPDX-License-Identifier: MIT
#include "model/format/mesh_files.h"

#include <algorithm>
#include <array>

#include "model/format/lower_case.h"

namespace nearmiss::engine {

const MeshFileFormat* meshFileFormat(const std::filesystem::path& file) {
  static constexpr std::array<MeshFileFormat, 4> formats{
      {{".obj", readObj}, {".off", readOff}, {".ply", readPly}, {".stl", readStl}}};
  const std::string extension = lowerCase(file.extension().string());
  const auto* found = std::find_if(formats.begin(), formats.end(), [&](const MeshFileFormat& each) {
    return each.extension == extension;
  });
  return found == formats.end() ? nullptr : found;
}

}  // namespace nearmiss::engine
