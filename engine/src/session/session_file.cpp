// SPDX-License-Identifier: MIT
#include <engine/session/session.h>
#include <fmt/format.h>
#include <nearmiss/detail/file_bytes.h>
#include <nearmiss/detail/out_of_memory.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace nearmiss::engine {
namespace {

Result<std::string> bytesOf(const FilePath& file) {
  std::error_code failed;
  // A device or a pipe could be endless
  if (std::filesystem::exists(file, failed) && !std::filesystem::is_regular_file(file, failed))
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot read \"{}\": it is not a regular file", file.string())};
  if (const std::uintmax_t size = std::filesystem::file_size(file, failed);
      !failed && size > SessionSizes{}.file)
    return Error{ErrorCode::TooLarge, fmt::format("\"{}\" is larger than {} GiB", file.string(),
                                                  SessionSizes{}.file >> 30)};
  std::string bytes;
  if (const int error = readFile(file, SessionSizes{}.file, bytes))
    return Error{error == ENOENT ? ErrorCode::NotFound : ErrorCode::Unreadable,
                 fmt::format("cannot read \"{}\": {}", file.string(), std::strerror(error))};
  return bytes;
}

}  // namespace

Result<RecordedSession> RecordedSession::read(const FilePath& file, const Reading& goesOn) {
  const auto work = [&]() -> Result<RecordedSession> {
    const auto bytes = bytesOf(file);
    if (!bytes) return bytes.error();
    return fromBytes(*bytes, file, goesOn);
  };
  return orOutOfMemory(fmt::format("cannot read \"{}\"", file.string()), work);
}

}  // namespace nearmiss::engine
