// SPDX-License-Identifier: MIT
#include "files/ply_head.h"

#include <array>
#include <optional>
#include <utility>

#include "files/text_words.h"

namespace nearmiss::files {
namespace {

constexpr std::size_t longestHead = std::size_t{1} << 20;

std::optional<PlyType> plyType(std::string_view word) noexcept {
  static constexpr std::array<std::pair<std::string_view, PlyType>, 16> names{
      {{"char", PlyType::Int8},
       {"int8", PlyType::Int8},
       {"uchar", PlyType::Uint8},
       {"uint8", PlyType::Uint8},
       {"short", PlyType::Int16},
       {"int16", PlyType::Int16},
       {"ushort", PlyType::Uint16},
       {"uint16", PlyType::Uint16},
       {"int", PlyType::Int32},
       {"int32", PlyType::Int32},
       {"uint", PlyType::Uint32},
       {"uint32", PlyType::Uint32},
       {"float", PlyType::Float},
       {"float32", PlyType::Float},
       {"double", PlyType::Double},
       {"float64", PlyType::Double}}};
  for (const auto& [name, type] : names)
    if (name == word) return type;
  return std::nullopt;
}

Error inHead(std::string_view fault) {
  return {ErrorCode::BadFormat, filled("the head of the PLY file: {}", fault)};
}

/// Returns the lines of the header without their terminators, and its length; nothing if it is not
/// terminated.
std::optional<std::vector<std::string_view>> linesOf(std::string_view begin, std::size_t& length) {
  std::vector<std::string_view> lines;
  bool areLone = false;
  begin = begin.substr(0, longestHead);
  for (std::size_t at = 0; at < begin.size();) {
    const std::size_t end = std::min(begin.find_first_of("\r\n", at), begin.size());
    lines.push_back(begin.substr(at, end - at));
    // The byte after a lone \r may belong to the first element. If one terminator is lone, all are
    const bool both = !areLone && begin.substr(end, 2) == "\r\n";
    areLone = !both && begin.substr(end, 1) == "\r";
    at = length = std::min(end + (both ? 2 : 1), begin.size());
    if (TextWords words(lines.back()); words.word() == "end_header") return lines;
  }
  return std::nullopt;
}

Result<PlyProperty> readProperty(TextWords& words) {
  PlyProperty property;
  std::string_view word = words.word();
  if (word == "list") {
    property.isList = true;
    word = words.word();
    const auto type = plyType(word);
    if (!type || *type == PlyType::Float || *type == PlyType::Double)
      return inHead(filled("\"{}\" cannot count a list", word.substr(0, 40)));
    property.countType = *type;
    word = words.word();
  }
  const auto type = plyType(word);
  if (!type) return inHead(filled("\"{}\" is no type", word.substr(0, 40)));
  property.type = *type;
  property.name = lowerCase(words.word());
  return property;
}

Result<Success> readLine(std::string_view line, PlyHead& head, bool& hasEncoding) {
  TextWords words(line);
  const std::string_view word = words.word();
  if (word == "format") {
    const std::string_view name = words.word();
    hasEncoding = true;
    if (name == "ascii") {
      head.encoding = PlyEncoding::Text;
    } else if (name == "binary_little_endian" || name == "binary_big_endian") {
      head.encoding =
          name == "binary_big_endian" ? PlyEncoding::BigEndian : PlyEncoding::LittleEndian;
    } else {
      return inHead(filled("\"{}\" is no format", name.substr(0, 40)));
    }
  } else if (word == "element") {
    PlyElement element;
    element.name = lowerCase(words.word());
    const std::string_view count = words.word();
    const auto number = integerOf<std::uint64_t>(count);
    if (!number)
      return Error{ErrorCode::BadFormat,
                   filled("it announces \"{}\" of an element", count.substr(0, 40))};
    element.count = *number;
    head.elements.push_back(std::move(element));
  } else if (word == "property") {
    if (head.elements.empty()) return inHead("a property before any element");
    auto property = readProperty(words);
    if (!property) return property.error();
    head.elements.back().properties.push_back(*std::move(property));
  } else if (!word.empty() && word != "comment" && word != "obj_info" && word != "ply" &&
             word != "end_header") {
    return inHead(filled("\"{}\" is no word of it", word.substr(0, 40)));
  }
  return Success{};
}

}  // namespace

std::size_t sizeOf(PlyType type) noexcept {
  switch (type) {
    case PlyType::Int8:
    case PlyType::Uint8:
      return 1;
    case PlyType::Int16:
    case PlyType::Uint16:
      return 2;
    case PlyType::Int32:
    case PlyType::Uint32:
    case PlyType::Float:
      return 4;
    case PlyType::Double:
      return 8;
  }
  return 0;
}

Result<PlyHead> readPlyHead(std::string_view begin) {
  PlyHead head;
  const auto lines = linesOf(begin, head.length);
  if (!lines) return Error{ErrorCode::BadFormat, "its head has no end"};
  bool hasEncoding = false;
  for (const std::string_view line : *lines)
    if (const auto read = readLine(line, head, hasEncoding); !read) return read.error();
  if (!hasEncoding) return inHead("it names no format");
  return head;
}

}  // namespace nearmiss::files
