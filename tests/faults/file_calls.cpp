// SPDX-License-Identifier: MIT
#include "faults/file_calls.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

using nearmiss::test::Fate;
using nearmiss::test::fateOf;
using nearmiss::test::FileCall;
using nearmiss::test::lengthFor;

extern "C" {

int open(const char* name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (fateOf(FileCall::Open) == Fate::Failed) return -1;
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, name, flags, mode));
}

ssize_t read(int file, void* bytes, size_t size) {
  const Fate fate = fateOf(FileCall::Read);
  if (fate == Fate::Failed) return -1;
  return ::syscall(SYS_read, file, bytes, lengthFor(fate, size));
}

ssize_t write(int file, const void* bytes, size_t size) {
  const Fate fate = fateOf(FileCall::Write);
  if (fate == Fate::Failed) return -1;
  return ::syscall(SYS_write, file, bytes, lengthFor(fate, size));
}

int fsync(int file) {
  return fateOf(FileCall::Sync) == Fate::Failed ? -1 : static_cast<int>(::syscall(SYS_fsync, file));
}

/// The file is closed all the same, as Linux has it.
int close(int file) {
  const bool failed = fateOf(FileCall::Close) == Fate::Failed;
  const int error = errno;
  const auto closed = static_cast<int>(::syscall(SYS_close, file));
  if (!failed) return closed;
  errno = error;
  return -1;
}

int rename(const char* from, const char* to) noexcept {
  if (fateOf(FileCall::Rename) == Fate::Failed) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int ftruncate(int file, off_t length) noexcept {
  return fateOf(FileCall::Truncate) == Fate::Failed
             ? -1
             : static_cast<int>(::syscall(SYS_ftruncate, file, length));
}
}
