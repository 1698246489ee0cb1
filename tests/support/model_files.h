// SPDX-License-Identifier: MIT
/// Meshes as model files of further formats.
#pragma once

#include <cmath>
#include <string>

#include "support/files.h"

namespace nearmiss::test {

inline std::string asBinaryPly(const TriangleMesh& mesh) {
  std::string out = "ply\nformat binary_little_endian 1.0\nelement vertex " +
                    std::to_string(mesh.positions.size()) +
                    "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                    std::to_string(mesh.triangles.size()) +
                    "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) appendBytes(out, static_cast<float>(p[axis]));
  for (const auto& t : mesh.triangles) {
    appendBytes(out, std::uint8_t{3});
    for (const std::uint32_t v : t) appendBytes(out, v);
  }
  return out;
}

inline std::string asOff(const TriangleMesh& mesh) {
  std::string text = "OFF\n" + std::to_string(mesh.positions.size()) + " " +
                     std::to_string(mesh.triangles.size()) + " 0\n";
  for (const Vec3& p : mesh.positions) text += spaced(p) + "\n";
  for (const auto& t : mesh.triangles)
    text += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) +
            "\n";
  return text;
}

/// @param node further members of the node's JSON, each after a comma
inline std::string asGlbAt(const TriangleMesh& mesh, const std::string& node) {
  std::string buffer;
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) appendBytes(buffer, static_cast<float>(p[axis]));
  const std::string split = std::to_string(buffer.size());
  for (const auto& t : mesh.triangles)
    for (const std::uint32_t v : t) appendBytes(buffer, v);
  const std::string indices = std::to_string(12 * mesh.triangles.size());
  std::string json =
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0)" + node +
      R"(}],)"
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],)"
      R"("accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":)" +
      std::to_string(mesh.positions.size()) +
      R"(},{"bufferView":1,"componentType":5125,"type":"SCALAR","count":)" +
      std::to_string(3 * mesh.triangles.size()) + R"(}],"bufferViews":[{"buffer":0,"byteLength":)" +
      split + R"(},{"buffer":0,"byteOffset":)" + split + R"(,"byteLength":)" + indices +
      R"(}],"buffers":[{"byteLength":)" + std::to_string(buffer.size()) + "}]}";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string out = "glTF";
  appendBytes(out, std::uint32_t{2});
  appendBytes(out, static_cast<std::uint32_t>(28 + json.size() + buffer.size()));
  appendBytes(out, static_cast<std::uint32_t>(json.size()));
  out += "JSON" + json;
  appendBytes(out, static_cast<std::uint32_t>(buffer.size()));
  return out + std::string("BIN\0", 4) + buffer;
}

inline std::string asGlb(const TriangleMesh& mesh) { return asGlbAt(mesh, ""); }

/// @param asset what <asset> holds
/// @param matrix of the node, its sixteen numbers row by row
inline std::string asCollada(const TriangleMesh& mesh, const std::string& asset,
                             const std::string& matrix = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1") {
  std::string places, corners;
  for (const Vec3& p : mesh.positions) places += spaced(p) + " ";
  for (const auto& t : mesh.triangles)
    for (const std::uint32_t v : t) corners += std::to_string(v) + " ";
  const std::string count = std::to_string(mesh.positions.size());
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>)" +
         asset + R"(</asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count=")" +
         std::to_string(3 * mesh.positions.size()) + "\">" + places +
         R"(</float_array><technique_common><accessor source="#a" count=")" + count +
         R"(" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count=")" +
         std::to_string(mesh.triangles.size()) +
         R"("><input semantic="VERTEX" source="#v" offset="0"/><p>)" + corners +
         R"(</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><matrix>)" +
         matrix + R"(</matrix><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

/// One facet of very many corners: its reader takes seconds, out of proportion to its size.
inline std::string slowObj() {
  constexpr int corners = 30'000;
  std::string text;
  for (int i = 0; i < corners; ++i)
    text += "v " + number(std::cos(i)) + " " + number(std::sin(i)) + " 0\n";
  text += "f";
  for (int i = 1; i <= corners; ++i) text += " " + std::to_string(i);
  return text + "\n";
}

}  // namespace nearmiss::test
