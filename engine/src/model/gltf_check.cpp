// SPDX-License-Identifier: MIT
#include "model/gltf_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <vector>

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;
using GltfJson = nlohmann::json;
using Fault = std::optional<std::string>;

/// Takes `count` elements of at least `least` bytes from the remaining bytes, or returns a fault.
Fault take(std::uint64_t count, std::uint64_t least, std::string_view what, std::uint64_t& left) {
  if (count > left / least)
    return fmt::format(
        "it announces {} of \"{}\", of {} bytes each at least, where {} bytes are left", count,
        what.substr(0, 40), least, left);
  left -= count * least;
  return std::nullopt;
}

// Accessors refer to views, views to buffers, and buffers to the file or its neighbours

std::uint64_t numberAt(const GltfJson& object, const char* key, std::uint64_t otherwise = 0) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_number()) return otherwise;
  if (at->is_number_unsigned()) return at->get<std::uint64_t>();
  // Treat negative numbers and fractions as huge, which fails later checks
  return ~std::uint64_t{0};
}

const GltfJson& listAt(const GltfJson& object, const char* key) {
  static const GltfJson none = GltfJson::array();
  const auto at = object.find(key);
  return at != object.end() && at->is_array() ? *at : none;
}

std::string textAt(const GltfJson& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

/// Size of an element of an accessor; 0 if the type is unknown.
std::uint64_t elementSize(const GltfJson& accessor) {
  const std::string name = textAt(accessor, "type");
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

/// Maximum number of bytes of a buffer.
std::uint64_t room(const GltfJson& buffer, const fs::path& file, std::uint64_t chunk) {
  const auto uri = buffer.find("uri");
  if (uri == buffer.end() || !uri->is_string()) return chunk;
  const std::string& name = uri->get_ref<const std::string&>();
  if (name.starts_with("data:")) return name.size();
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(file.parent_path() / fs::path(name), failed);
  // Missing or with an encoded name: left to the reader
  return failed ? ~std::uint64_t{0} : size;
}

Fault checkScene(const GltfJson& scene, const fs::path& file, std::uint64_t chunk) {
  std::vector<std::uint64_t> buffers, views;
  for (const GltfJson& buffer : listAt(scene, "buffers")) {
    std::uint64_t left = buffer.is_object() ? room(buffer, file, chunk) : 0;
    buffers.push_back(buffer.is_object() ? numberAt(buffer, "byteLength") : 0);
    if (const Fault fault = take(buffers.back(), 1, "byte of a buffer", left)) return fault;
  }
  for (const GltfJson& view : listAt(scene, "bufferViews")) {
    const std::uint64_t buffer = view.is_object() ? numberAt(view, "buffer") : ~std::uint64_t{0};
    std::uint64_t left = buffer < buffers.size() ? buffers[static_cast<std::size_t>(buffer)] : 0;
    views.push_back(view.is_object() ? numberAt(view, "byteLength") : 0);
    if (const Fault fault = take(numberAt(view, "byteOffset"), 1, "byte before a view", left))
      return fault;
    if (const Fault fault = take(views.back(), 1, "byte of a view", left)) return fault;
  }
  for (const GltfJson& accessor : listAt(scene, "accessors")) {
    if (!accessor.is_object()) continue;
    const std::uint64_t size = elementSize(accessor);
    const std::uint64_t view = numberAt(accessor, "bufferView", ~std::uint64_t{0});
    // An accessor without a view is zeros and costs no file bytes; the memory limit bounds it
    if (size == 0 || view >= views.size()) continue;
    std::uint64_t left = views[static_cast<std::size_t>(view)];
    if (const Fault fault = take(numberAt(accessor, "count"), size, "accessor", left)) return fault;
  }
  return std::nullopt;
}

/// Extensions that the reader supports or that do not move vertices.
bool isUnderstood(std::string_view extension) {
  constexpr std::array<std::string_view, 11> known{
      "KHR_draco_mesh_compression", "KHR_lights_punctual", "KHR_texture_basisu",
      "KHR_texture_transform",      "KHR_xmp_json_ld",     "KHR_xmp",
      "EXT_lights_image_based",     "EXT_lights_ies",      "MSFT_texture_dds",
      "EXT_texture_webp",           "EXT_texture_avif"};
  return extension.starts_with("KHR_materials_") ||
         std::find(known.begin(), known.end(), extension) != known.end();
}

/// assimp ignores unknown required extensions.
Fault checkExtensions(const GltfJson& scene) {
  const auto required = scene.find("extensionsRequired");
  if (required == scene.end()) return std::nullopt;
  if (!required->is_array()) return "its extensionsRequired is not a list";
  for (const GltfJson& extension : *required) {
    if (!extension.is_string())
      return "its extensionsRequired contains something other than a name";
    const auto& name = extension.get_ref<const std::string&>();
    if (!isUnderstood(name))
      return fmt::format("it requires the extension \"{}\", which is not supported",
                         name.substr(0, 60));
  }
  return std::nullopt;
}

/// assimp misreads vertices that are not floats.
Fault checkPositions(const GltfJson& scene) {
  const GltfJson& accessors = listAt(scene, "accessors");
  for (const GltfJson& mesh : listAt(scene, "meshes")) {
    if (!mesh.is_object()) continue;
    for (const GltfJson& primitive : listAt(mesh, "primitives")) {
      if (!primitive.is_object()) continue;
      const auto attributes = primitive.find("attributes");
      if (attributes == primitive.end() || !attributes->is_object()) continue;
      const std::uint64_t index = numberAt(*attributes, "POSITION", ~std::uint64_t{0});
      if (index >= accessors.size()) continue;
      const GltfJson& accessor = accessors[static_cast<std::size_t>(index)];
      if (!accessor.is_object()) continue;
      const std::uint64_t component = numberAt(accessor, "componentType");
      const std::string type = textAt(accessor, "type");
      if (component != 5126 || type != "VEC3")
        return fmt::format(
            "accessor {}, of positions, has the componentType {} and the type \"{}\"; only 5126 "
            "(FLOAT) and VEC3 are supported",
            index, component, type.substr(0, 20));
    }
  }
  return std::nullopt;
}

std::optional<Error> headFault(const GltfJson& scene, const fs::path& file, std::uint64_t chunk) {
  // The reader rejects invalid JSON
  if (!scene.is_object()) return std::nullopt;
  if (Fault fault = checkScene(scene, file, chunk))
    return Error{ErrorCode::BadFormat, *std::move(fault)};
  for (const auto check : {checkExtensions, checkPositions})
    if (Fault fault = check(scene)) return Error{ErrorCode::Unsupported, *std::move(fault)};
  return std::nullopt;
}

/// The JSON of a glTF file and the size of the binary chunk after it, or a fault.
struct GltfText {
  std::string json;
  std::uint64_t chunk = 0;
  Fault fault;
};

GltfText gltfText(std::istream& stream, std::uint64_t size, bool binary) {
  GltfText text;
  if (!binary) {
    text.json.assign(std::istreambuf_iterator<char>(stream), {});
    return text;
  }
  std::string head(20, '\0');
  if (size < head.size() || !stream.read(head.data(), 20)) {
    text.fault = "it is shorter than its head";
    return text;
  }
  std::uint64_t left = size - 20;
  std::uint32_t length = 0;
  for (std::size_t i = 4; i-- > 0;) length = length << 8 | static_cast<unsigned char>(head[12 + i]);
  text.fault = take(length, 1, "byte of JSON", left);
  if (text.fault) return text;
  text.json.resize(length);
  stream.read(text.json.data(), static_cast<std::streamsize>(length));
  text.chunk = left;
  return text;
}

/// Counts the triangles of all lists, strips and fans.
std::uint64_t trianglesOf(const GltfJson& scene) {
  const GltfJson& accessors = listAt(scene, "accessors");
  const auto countOf = [&accessors](const GltfJson& from, const char* key) {
    const std::uint64_t index = numberAt(from, key, ~std::uint64_t{0});
    if (index >= accessors.size()) return std::uint64_t{0};
    const GltfJson& accessor = accessors[static_cast<std::size_t>(index)];
    return accessor.is_object() ? numberAt(accessor, "count") : std::uint64_t{0};
  };
  std::uint64_t triangles = 0;
  for (const GltfJson& mesh : listAt(scene, "meshes")) {
    if (!mesh.is_object()) continue;
    for (const GltfJson& primitive : listAt(mesh, "primitives")) {
      if (!primitive.is_object()) continue;
      const auto attributes = primitive.find("attributes");
      std::uint64_t corners = 0;
      if (primitive.contains("indices"))
        corners = countOf(primitive, "indices");
      else if (attributes != primitive.end() && attributes->is_object())
        corners = countOf(*attributes, "POSITION");
      switch (numberAt(primitive, "mode", 4)) {
        case 4:
          triangles += corners / 3;
          break;
        case 5:
        case 6:
          triangles += corners < 3 ? 0 : corners - 2;
          break;
        default:
          break;
      }
    }
  }
  return triangles;
}

/// Returns true for binary glTF, false for text; `nullopt` for other files.
std::optional<bool> binaryGltf(const fs::path& file, std::string_view begin) {
  if (begin == "glTF") return true;
  if (lowerCase(file.extension().string()) == ".gltf") return false;
  return std::nullopt;
}

std::array<char, 4> firstBytes(std::istream& stream) {
  std::array<char, 4> magic{};
  stream.read(magic.data(), magic.size());
  stream.clear();
  stream.seekg(0);
  return magic;
}

}  // namespace

std::optional<Error> gltfFault(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::uint64_t size = fs::file_size(file);
  const std::array<char, 4> magic = firstBytes(stream);
  const std::string_view begin(magic.data(), magic.size());

  if (const auto binary = binaryGltf(file, begin)) {
    const GltfText text = gltfText(stream, size, *binary);
    if (text.fault) return Error{ErrorCode::BadFormat, *text.fault};
    return headFault(GltfJson::parse(text.json, nullptr, false), file, text.chunk);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> declaredTriangles(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::array<char, 4> magic = firstBytes(stream);
  const auto binary = binaryGltf(file, std::string_view(magic.data(), magic.size()));
  if (!binary) return std::nullopt;
  const GltfJson scene =
      GltfJson::parse(gltfText(stream, fs::file_size(file), *binary).json, nullptr, false);
  if (!scene.is_object()) return std::nullopt;
  return trianglesOf(scene);
}

}  // namespace nearmiss::engine
