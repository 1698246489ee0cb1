// SPDX-License-Identifier: MIT

#include "files/mesh_file_builder.h"
#include "files/mesh_formats.h"
#include "files/text_words.h"

namespace nearmiss::files {
namespace {

/// What the word before the counts says about the vertices: `OFF`, preceded by letters for
/// additional numbers of each vertex.
struct OffKind {
  bool normals = false;
};

/// Reads the optional word and the counts of vertices and faces. The count of edges may be missing.
Result<std::array<std::size_t, 2>> readHead(TextWords& words, OffKind& kind) {
  std::string_view word = words.anyWord();
  if (word.ends_with("OFF")) {
    for (const char letter : word.substr(0, word.size() - 3)) {
      kind.normals = kind.normals || letter == 'N';
      if (letter == '4' || letter == 'n')
        return Error{ErrorCode::Unsupported, filled("\"{}\" has vertices of four dimensions "
                                                    "or more; only three are read",
                                                    word)};
    }
    word = words.anyWord();
  }
  if (lowerCase(word) == "binary")
    return Error{ErrorCode::Unsupported, "it is a binary OFF file; only text is read"};
  std::array<std::size_t, 2> counts{};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto count = integerOf<std::size_t>(word);
    if (!count) return faultAt(words.line(), noNumber(word));
    counts[i] = *count;
    if (i == 0) word = words.anyWord();
  }
  return counts;
}

Result<Success> readFace(TextWords& words, std::vector<std::uint32_t>& corners,
                         MeshFileBuilder& builder) {
  const std::string_view word = words.word();
  const auto count = integerOf<std::size_t>(word);
  if (!count) return faultAt(words.line(), noNumber(word));
  corners.clear();
  for (std::size_t i = 0; i < *count; ++i) {
    const std::string_view corner = words.word();
    const auto index = integerOf<std::int64_t>(corner);
    if (!index) return faultAt(words.line(), noNumber(corner));
    if (*index < 0 || *index >= static_cast<std::int64_t>(builder.vertexCount()))
      return faultAt(words.line(), filled("index out of range: vertex {}, where there are {}",
                                          *index, builder.vertexCount()));
    corners.push_back(static_cast<std::uint32_t>(*index));
  }
  // Colours may follow
  return builder.addPolygon(corners);
}

}  // namespace

Result<MeshFile> readOff(std::string_view bytes, const MeshFileLimits& limits) {
  TextWords words(bytes);
  OffKind kind;
  const auto counts = readHead(words, kind);
  if (!counts) return counts.error();
  const auto endsEarly = [&](std::size_t read, std::string_view what, std::size_t announced) {
    return faultAt(words.line(),
                   filled("it announces {} {} but ends after {}", announced, what, read));
  };

  MeshFileBuilder builder(limits.maxTriangles);
  for (std::size_t v = 0; v < (*counts)[0]; ++v) {
    if (!words.nextLine()) return endsEarly(v, "vertices", (*counts)[0]);
    const auto point = readPoint(words);
    if (!point) return point.error();
    const auto normal = kind.normals ? readPoint(words) : Result<Vec3>(Vec3(0.0));
    if (!normal) return normal.error();
    const auto added = builder.addVertex(*point, *normal);
    if (!added) return added.error();
  }
  std::vector<std::uint32_t> corners;
  for (std::size_t f = 0; f < (*counts)[1]; ++f) {
    if (!words.nextLine()) return endsEarly(f, "faces", (*counts)[1]);
    if (const auto face = readFace(words, corners, builder); !face) return face.error();
  }
  if (words.nextLine())
    builder.note(filled("what follows its {} faces, from line {} on, was left out", (*counts)[1],
                        words.line()));
  return builder.take();
}

}  // namespace nearmiss::files
