// SPDX-License-Identifier: MIT
#include <nearmiss/detail/file_bytes.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/detail/triangle_geometry.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <system_error>

#include "base/equal_items.h"
#include "files/mesh_formats.h"
#include "files/text_words.h"
#include "geometry/mesh_check.h"

namespace nearmiss {
namespace {

namespace fs = std::filesystem;

/// Returns the format by the file's name, or null.
const files::MeshFormat* formatOf(const fs::path& file) {
  const std::string extension = files::lowerCase(file.extension().string());
  for (const files::MeshFormat& format : files::meshFormats)
    if (format.extension == extension) return &format;
  return nullptr;
}

/// Lists the formats: "OBJ, OFF, PLY and STL".
std::string formatNames() {
  std::string names;
  for (const files::MeshFormat& format : files::meshFormats) {
    if (!names.empty()) names += &format == &files::meshFormats.back() ? " and " : ", ";
    for (const char c : format.extension.substr(1))
      names += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return names;
}

Error cannotOpen(const fs::path& file, ErrorCode code, std::string_view why) {
  return {code, files::filled("cannot open \"{}\" ({}).", file.string(), why)};
}

Error cannotRead(const fs::path& file, int error) {
  return {error == EFBIG ? ErrorCode::TooLarge : ErrorCode::Unreadable,
          files::filled("cannot read \"{}\" ({}).", file.string(),
                        std::generic_category().message(error))};
}

/// Reads all bytes of a file of a supported format. Errors: those of readMeshFile() that do not
/// depend on the bytes.
Result<std::string> bytesOfMeshFile(const fs::path& file, const MeshFileLimits& limits) {
  if (const auto checked = checkMeshFile(file, limits.maxFileBytes); !checked)
    return checked.error();
  if (!formatOf(file))
    return refusal(file, ErrorCode::Unsupported,
                   files::filled("only {} files are read", formatNames()));
  std::string bytes;
  if (const int error = readFile(file, limits.maxFileBytes, bytes)) return cannotRead(file, error);
  return bytes;
}

Result<MeshFile> readBytes(const fs::path& file, std::string_view bytes,
                           const MeshFileLimits& limits) {
  Result<MeshFile> read = formatOf(file)->read(bytes, limits);
  if (!read) return refusal(file, read.error().code, read.error().message);
  if (read->mesh.triangles.empty()) return refusal(file, ErrorCode::EmptyMesh, "0 triangles");
  for (const Vec3& position : read->mesh.positions)
    if (const std::string_view fault = coordinateFault(position); !fault.empty())
      return refusal(file, ErrorCode::BadFormat, fault);
  return read;
}

Result<TriangleMesh> load(const fs::path& file, const MeshFileLimits& limits, int workers) {
  Result<std::string> bytes = bytesOfMeshFile(file, limits);
  if (!bytes) return bytes.error();
  TriangleMesh mesh;
  // A binary STL repeats each vertex several times, so read it welded
  if (formatOf(file)->read == files::readStl) mesh = files::weldedStl(*bytes, limits, workers);
  if (mesh.triangles.empty()) {
    Result<MeshFile> read = readBytes(file, *bytes, limits);
    if (!read) return read.error();
    mesh = std::move(read->mesh);
  }
  *bytes = {};
  const Real distance = usualWeldDistance(mesh, workers);
  if (const auto sound = checkWelding(mesh, distance); !sound)
    return refusal(file, sound.error().code, sound.error().message);
  const Result<MeshCleaning> cleaned = cleanAndRepair(mesh, distance, nullptr, workers);
  if (!cleaned) return refusal(file, cleaned.error().code, cleaned.error().message);
  if (mesh.triangles.empty())
    return refusal(file, ErrorCode::EmptyMesh, "0 triangles with an area");
  return mesh;
}

}  // namespace

bool isMeshFile(const fs::path& file) { return formatOf(file) != nullptr; }

Result<Success> checkMeshFile(const fs::path& file, std::uintmax_t maxBytes) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status))
    return cannotOpen(
        file, ErrorCode::NotFound,
        status.type() == fs::file_type::not_found ? "No such file" : failed.message());
  // A device could be endless
  if (!fs::is_regular_file(status))
    return cannotOpen(file, ErrorCode::Unreadable,
                      fs::is_directory(status) ? "Is a directory" : "Not a regular file");
  const std::uintmax_t size = fs::file_size(file, failed);
  if (failed) return cannotOpen(file, ErrorCode::Unreadable, failed.message());
  if (size > maxBytes)
    return refusal(file, ErrorCode::TooLarge,
                   files::filled("{} bytes, more than the {} that are allowed", size, maxBytes));
  if (size == 0) return refusal(file, ErrorCode::BadFormat, "the file is empty");
  errno = 0;
  const bool opens = std::ifstream(file, std::ios::binary).is_open();
  const int error = errno;
  if (!opens)
    return cannotOpen(file, ErrorCode::Unreadable, std::generic_category().message(error));
  return Success{};
}

std::string_view coordinateFault(const Vec3& vertex) noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    const Real magnitude = std::abs(vertex[axis]);
    if (!std::isfinite(magnitude)) return "a vertex has a coordinate that is not a finite number";
    if (magnitude > maxMeshSize) return "a vertex has a coordinate beyond 1e15";
    if (magnitude != 0.0 && magnitude < minMagnitude)
      return "a vertex has a coordinate nearer to 0 than 1e-60, but not 0";
  }
  return {};
}

Error refusal(const fs::path& file, ErrorCode code, std::string_view fault) {
  constexpr std::size_t longest = 200;
  std::string line(fault.substr(0, longest));
  for (char& c : line)
    if (c < ' ' || c > '~') c = '?';
  return {code,
          files::filled("\"{}\": {}{}", file.string(), line, fault.size() > longest ? " ..." : "")};
}

Result<MeshFile> readMeshFile(const fs::path& file, const MeshFileLimits& limits) {
  const Result<std::string> bytes = bytesOfMeshFile(file, limits);
  if (!bytes) return bytes.error();
  return readBytes(file, *bytes, limits);
}

Result<TriangleMesh> loadMesh(const fs::path& file, const MeshFileLimits& limits, int workers) {
  return orOutOfMemory("cannot load a mesh", [&] { return load(file, limits, workers); });
}

Result<TriangleMesh> loadMesh(const std::string& file, int workers) {
  return orOutOfMemory("cannot load a mesh", [&] { return load(file, {}, workers); });
}

Real usualWeldDistance(const TriangleMesh& mesh, int workers) {
  const std::size_t count = mesh.triangles.size();
  std::vector<Box> boxes(chunksOf(count));
  forChunks(count, workers, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t t = begin; t < end; ++t)
      for (const Vec3& p : mesh.corners(t)) boxes[chunk].include(p);
  });
  Box box;
  for (const Box& part : boxes) box.include(part);
  std::vector<Real> radii(boxes.size(), 0.0);
  forChunks(count, workers, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    Real radius = 0.0;  // squared
    for (std::size_t t = begin; t < end; ++t)
      for (const Vec3& p : mesh.corners(t))
        radius = std::max(radius, squaredDistance(p, box.centre()));
    radii[chunk] = radius;
  });
  return radii.empty() ? 0.0 : 1e-6 * std::sqrt(*std::max_element(radii.begin(), radii.end()));
}

}  // namespace nearmiss
