// SPDX-License-Identifier: MIT
#include <engine/model/cancellable_loading.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <system_error>

#include "model/coordinate_check.h"
#include "model/declared_counts.h"
#include "model/format/mesh_files.h"
#include "model/guarded.h"
#include "model/isolated_call.h"
#include "model/model_assembly.h"
#include "model/reading_memory.h"
#include "model/refusal.h"
#include "model/scene_reader.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

/// Valid files nest a dozen levels.
constexpr int deepestJson = 64;

/// Refuses what is no regular file, or larger than allowed.
Result<Success> checkFile(const fs::path& file, const LoadOptions& options) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status))
    return Error{
        ErrorCode::NotFound,
        fmt::format("cannot open \"{}\" ({}).", file.string(),
                    status.type() == fs::file_type::not_found ? "No such file" : failed.message())};
  if (!fs::is_regular_file(status))
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot open \"{}\" ({}).", file.string(),
                             fs::is_directory(status) ? "Is a directory" : "Not a regular file")};
  const std::uintmax_t size = fs::file_size(file, failed);
  if (failed)
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot open \"{}\" ({}).", file.string(), failed.message())};
  if (size > options.maxFileBytes)
    return Error{ErrorCode::TooLarge,
                 fmt::format("\"{}\": {} bytes, more than the {} that are allowed", file.string(),
                             size, options.maxFileBytes)};
  if (size == 0) return badFormat(file, "the file is empty");
  errno = 0;
  const bool opens = std::ifstream(file, std::ios::binary).is_open();
  const int error = errno;
  if (!opens)
    return Error{ErrorCode::Unreadable, fmt::format("cannot open \"{}\" ({}).", file.string(),
                                                    std::generic_category().message(error))};
  return Success{};
}

/// Whether the file is JSON, plain or in a binary glTF, whose brackets nest deeper than allowed:
/// the parser behind assimp recurses as deep as they do and would end the program.
bool nestsTooDeep(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  char magic[4] = {};
  stream.read(magic, sizeof magic);
  stream.clear();
  stream.seekg(std::memcmp(magic, "glTF", sizeof magic) == 0 ? 20 : 0);
  int depth = 0;
  bool quoted = false, escaped = false;
  for (std::istreambuf_iterator<char> c(stream), end; c != end; ++c) {
    if (escaped) {
      escaped = false;
    } else if (quoted) {
      escaped = *c == '\\';
      quoted = *c != '"';
    } else if (*c == '"') {
      quoted = true;
    } else if (*c == '[' || *c == '{') {
      if (++depth > deepestJson) return true;
    } else if (*c == ']' || *c == '}') {
      --depth;
    } else if (depth <= 0 && !std::isspace(static_cast<unsigned char>(*c))) {
      return false;
    }
  }
  return false;
}

/// Reads one of the formats in which most meshes come, whole.
Result<Soup> readMesh(const MeshFileFormat& format, const fs::path& file,
                      const LoadOptions& options) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  Result<Soup> soup = format.read(bytes, file, options);
  if (!soup) return refusal(file, soup.error().code, soup.error().message);
  if (soup->mesh.triangles.empty()) return refusal(file, ErrorCode::EmptyMesh, "0 triangles");
  for (const Vec3& position : soup->mesh.positions)
    if (const std::string_view fault = coordinateFault(position); !fault.empty())
      return badFormat(file, fault);
  return soup;
}

/// Catches what a foreign reader throws, except for the lack of memory.
Result<Soup> readSoupOrSay(const fs::path& file, const LoadOptions& options) {
  try {
    if (nestsTooDeep(file))
      return badFormat(file, fmt::format("its JSON nests deeper than {} levels", deepestJson));
    if (const auto fault = impossibleCount(file)) return badFormat(file, *fault);
    if (const MeshFileFormat* format = meshFileFormat(file))
      return readMesh(*format, file, options);
    return readScene(file, options);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& fault) {
    return badFormat(file, fault.what());
  }
}

Result<LoadedModel> load(const fs::path& file, const LoadOptions& options,
                         const std::atomic<bool>* cancelled) {
  const Result<Success> allowed = checkFile(file, options);
  if (!allowed) return allowed.error();

  // Foreign readers may crash on some file: run them in another process
  std::error_code ignored;
  const std::uintmax_t size = fs::file_size(file, ignored);
  IsolationLimits limits;
  limits.processorTime = options.maxTime + secondsFor(size);
  limits.memoryBytes = usualMemory + memoryFor(size);
  limits.cancelled = cancelled;
  const auto read = [&] { return pack(readSoupOrSay(file, options)); };
  const auto bytes =
      canIsolate() ? callIsolated(read, limits) : Result<std::vector<std::byte>>(read());
  if (!bytes)
    return Error{bytes.error().code,
                 fmt::format("\"{}\": {}", file.string(), bytes.error().message)};
  Result<Soup> soup = unpack(*bytes, file);
  if (!soup) return soup.error();
  return assembleModel(std::move(*soup), file, options, cancelled);
}

}  // namespace

Result<LoadedModel> loadModel(const fs::path& file, const LoadOptions& options) {
  return guarded([&] { return load(file, options, nullptr); });
}

Result<LoadedModel> loadModel(const fs::path& file, const LoadOptions& options,
                              const std::atomic<bool>& cancelled) {
  return guarded([&] { return load(file, options, &cancelled); });
}

}  // namespace nearmiss::engine
