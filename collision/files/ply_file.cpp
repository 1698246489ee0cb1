// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "files/mesh_file_builder.h"
#include "files/mesh_formats.h"
#include "files/ply_head.h"
#include "files/text_words.h"

namespace nearmiss::files {
namespace {

/// Reads the values after the header in sequence. Integers of 32 bits and floats are exact as
/// doubles.
class PlyValues {
 public:
  PlyValues(std::string_view bytes, const PlyHead& head)
      : bytes_(bytes),
        at_(head.length),
        encoding_(head.encoding),
        words_(bytes.substr(head.length)) {}

  Result<Real> next(PlyType type) {
    if (encoding_ == PlyEncoding::Text) {
      const std::string_view word = words_.anyWord();
      const std::optional<Real> value = realOf(word);
      if (word.empty()) return ended();
      if (!value) return Error{ErrorCode::BadFormat, noNumber(word)};
      return *value;
    }
    if (bytes_.size() - at_ < sizeOf(type)) return ended();
    const Real value = binary(type);
    at_ += sizeOf(type);
    return value;
  }

  [[nodiscard]] bool atEnd() {
    return encoding_ == PlyEncoding::Text ? words_.anyWord().empty() : at_ == bytes_.size();
  }

 private:
  static Error ended() { return {ErrorCode::BadFormat, "the file ends within it"}; }

  template <class Number>
  [[nodiscard]] Real as() const noexcept {
    return static_cast<Real>(
        littleEndian<Number>(bytes_, at_, encoding_ == PlyEncoding::BigEndian));
  }

  [[nodiscard]] Real binary(PlyType type) const noexcept {
    switch (type) {
      case PlyType::Int8:
        return as<std::int8_t>();
      case PlyType::Uint8:
        return as<std::uint8_t>();
      case PlyType::Int16:
        return as<std::int16_t>();
      case PlyType::Uint16:
        return as<std::uint16_t>();
      case PlyType::Int32:
        return as<std::int32_t>();
      case PlyType::Uint32:
        return as<std::uint32_t>();
      case PlyType::Float:
        return as<float>();
      case PlyType::Double:
        return as<double>();
    }
    return 0.0;
  }

  std::string_view bytes_;
  std::size_t at_;
  PlyEncoding encoding_;
  TextWords words_;
};

constexpr std::size_t none = ~std::size_t{0};

std::size_t propertyNamed(const PlyElement& element, std::string_view name, bool isList) {
  for (std::size_t i = 0; i < element.properties.size(); ++i)
    if (element.properties[i].name == name && element.properties[i].isList == isList) return i;
  return none;
}

/// Positions of the coordinates of a point among the properties, or nothing if one is missing.
using PointColumns = std::optional<std::array<std::size_t, 3>>;

PointColumns scalarsNamed(const PlyElement& element, const std::array<std::string_view, 3>& names) {
  std::array<std::size_t, 3> columns{};
  for (std::size_t axis = 0; axis < columns.size(); ++axis) {
    columns[axis] = propertyNamed(element, names[axis], false);
    if (columns[axis] == none) return std::nullopt;
  }
  return columns;
}

/// Returns the position of the index list of a face or strip, or `none`.
std::size_t indexList(const PlyElement& element) {
  const std::size_t list = propertyNamed(element, "vertex_indices", true);
  return list != none ? list : propertyNamed(element, "vertex_index", true);
}

/// Returns half a sentence about the first count in the header that the bytes after it cannot hold.
std::optional<std::string> impossibleCount(const PlyHead& head, std::size_t size) {
  const bool text = head.encoding == PlyEncoding::Text;
  // The last line of a text need not be terminated
  std::uint64_t left = size - head.length + (text ? 1 : 0);
  for (const PlyElement& element : head.elements) {
    std::uint64_t least = 0;
    // A list may be empty: then it has only its length. A word takes at least a character and a
    // space
    for (const PlyProperty& property : element.properties)
      least += text ? 2 : sizeOf(property.isList ? property.countType : property.type);
    least = std::max<std::uint64_t>(least, 1);
    if (element.count > left / least)
      return filled("it announces {} of \"{}\", of {} bytes each at least, where {} bytes are left",
                    element.count, element.name.substr(0, 40), least, left);
    left -= element.count * least;
  }
  return std::nullopt;
}

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const PlyHead& head, const MeshFileLimits& limits)
      : head_(head), values_(bytes, head), builder_(limits.maxTriangles) {}

  Result<MeshFile> run() {
    for (const PlyElement& element : head_.elements) {
      position_ = scalarsNamed(element, {"x", "y", "z"});
      normal_ = scalarsNamed(element, {"nx", "ny", "nz"});
      indices_ = indexList(element);
      for (std::uint64_t i = 0; i < element.count; ++i) {
        auto read = readRow(element);
        if (read) read = use(element);
        if (!read)
          return Error{read.error().code, filled("{} {} of {}: {}", element.name, i, element.count,
                                                 read.error().message)};
      }
      tellOf(element);
    }
    if (!values_.atEnd()) builder_.note("what follows the last element was left out");
    return builder_.take();
  }

 private:
  /// Reads all properties of the next element. Lists are stored in `lists_`, in order.
  Result<Success> readRow(const PlyElement& element) {
    row_.assign(element.properties.size(), 0.0);
    lists_.resize(std::max(lists_.size(), element.properties.size()));
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const PlyProperty& property = element.properties[p];
      const auto value = values_.next(property.isList ? property.countType : property.type);
      if (!value) return value.error();
      row_[p] = *value;
      if (!property.isList) continue;
      lists_[p].clear();
      if (!(*value >= 0.0) || *value != std::floor(*value))
        return Error{ErrorCode::BadFormat, filled("a list of length {}", *value)};
      for (Real k = 0.0; k < *value; k += 1.0) {
        const auto item = values_.next(property.type);
        if (!item) return item.error();
        lists_[p].push_back(*item);
      }
    }
    return Success{};
  }

  Result<Success> use(const PlyElement& element) {
    if (element.name == "vertex") return useVertex();
    if (element.name == "face") return useFace();
    if (element.name == "tristrips") return useStrips();
    return Success{};
  }

  [[nodiscard]] Vec3 pointAt(const std::array<std::size_t, 3>& columns) const {
    return {row_[columns[0]], row_[columns[1]], row_[columns[2]]};
  }

  Result<Success> useVertex() {
    if (!position_) return Error{ErrorCode::BadFormat, "vertices need x, y and z"};
    const auto added =
        builder_.addVertex(pointAt(*position_), normal_ ? pointAt(*normal_) : Vec3(0.0));
    if (!added) return added.error();
    return Success{};
  }

  /// Returns the vertex indices of the face or strip read last.
  Result<const std::vector<Real>*> indices() const {
    if (indices_ == none) return Error{ErrorCode::BadFormat, "it needs a list vertex_indices"};
    return &lists_[indices_];
  }

  Result<std::uint32_t> indexOf(Real value) const {
    if (!(value >= 0.0) || value >= static_cast<Real>(builder_.vertexCount()) ||
        value != std::floor(value))
      return Error{ErrorCode::BadFormat, filled("index out of range: vertex {}, where there "
                                                "are {}",
                                                value, builder_.vertexCount())};
    return static_cast<std::uint32_t>(value);
  }

  Result<Success> useFace() {
    const auto listed = indices();
    if (!listed) return listed.error();
    corners_.clear();
    for (const Real value : **listed) {
      const auto index = indexOf(value);
      if (!index) return index.error();
      corners_.push_back(*index);
    }
    return builder_.addPolygon(corners_);
  }

  /// Reads strips of triangles. -1 starts a new strip, and every second triangle has the opposite
  /// winding.
  Result<Success> useStrips() {
    const auto listed = indices();
    if (!listed) return listed.error();
    corners_.clear();
    for (const Real value : **listed) {
      if (value == -1.0) {
        corners_.clear();
        continue;
      }
      const auto index = indexOf(value);
      if (!index) return index.error();
      corners_.push_back(*index);
      const std::size_t n = corners_.size();
      if (n < 3) continue;
      std::array<std::uint32_t, 3> corners{corners_[n - 3], corners_[n - 2], corners_[n - 1]};
      if (n % 2 == 0) std::swap(corners[0], corners[1]);
      // Skip triangles with a repeated corner, which stitch strips together
      if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
        continue;
      if (const auto added = builder_.addPolygon(corners); !added) return added;
    }
    return Success{};
  }

  void tellOf(const PlyElement& element) {
    if (element.count > 0 && element.name != "vertex" && element.name != "face" &&
        element.name != "tristrips")
      builder_.note(filled("{} of \"{}\" left out", element.count, element.name));
  }

  const PlyHead& head_;
  PlyValues values_;
  MeshFileBuilder builder_;
  std::vector<Real> row_;  ///< values of the element read last; the length for a list
  std::vector<std::vector<Real>> lists_;  ///< lists of the element read last
  PointColumns position_, normal_;        ///< columns of the current element
  std::size_t indices_ = none;            ///< column of the current element
  std::vector<std::uint32_t> corners_;
};

}  // namespace

Result<MeshFile> readPly(std::string_view bytes, const MeshFileLimits& limits) {
  const auto head = readPlyHead(bytes);
  if (!head) return head.error();
  if (auto fault = impossibleCount(*head, bytes.size()))
    return Error{ErrorCode::BadFormat, *std::move(fault)};
  return PlyReader(bytes, *head, limits).run();
}

}  // namespace nearmiss::files
