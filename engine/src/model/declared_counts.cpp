// SPDX-License-Identifier: MIT
#include "model/declared_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Fault = std::optional<std::string>;

/// Takes `count` things of at least `least` bytes each out of what is left, or returns why not.
Fault take(std::uint64_t count, std::uint64_t least, std::string_view what, std::uint64_t& left) {
  if (count > left / least)
    return fmt::format(
        "it announces {} of \"{}\", of {} bytes each at least, where {} bytes are left", count,
        what.substr(0, 40), least, left);
  left -= count * least;
  return std::nullopt;
}

std::optional<std::uint64_t> wholeNumber(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault == std::errc::result_out_of_range) return ~std::uint64_t{0};
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// PLY: elements in the order of the header, each with its properties

std::uint64_t plySize(std::string_view type) {
  if (type.ends_with("64") || type == "double") return 8;
  if (type.ends_with("16") || type == "short" || type == "ushort") return 2;
  if (type.ends_with("32") || type == "int" || type == "uint" || type == "float") return 4;
  return 1;
}

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t binary = 0, ascii = 0;  ///< bytes of one at least
};

/// The lines of the head, without their ends; nothing if it has no end.
std::optional<std::vector<std::string>> plyHead(std::istream& stream, std::uint64_t size,
                                                std::size_t& length) {
  constexpr std::uint64_t longest = 1 << 20;
  std::string text(static_cast<std::size_t>(std::min(size, longest)), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
    length = std::min(begin, text.size());
    const std::size_t word = std::min(lines.back().find_first_not_of(" \t"), lines.back().size());
    if (lines.back().compare(word, 10, "end_header") == 0) return lines;
  }
  return std::nullopt;
}

Fault checkPly(std::istream& stream, std::uint64_t size) {
  std::vector<PlyElement> elements;
  bool ascii = false;
  std::size_t head = 0;
  const auto lines = plyHead(stream, size, head);
  // Some readers look for it for ever
  if (!lines) return "its head has no end";
  for (const std::string& line : *lines) {
    std::istringstream words(line);
    std::string word, first, second;
    words >> word >> first >> second;
    if (word == "format") ascii = first == "ascii";
    if (word == "element") {
      const auto count = wholeNumber(second);
      if (!count) return fmt::format("it announces \"{}\" of an element", second.substr(0, 40));
      elements.push_back({first, *count, 0, 0});
    }
    if (word == "property" && !elements.empty()) {
      // A list may be empty: then it has only its length
      elements.back().binary += plySize(first == "list" ? second : first);
      elements.back().ascii += 2;
    }
  }
  // The last line of a text need not end
  std::uint64_t left = size - head + (ascii ? 1 : 0);
  for (const PlyElement& each : elements) {
    const std::uint64_t least = std::max<std::uint64_t>(ascii ? each.ascii : each.binary, 1);
    if (const Fault fault = take(each.count, least, each.name, left)) return fault;
  }
  return std::nullopt;
}

// OFF: vertices, faces and edges after an optional word

Fault checkOff(std::istream& stream, std::uint64_t size) {
  std::vector<std::string> words;
  for (std::string line; words.size() < 4 && std::getline(stream, line);) {
    std::istringstream text(line.substr(0, std::min(line.find('#'), std::size_t{1000})));
    for (std::string word; words.size() < 4 && text >> word;) words.push_back(word);
  }
  const std::size_t begin = !words.empty() && words.front().ends_with("OFF") ? 1 : 0;
  if (words.size() < begin + 2) return std::nullopt;
  const auto vertices = wholeNumber(words[begin]), faces = wholeNumber(words[begin + 1]);
  if (!vertices || !faces) return std::nullopt;
  std::uint64_t left = size;
  if (const Fault fault = take(*vertices, 6, "vertex", left)) return fault;
  return take(*faces, 2, "face", left);
}

// glTF: accessors look into views, views into buffers, and those into the file or its neighbours

std::uint32_t littleWord(const std::string& bytes, std::size_t at) {
  std::array<unsigned char, 4> b{};
  std::memcpy(b.data(), bytes.data() + at, b.size());
  return static_cast<std::uint32_t>(b[0]) | static_cast<std::uint32_t>(b[1]) << 8 |
         static_cast<std::uint32_t>(b[2]) << 16 | static_cast<std::uint32_t>(b[3]) << 24;
}

std::uint64_t numberAt(const Json& object, const char* key, std::uint64_t otherwise = 0) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_number()) return otherwise;
  if (at->is_number_unsigned()) return at->get<std::uint64_t>();
  // Negative numbers and fractions are as impossible as huge ones
  return ~std::uint64_t{0};
}

const Json& listAt(const Json& object, const char* key) {
  static const Json none = Json::array();
  const auto at = object.find(key);
  return at != object.end() && at->is_array() ? *at : none;
}

/// Of one element of an accessor; 0 where the type is unknown.
std::uint64_t elementSize(const Json& accessor) {
  const auto type = accessor.find("type");
  if (type == accessor.end() || !type->is_string()) return 0;
  const std::string name = type->get<std::string>();
  std::uint64_t parts = 0;
  for (const auto& [known, count] : {std::pair{"SCALAR", 1},
                                     {"VEC2", 2},
                                     {"VEC3", 3},
                                     {"VEC4", 4},
                                     {"MAT2", 4},
                                     {"MAT3", 9},
                                     {"MAT4", 16}})
    if (name == known) parts = static_cast<std::uint64_t>(count);
  const std::uint64_t component = numberAt(accessor, "componentType");
  const bool byte = component == 5120 || component == 5121;
  const bool half = component == 5122 || component == 5123;
  return parts * (byte ? 1 : half ? 2 : 4);
}

/// How many bytes a buffer can have.
std::uint64_t room(const Json& buffer, const fs::path& file, std::uint64_t chunk) {
  const auto uri = buffer.find("uri");
  if (uri == buffer.end() || !uri->is_string()) return chunk;
  const std::string& name = uri->get_ref<const std::string&>();
  if (name.starts_with("data:")) return name.size();
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(file.parent_path() / fs::path(name), failed);
  // Not there, or under an encoded name: left to the reader
  return failed ? ~std::uint64_t{0} : size;
}

Fault checkScene(const Json& scene, const fs::path& file, std::uint64_t chunk) {
  if (!scene.is_object()) return std::nullopt;
  std::vector<std::uint64_t> buffers, views;
  for (const Json& buffer : listAt(scene, "buffers")) {
    std::uint64_t left = buffer.is_object() ? room(buffer, file, chunk) : 0;
    buffers.push_back(buffer.is_object() ? numberAt(buffer, "byteLength") : 0);
    if (const Fault fault = take(buffers.back(), 1, "byte of a buffer", left)) return fault;
  }
  for (const Json& view : listAt(scene, "bufferViews")) {
    const std::uint64_t buffer = view.is_object() ? numberAt(view, "buffer") : ~std::uint64_t{0};
    std::uint64_t left = buffer < buffers.size() ? buffers[static_cast<std::size_t>(buffer)] : 0;
    views.push_back(view.is_object() ? numberAt(view, "byteLength") : 0);
    if (const Fault fault = take(numberAt(view, "byteOffset"), 1, "byte before a view", left))
      return fault;
    if (const Fault fault = take(views.back(), 1, "byte of a view", left)) return fault;
  }
  for (const Json& accessor : listAt(scene, "accessors")) {
    if (!accessor.is_object()) continue;
    const std::uint64_t size = elementSize(accessor);
    const std::uint64_t view = numberAt(accessor, "bufferView", ~std::uint64_t{0});
    // Without a view it is zeros, which cost nothing in the file: the limit of memory is for them
    if (size == 0 || view >= views.size()) continue;
    std::uint64_t left = views[static_cast<std::size_t>(view)];
    if (const Fault fault = take(numberAt(accessor, "count"), size, "accessor", left)) return fault;
  }
  return std::nullopt;
}

Fault checkGltf(std::istream& stream, const fs::path& file, std::uint64_t size, bool binary) {
  std::string text;
  std::uint64_t chunk = 0;
  if (binary) {
    std::string head(20, '\0');
    if (size < head.size() || !stream.read(head.data(), 20)) return "it is shorter than its head";
    std::uint64_t left = size - 20;
    const std::uint64_t length = littleWord(head, 12);
    if (const Fault fault = take(length, 1, "byte of JSON", left)) return fault;
    text.resize(static_cast<std::size_t>(length));
    stream.read(text.data(), static_cast<std::streamsize>(length));
    chunk = left;
  } else {
    text.assign(std::istreambuf_iterator<char>(stream), {});
  }
  // What is no JSON is left to the reader to refuse
  return checkScene(Json::parse(text, nullptr, false), file, chunk);
}

}  // namespace

std::optional<std::string> impossibleCount(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::uint64_t size = fs::file_size(file);
  std::array<char, 4> magic{};
  stream.read(magic.data(), magic.size());
  stream.clear();
  stream.seekg(0);
  const std::string_view begin(magic.data(), magic.size());
  const auto is = [&magic](std::size_t i, char c) { return (magic[i] | 0x20) == c; };
  std::string extension = file.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');

  if (is(0, 'p') && is(1, 'l') && is(2, 'y')) return checkPly(stream, size);
  if (extension == ".off") return checkOff(stream, size);
  if (begin == "glTF") return checkGltf(stream, file, size, true);
  if (extension == ".gltf") return checkGltf(stream, file, size, false);
  return std::nullopt;
}

}  // namespace nearmiss::engine
