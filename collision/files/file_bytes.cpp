// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <nearmiss/detail/file_bytes.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace nearmiss {
namespace {

/// Closes its file when destroyed.
struct OpenFile {
  explicit OpenFile(const std::filesystem::path& file) noexcept
      : number(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number >= 0) ::close(number);
  }
  int number;
};

}  // namespace

int readFile(const std::filesystem::path& file, std::uintmax_t most, std::string& bytes) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  bytes.clear();
  const OpenFile open(file);
  struct stat about {};
  if (open.number < 0 || ::fstat(open.number, &about) != 0) return errno;

  // The announced size is only an initial capacity: the file may grow, shrink, or announce nothing
  const auto announced = static_cast<std::uintmax_t>(std::max<off_t>(about.st_size, 0));
  if (announced > most) return EFBIG;
  std::size_t length = 0;
  bytes.resize(static_cast<std::size_t>(announced) + 1);
  for (;;) {
    const ssize_t n = ::read(open.number, bytes.data() + length, bytes.size() - length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      bytes.clear();
      return error;
    }
    length += static_cast<std::size_t>(n);
    if (n == 0 || length > most) break;
    if (length == bytes.size()) bytes.resize(length + std::max(piece, length / 2));
  }
  bytes.resize(std::min(length, bytes.size()));
  return length > most ? EFBIG : 0;
}

}  // namespace nearmiss
