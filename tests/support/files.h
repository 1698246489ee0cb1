// SPDX-License-Identifier: MIT
/// Files for tests: a folder that goes away with the test, whole texts, and meshes as files.
#pragma once

#include <nearmiss/mesh.h>
#include <stdlib.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace nearmiss::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "nearmiss-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const {
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::filesystem::path writeText(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

inline std::string readText(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::string number(Real value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

inline std::string spaced(const Vec3& p) {
  return number(p.x) + " " + number(p.y) + " " + number(p.z);
}

inline Vec3 facetNormal(const std::array<Vec3, 3>& p) {
  return glm::normalize(glm::cross(p[1] - p[0], p[2] - p[0]));
}

inline std::string asObj(const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3& p : mesh.positions) text += "v " + spaced(p) + "\n";
  for (const auto& t : mesh.triangles)
    text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " +
            std::to_string(t[2] + 1) + "\n";
  return text;
}

inline std::string asAsciiStl(const TriangleMesh& mesh) {
  std::string text = "solid test\n";
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto corners = mesh.corners(t);
    text += "facet normal " + spaced(facetNormal(corners)) + "\nouter loop\n";
    for (const Vec3& p : corners) text += "vertex " + spaced(p) + "\n";
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid test\n";
}

/// Little endian, as the machines that run the tests.
template <class T>
void appendBytes(std::string& out, T value) {
  const auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  out.append(bytes.begin(), bytes.end());
}

inline std::string asBinaryStl(const TriangleMesh& mesh) {
  std::string out(80, ' ');
  appendBytes(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  const auto add = [&out](const Vec3& p) {
    for (int axis = 0; axis < 3; ++axis) appendBytes(out, static_cast<float>(p[axis]));
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto corners = mesh.corners(t);
    add(facetNormal(corners));
    for (const Vec3& p : corners) add(p);
    appendBytes(out, std::uint16_t{0});
  }
  return out;
}

inline std::string asPly(const TriangleMesh& mesh) {
  std::string text = "ply\nformat ascii 1.0\nelement vertex " +
                     std::to_string(mesh.positions.size()) +
                     "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                     std::to_string(mesh.triangles.size()) +
                     "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec3& p : mesh.positions) text += spaced(p) + "\n";
  for (const auto& t : mesh.triangles)
    text += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) +
            "\n";
  return text;
}

}  // namespace nearmiss::test
