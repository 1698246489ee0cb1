// SPDX-License-Identifier: MIT
/// The header of a PLY file: elements in order, each with its properties.
#pragma once

#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::files {

enum class PlyType : std::uint8_t { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float, Double };

[[nodiscard]] std::size_t sizeOf(PlyType type) noexcept;

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::Float;
  bool isList = false;
  PlyType countType = PlyType::Uint8;  ///< type of the length of a list
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
};

enum class PlyEncoding : std::uint8_t { Text, LittleEndian, BigEndian };

struct PlyHead {
  PlyEncoding encoding = PlyEncoding::Text;
  std::vector<PlyElement> elements;
  std::size_t length = 0;  ///< bytes before the first element
};

/// @param begin the first bytes of the file; the header is searched in at most one megabyte
/// Errors: BadFormat, with half a sentence as message.
Result<PlyHead> readPlyHead(std::string_view begin);

}  // namespace nearmiss::files
