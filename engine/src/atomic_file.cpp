// SPDX-License-Identifier: MIT
#include <engine/atomic_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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
  struct stat about {};
  const bool special = ::stat(file.c_str(), &about) == 0 && !S_ISREG(about.st_mode);
  std::filesystem::path target = file;
  if (!special) target += ".new-" + std::to_string(::getpid());

  const int flags = O_WRONLY | O_CLOEXEC | (special ? 0 : O_CREAT | O_TRUNC);
  const int descriptor = ::open(target.c_str(), flags, 0666);
  if (descriptor < 0) return cannotWrite(file, errno);

  // The data must be on the disk before the name is, or a loss of power could leave an empty file
  int error = writeFully(descriptor, contents);
  if (!special && error == 0 && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (!special && error == 0 && ::rename(target.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) return Success{};
  if (!special) ::unlink(target.c_str());
  return cannotWrite(file, error);
}

}  // namespace nearmiss::engine
