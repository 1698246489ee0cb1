// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "files/mesh_file_builder.h"
#include "files/mesh_formats.h"
#include "files/text_words.h"

namespace nearmiss::files {
namespace {

/// These statements say nothing about the surface as triangles.
constexpr std::array<std::string_view, 29> unneeded{
    "vt",       "vp",   "g",      "s",       "o",          "mg",        "bevel", "c_interp",
    "d_interp", "lod",  "usemap", "maplib",  "shadow_obj", "trace_obj", "ctech", "stech",
    "deg",      "bmat", "step",   "parm",    "trim",       "hole",      "scrv",  "sp",
    "end",      "con",  "cstype", "texture", "csh"};
/// These statements describe surface, but not triangles.
constexpr std::array<std::string_view, 5> curved{"curv", "curv2", "surf", "bzp", "bsp"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The parts of "vertex", "vertex/texture", "vertex//normal" and "vertex/texture/normal".
struct FaceCorner {
  std::string_view vertex, normal;
};

FaceCorner cornerOf(std::string_view word) {
  FaceCorner corner;
  const std::size_t first = std::min(word.find('/'), word.size());
  corner.vertex = word.substr(0, first);
  if (first == word.size()) return corner;
  const std::size_t second = word.find('/', first + 1);
  if (second != std::string_view::npos) corner.normal = word.substr(second + 1);
  return corner;
}

class ObjReader {
 public:
  ObjReader(std::string_view text, const MeshFileLimits& limits)
      : words_(text, {.continues = true}), builder_(limits.maxTriangles) {}

  Result<MeshFile> run() {
    while (words_.nextLine())
      if (const auto line = readLine(); !line) return line.error();
    if (strangers_ > 0)
      builder_.note(
          filled("{} lines are not of this format and were left out, the first is "
                 "line {}",
                 strangers_, firstStranger_));
    return builder_.take();
  }

 private:
  Result<Success> readLine() {
    const std::string_view word = words_.word();
    if (word == "v") return readVertex();
    if (word == "f" || word == "fo") return readFace();
    if (word == "vn") return readNormal();
    if (word == "l" || word == "p") {
      builder_.leaveOutPointOrLine();
    } else if (word == "usemtl") {
      useMaterial(words_.restOfLine());
    } else if (word == "mtllib") {
      builder_.file().materialFiles.emplace_back(words_.restOfLine());
    } else if (among(curved, word)) {
      return Error{ErrorCode::Unsupported,
                   filled("line {}: \"{}\" is a curved surface; only polygons are read",
                          words_.line(), word)};
    } else if (!among(unneeded, word)) {
      if (strangers_++ == 0) firstStranger_ = words_.line();
    }
    return Success{};
  }

  Result<Success> readVertex() {
    const auto point = readPoint(words_);
    if (!point) return point.error();
    positions_.push_back(*point);
    firsts_.emplace_back();
    return Success{};
  }

  Result<Success> readNormal() {
    const auto normal = readPoint(words_);
    if (!normal) return normal.error();
    normals_.push_back(*normal);
    return Success{};
  }

  Result<Success> readFace() {
    corners_.clear();
    for (std::string_view word = words_.word(); !word.empty(); word = words_.word()) {
      const FaceCorner corner = cornerOf(word);
      const auto vertex = indexOf(corner.vertex, positions_.size(), "vertex");
      if (!vertex) return vertex.error();
      std::uint32_t normal = none;
      if (!corner.normal.empty()) {
        const auto index = indexOf(corner.normal, normals_.size(), "normal");
        if (!index) return index.error();
        normal = *index;
      }
      const auto added = vertexFor(*vertex, normal);
      if (!added) return added.error();
      corners_.push_back(*added);
    }
    return builder_.addPolygon(corners_, material_);
  }

  /// Indices count from 1; negative ones count backwards from the newest.
  Result<std::uint32_t> indexOf(std::string_view word, std::size_t count, std::string_view what) {
    const auto number = integerOf<std::int64_t>(word);
    if (!number) return faultAt(words_.line(), noNumber(word));
    const auto most = static_cast<std::int64_t>(count);
    if (*number == 0 || *number > most || *number < -most)
      return faultAt(words_.line(),
                     filled("index out of range: {} {}, where there are {}", what, *number, count));
    return static_cast<std::uint32_t>(*number > 0 ? *number - 1 : most + *number);
  }

  /// Returns the vertex of the mesh for a position and a normal.
  Result<std::uint32_t> vertexFor(std::uint32_t position, std::uint32_t normal) {
    FirstVertex& first = firsts_[position];
    if (first.vertex != none && first.normal == normal) return first.vertex;
    const auto key = std::pair(position, normal);
    if (first.vertex != none)
      if (const auto at = others_.find(key); at != others_.end()) return at->second;
    const auto added =
        builder_.addVertex(positions_[position], normal == none ? Vec3(0.0) : normals_[normal]);
    if (!added) return added;
    if (first.vertex == none)
      first = {normal, *added};
    else
      others_.emplace(key, *added);
    return added;
  }

  void useMaterial(std::string_view name) {
    std::vector<std::string>& used = builder_.file().materials;
    auto at = materials_.find(name);
    if (at == materials_.end()) {
      used.emplace_back(name);
      at = materials_.emplace(name, static_cast<std::uint32_t>(used.size())).first;
    }
    material_ = at->second;
  }

  static constexpr std::uint32_t none = 0xffffffff;

  /// The vertex of the mesh that first used a position.
  struct FirstVertex {
    std::uint32_t normal = none, vertex = none;
  };

  TextWords words_;
  MeshFileBuilder builder_;
  std::vector<Vec3> positions_, normals_;
  std::vector<FirstVertex> firsts_;  ///< by position
  // Sorted, not hashed: a file can be crafted so that all its keys collide
  /// Other vertices of the mesh, by position and normal.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> others_;
  std::map<std::string, std::uint32_t, std::less<>> materials_;  ///< 1 + index in the file's list
  std::vector<std::uint32_t> corners_;
  std::uint32_t material_ = 0;
  std::size_t strangers_ = 0, firstStranger_ = 0;
};

}  // namespace

Result<MeshFile> readObj(std::string_view bytes, const MeshFileLimits& limits) {
  return ObjReader(bytes, limits).run();
}

}  // namespace nearmiss::files
