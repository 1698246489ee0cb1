// SPDX-License-Identifier: MIT
#include <engine/base/atomic_file.h>
#include <nearmiss/detail/file_replacement.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <system_error>

namespace nearmiss::engine {

Error cannotWrite(const std::filesystem::path& file, int errorNumber) {
  return {ErrorCode::Unreadable, "cannot write \"" + file.string() +
                                     "\": " + std::generic_category().message(errorNumber)};
}

int writeFully(int descriptor, std::string_view contents) noexcept {
  while (!contents.empty()) {
    const ssize_t n = ::write(descriptor, contents.data(), contents.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return ENOSPC;
    contents.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

Result<Success> writeWhole(const std::filesystem::path& file, std::string_view contents) {
  if (const int error = replaceFile(file, {std::as_bytes(std::span(contents))}))
    return cannotWrite(file, error);
  return Success{};
}

Result<Success> checkWritable(const std::filesystem::path& file) {
  if (const int error = checkReplacement(file)) return cannotWrite(file, error);
  return Success{};
}

}  // namespace nearmiss::engine
