// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "base/equal_items.h"
#include "files/mesh_file_builder.h"
#include "files/mesh_formats.h"
#include "files/text_words.h"

namespace nearmiss::files {
namespace {

/// The format has no comments.
constexpr TextRules stlRules{.comments = false};
constexpr std::size_t headBytes = 84, triangleBytes = 50, normalBytes = 12, cornerBytes = 12;

Result<Success> addCorners(std::span<const Vec3> corners, MeshFileBuilder& builder,
                           std::vector<std::uint32_t>& indices) {
  indices.clear();
  for (const Vec3& corner : corners) {
    const auto added = builder.addVertex(corner);
    if (!added) return added.error();
    indices.push_back(*added);
  }
  return builder.addPolygon(indices);
}

/// Returns a corner of a binary file; corners are numbered through all triangles. Ignores the
/// normals of triangles, which are redundant.
Vec3 cornerAt(std::string_view bytes, std::size_t corner) noexcept {
  const std::size_t at =
      headBytes + corner / 3 * triangleBytes + normalBytes + corner % 3 * cornerBytes;
  return {littleEndian<float>(bytes, at), littleEndian<float>(bytes, at + 4),
          littleEndian<float>(bytes, at + 8)};
}

Result<MeshFile> readBinary(std::string_view bytes, std::size_t count,
                            const MeshFileLimits& limits) {
  MeshFileBuilder builder(limits.maxTriangles);
  builder.reserve(3 * std::min(count, limits.maxTriangles), std::min(count, limits.maxTriangles));
  std::vector<std::uint32_t> indices;
  for (std::size_t t = 0; t < count; ++t) {
    const std::array<Vec3, 3> corners{cornerAt(bytes, 3 * t), cornerAt(bytes, 3 * t + 1),
                                      cornerAt(bytes, 3 * t + 2)};
    if (const auto added = addCorners(corners, builder, indices); !added) return added.error();
  }
  if (const std::size_t rest = bytes.size() - headBytes - count * triangleBytes; rest > 0)
    builder.note(filled("{} bytes after its {} triangles were left out", rest, count));
  return builder.take();
}

class TextStl {
 public:
  TextStl(std::string_view text, const MeshFileLimits& limits)
      : words_(text, stlRules), builder_(limits.maxTriangles) {}

  Result<MeshFile> run() {
    // Facets may share a line
    bool ended = false;
    for (std::string word = nextWord(); !word.empty(); word = nextWord()) {
      const bool named = word == "solid" || word == "endsolid";
      if (ended && !named && word != "facet") {
        builder_.note(
            filled("what follows its last solid, from line {} on, was left out", words_.line()));
        break;
      }
      ended = word == "endsolid";
      if (!named && word != "facet") return unexpected(word, "\"facet\"");
      if (const auto read = named ? passName() : readFacet(); !read) return read.error();
    }
    return builder_.take();
  }

 private:
  /// Skips comments, which some writers insert, in the same way as names; never skips one that
  /// contains a facet.
  std::string nextWord() {
    std::string word = lowerCase(words_.anyWord());
    while (word.starts_with('#') && passName()) word = lowerCase(words_.anyWord());
    return word;
  }

  /// A name may be anything to the end of its line, but must not hide a facet.
  Result<Success> passName() {
    std::string before;
    TextWords name(words_.restOfLine(), stlRules);
    for (std::string word = lowerCase(name.word()); !word.empty(); word = lowerCase(name.word())) {
      if (before == "facet" && word == "normal")
        return faultAt(words_.line(), "a facet in the line of a solid's name");
      before = std::move(word);
    }
    return Success{};
  }

  /// Reads from after `facet` to after `endfacet`.
  Result<Success> readFacet() {
    if (const auto normal = expect("normal"); !normal) return normal;
    // The normal is redundant, and some writers give invalid numbers
    for (int axis = 0; axis < 3; ++axis) words_.word();
    if (const auto outer = expect("outer"); !outer) return outer;
    if (const auto loop = expect("loop"); !loop) return loop;
    corners_.clear();
    std::string word = nextWord();
    for (; word == "vertex"; word = nextWord()) {
      const auto corner = readPoint(words_);
      if (!corner) return corner.error();
      corners_.push_back(*corner);
    }
    if (word != "endloop") return unexpected(word, "\"vertex\" or \"endloop\"");
    if (corners_.size() < 3) return faultAt(words_.line(), "a facet of fewer than three corners");
    if (const auto end = expect("endfacet"); !end) return end;
    return addCorners(corners_, builder_, indices_);
  }

  Result<Success> expect(std::string_view wanted) {
    const std::string word = nextWord();
    if (word != wanted) return unexpected(word, filled("\"{}\"", wanted));
    return Success{};
  }

  Error unexpected(std::string_view word, std::string_view wanted) const {
    if (word.empty())
      return faultAt(words_.line(), filled("the STL ends within a facet: {} is missing", wanted));
    return faultAt(words_.line(), filled("\"{}\" in an STL file, where {} was expected",
                                         word.substr(0, 40), wanted));
  }

  TextWords words_;
  MeshFileBuilder builder_;
  std::vector<Vec3> corners_;
  std::vector<std::uint32_t> indices_;
};

/// Returns true for a file whose triangles are text.
bool isText(std::string_view bytes) {
  const std::size_t begin =
      std::min(bytes.find_first_not_of(" \t\r\n\v\f\xef\xbb\xbf"), bytes.size());
  if (lowerCase(bytes.substr(begin, 5)) != "solid") return false;
  if (bytes.size() < headBytes) return true;
  // Binary files may begin with "solid" too. They have exactly the length that they announce, or a
  // header that is not text and at least the announced length
  const std::size_t count = littleEndian<std::uint32_t>(bytes, headBytes - 4);
  const bool exact = bytes.size() == headBytes + count * triangleBytes;
  const bool noText = count <= (bytes.size() - headBytes) / triangleBytes &&
                      bytes.substr(0, headBytes).find('\0') < headBytes;
  return !exact && !noText;
}

}  // namespace

Result<MeshFile> readStl(std::string_view bytes, const MeshFileLimits& limits) {
  if (isText(bytes)) return TextStl(bytes, limits).run();
  if (bytes.size() < headBytes)
    return Error{ErrorCode::BadFormat, "it is shorter than the head of an STL file"};
  const std::size_t count = littleEndian<std::uint32_t>(bytes, headBytes - 4);
  if (count > (bytes.size() - headBytes) / triangleBytes)
    return Error{ErrorCode::BadFormat,
                 filled("an STL file: it announces {} triangles, of {} bytes each, where {} "
                        "bytes are left",
                        count, triangleBytes, bytes.size() - headBytes)};
  return readBinary(bytes, count, limits);
}

TriangleMesh weldedStl(std::string_view bytes, const MeshFileLimits& limits, int workers) {
  if (isText(bytes) || bytes.size() < headBytes) return {};
  const std::size_t count = littleEndian<std::uint32_t>(bytes, headBytes - 4);
  const std::size_t corners = 3 * count;
  if (count > (bytes.size() - headBytes) / triangleBytes || count > limits.maxTriangles ||
      corners >= noItem)
    return {};
  // Magnitudes of floats have the same order as their bits; none is too small for a mesh
  static_assert(std::numeric_limits<float>::denorm_min() > minMagnitude);
  constexpr auto largest = std::bit_cast<std::uint32_t>(static_cast<float>(maxMeshSize));
  std::atomic<bool> faulty{false};
  forChunks(count, workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    bool fault = false;
    for (std::size_t t = begin; t < end; ++t) {
      const std::size_t at = headBytes + t * triangleBytes + normalBytes;
      for (std::size_t k = 0; k < 9; ++k)
        fault |= (littleEndian<std::uint32_t>(bytes, at + 4 * k) & 0x7fffffffu) > largest;
    }
    if (fault) faulty = true;
  });
  if (faulty) return {};

  // Number the first corners at each position in their order
  std::vector<std::uint32_t> vertexOf = firstOfEqual(
      corners, [bytes](std::size_t i) { return cornerAt(bytes, i); }, workers);
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < corners; ++i) {
    if (vertexOf[i] != i) {
      vertexOf[i] = vertexOf[vertexOf[i]];
      continue;
    }
    vertexOf[i] = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(cornerAt(bytes, i));
  }
  mesh.triangles.resize(count);
  std::memcpy(mesh.triangles.data(), vertexOf.data(), corners * sizeof(std::uint32_t));
  return mesh;
}

}  // namespace nearmiss::files
