// SPDX-License-Identifier: MIT

#include <cstring>
#include <utility>

#include "files/mesh_file_builder.h"
#include "files/mesh_formats.h"
#include "files/text_words.h"

namespace nearmiss::files {
namespace {

/// The format has no comments.
constexpr TextRules stlRules{.comments = false};
constexpr std::size_t headBytes = 84, triangleBytes = 50, normalBytes = 12;

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

Result<MeshFile> readBinary(std::string_view bytes, std::size_t count,
                            const MeshFileLimits& limits) {
  MeshFileBuilder builder(limits.maxTriangles);
  std::vector<std::uint32_t> indices;
  for (std::size_t t = 0; t < count; ++t) {
    // The normal says what the corners say
    std::size_t at = headBytes + t * triangleBytes + normalBytes;
    std::array<Vec3, 3> corners{};
    for (Vec3& corner : corners)
      for (int axis = 0; axis < 3; ++axis, at += 4)
        corner[axis] = static_cast<Real>(littleEndian<float>(bytes, at));
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
  /// Passes over comments, which some writers put in, as over names; never over one with a facet.
  std::string nextWord() {
    std::string word = lowerCase(words_.anyWord());
    while (word.starts_with('#') && passName()) word = lowerCase(words_.anyWord());
    return word;
  }

  /// A name may be anything to the end of its line, but a facet would be lost in it.
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

  /// From after `facet` to after `endfacet`.
  Result<Success> readFacet() {
    if (const auto normal = expect("normal"); !normal) return normal;
    // It says what the corners say, and some writers give none that is a number
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

}  // namespace

Result<MeshFile> readStl(std::string_view bytes, const MeshFileLimits& limits) {
  const std::size_t room =
      bytes.size() < headBytes ? 0 : (bytes.size() - headBytes) / triangleBytes;
  const std::size_t count =
      bytes.size() < headBytes ? 0 : littleEndian<std::uint32_t>(bytes, headBytes - 4);
  const std::size_t begin =
      std::min(bytes.find_first_not_of(" \t\r\n\v\f\xef\xbb\xbf"), bytes.size());
  const bool solid = lowerCase(bytes.substr(begin, 5)) == "solid";
  // Binary files may begin with "solid" too: those have just the length that they announce, or a
  // head that is no text, and all that they announce
  const bool exact = bytes.size() == headBytes + count * triangleBytes;
  const bool noText = count <= room && bytes.substr(0, headBytes).find('\0') < headBytes;
  if (solid && (bytes.size() < headBytes || !(exact || noText)))
    return TextStl(bytes, limits).run();
  if (bytes.size() < headBytes)
    return Error{ErrorCode::BadFormat, "it is shorter than the head of an STL file"};
  if (count > room)
    return Error{ErrorCode::BadFormat,
                 filled("an STL file: it announces {} triangles, of {} bytes each, where {} "
                        "bytes are left",
                        count, triangleBytes, bytes.size() - headBytes)};
  return readBinary(bytes, count, limits);
}

}  // namespace nearmiss::files
