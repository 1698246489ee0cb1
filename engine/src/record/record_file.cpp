// SPDX-License-Identifier: MIT
#include "record/record_file.h"

#include <engine/base/atomic_file.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace nearmiss::engine {
namespace {

constexpr std::size_t flushAt = 1 << 15;
constexpr double flushEvery = 1.0;  // seconds of wall time

}  // namespace

Result<std::unique_ptr<RecordFile>> RecordFile::open(const std::filesystem::path& file,
                                                     std::string beginning) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (const int error = errno; descriptor < 0) return cannotWrite(file, error);
  std::unique_ptr<RecordFile> opened(new RecordFile(file, descriptor));
  opened->lines_ += beginning;
  opened->flush();
  if (const auto fault = opened->error()) return *fault;
  return opened;
}

RecordFile::RecordFile(std::filesystem::path file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {
  struct stat about {};
  regular_ = ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
  lines_.reserve(2 * flushAt);
}

RecordFile::~RecordFile() {
  if (descriptor_ < 0) return;
  flush();
  ::close(descriptor_);
}

void RecordFile::flush() {
  if (error_ == 0 && !lines_.empty()) {
    error_ = writeFully(descriptor_, lines_);
    if (error_ == 0) written_ += lines_.size();
    // Undo a partial write, so that the file ends with a whole line
    else if (regular_ && ::ftruncate(descriptor_, static_cast<off_t>(written_)) != 0)
      regular_ = false;
  }
  lines_.clear();
}

void RecordFile::flushIfDue(double wallSeconds) {
  // At most the last second is lost if the program is killed
  if (lines_.size() < flushAt && wallSeconds < flushedAt_ + flushEvery) return;
  flushedAt_ = wallSeconds;
  flush();
}

std::optional<Error> RecordFile::error() const {
  if (error_ == 0) return std::nullopt;
  return cannotWrite(file_, error_);
}

Result<Success> RecordFile::close() {
  flush();
  if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
  if (const auto fault = error()) return *fault;
  return Success{};
}

}  // namespace nearmiss::engine
