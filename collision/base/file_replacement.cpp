// SPDX-License-Identifier: MIT
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/detail/file_replacement.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include <climits>
#include <exception>
#include <memory>
#include <string>
#include <system_error>

namespace nearmiss {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = ".new-";

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Returns the beginning of the names of temporary files next to a file: its name, truncated to a
/// length that file systems accept.
std::string neighbourStem(const fs::path& file) {
  constexpr std::size_t longest = NAME_MAX - 40;
  return file.filename().string().substr(0, longest) + std::string(mark);
}

int writeFully(int file, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return ENOSPC;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return 0;
}

int writeAll(int file, std::initializer_list<std::span<const std::byte>> pieces) noexcept {
  for (const std::span<const std::byte> piece : pieces)
    if (const int error = writeFully(file, piece)) return error;
  return 0;
}

/// Writes to a pipe or a device, which has no sibling file to rename.
int writeInPlace(const fs::path& file, std::initializer_list<std::span<const std::byte>> pieces) {
  const int number = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (number < 0) return errno;
  int error = writeAll(number, pieces);
  if (::close(number) != 0 && error == 0) error = errno;
  return error;
}

/// Creates a new file and sets `name` to its name. Returns -1 with errno on failure.
int openNeighbour(const fs::path& file, mode_t mode, fs::path& name) {
  const std::string stem = neighbourStem(file) + std::to_string(::getpid()) + "-";
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = folderOf(file) / (stem + std::to_string(attempt));
    const int number = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (number >= 0 || errno != EEXIST) return number;
  }
  return -1;
}

/// Gives the new file the owner and the mode of the old one.
void inherit(int file, const struct stat& old) noexcept {
  const bool owned = ::fchown(file, old.st_uid, old.st_gid) == 0;
  // With a different owner, set-user-id rights would mean something else, so they are dropped
  constexpr mode_t plain = 0777, all = 07777;
  (void)::fchmod(file, old.st_mode & (owned ? all : plain));
}

/// Makes the renaming durable. Not being able to open or sync the folder is not an error: the file
/// is complete either way; only its name could be lost in a power failure.
void syncFolder(const fs::path& folder) noexcept {
  const int number = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number < 0) return;
  (void)::fsync(number);
  ::close(number);
}

/// Returns the process id in a temporary file's name, if `name` is stem, process and number;
/// otherwise 0.
pid_t writerOf(std::string_view name, std::size_t stem) noexcept {
  pid_t process = 0;
  int attempt = 0;
  const char* const end = name.data() + name.size();
  const auto first = std::from_chars(name.data() + stem, end, process);
  if (first.ec != std::errc() || process <= 0 || first.ptr == end || *first.ptr != '-') return 0;
  const auto second = std::from_chars(first.ptr + 1, end, attempt);
  return second.ec == std::errc() && second.ptr == end && attempt >= 0 ? process : 0;
}

bool isLeftOver(const fs::path& file, pid_t writer) noexcept {
  constexpr time_t minute = 60, day = 86400;
  struct stat about {};
  if (::lstat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
  // A process on another machine or in another container seems to have ended, but may still be
  // writing
  const bool gone = ::kill(writer, 0) != 0 && errno == ESRCH;
  return ::time(nullptr) - about.st_mtime > (gone ? minute : day);
}

/// Removes left-over temporary files. `fits(name)` returns the length of the stem of such a file's
/// name, or npos for other files.
void sweep(const fs::path& folder, const auto& fits) noexcept {
  // Not the standard library's iterator, which terminates the program if memory runs out
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> open(::opendir(folder.c_str()), close);
  if (!open) return;
  NEARMISS_TRY {
    while (const dirent* each = ::readdir(open.get())) {
      const std::string name = each->d_name;
      const std::size_t stem = fits(name);
      if (stem == std::string::npos) continue;
      const pid_t writer = writerOf(name, stem);
      const fs::path file = folder / name;
      if (writer > 0 && isLeftOver(file, writer)) ::unlink(file.c_str());
    }
  }
  NEARMISS_CATCH(const std::exception&) {
    // Out of memory: the next call cleans up
  }
}

}  // namespace

int followLinks(fs::path& file) {
  for (int links = 0; links < 40; ++links) {
    std::error_code notALink;
    const fs::path next = fs::read_symlink(file, notALink);
    if (notALink) return 0;
    file = next.is_absolute() ? next : folderOf(file) / next;
  }
  return ELOOP;
}

namespace {

/// Determines the path to write to for `file`, and what exists there. Returns 0 or the error
/// number.
int look(const fs::path& file, fs::path& target, struct stat& about, bool& present) {
  target = file;
  present = ::stat(file.c_str(), &about) == 0;
  if (!present && errno != ENOENT) return errno;
  if (present && S_ISDIR(about.st_mode)) return EISDIR;
  if (present && !S_ISREG(about.st_mode)) return 0;
  return followLinks(target);
}

}  // namespace

int replaceFile(const fs::path& file, std::initializer_list<std::span<const std::byte>> pieces) {
  fs::path target, neighbour;
  struct stat about {};
  bool present = false;
  if (const int error = look(file, target, about, present)) return error;
  if (present && !S_ISREG(about.st_mode)) return writeInPlace(file, pieces);
  // A file that is not writable must not be replaced either
  if (present && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) return errno;

  const std::string stem = neighbourStem(target);
  sweep(folderOf(target), [&stem](const std::string& name) {
    return name.starts_with(stem) ? stem.size() : std::string::npos;
  });
  const int number = openNeighbour(target, present ? 0600 : 0666, neighbour);
  if (number < 0) return errno;
  if (present) inherit(number, about);

  // The data must be on disk before the name, otherwise a power failure could leave an empty file
  int error = writeAll(number, pieces);
  if (error == 0 && ::fsync(number) != 0) error = errno;
  if (::close(number) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(neighbour.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0)
    ::unlink(neighbour.c_str());
  else
    syncFolder(folderOf(target));
  return error;
}

int checkReplacement(const fs::path& file) {
  fs::path target;
  struct stat about {};
  bool present = false;
  if (const int error = look(file, target, about, present)) return error;
  if (file.empty() || !target.has_filename()) return ENOENT;
  const bool regular = !present || S_ISREG(about.st_mode);
  if (present && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) return errno;
  if (!regular) return 0;
  const fs::path folder = folderOf(target);
  if (::stat(folder.c_str(), &about) != 0) return errno;
  if (!S_ISDIR(about.st_mode)) return ENOTDIR;
  return ::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

void removeLeftovers(const fs::path& folder, std::string_view ending) noexcept {
  sweep(folder, [ending](const std::string& name) {
    const std::size_t at = name.rfind(mark);
    const bool fits =
        at != std::string::npos && std::string_view(name).substr(0, at).ends_with(ending);
    return fits ? at + mark.size() : std::string::npos;
  });
}

}  // namespace nearmiss
