// SPDX-License-Identifier: MIT
/// Counts what a test program asks of the system for files, and lets one call fail. A program that
/// uses this links file_calls.cpp, which replaces functions of the C library.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>

namespace nearmiss::test {

enum class FileCall : std::uint8_t { Open, Read, Write, Sync, Close, Rename, Truncate };

enum class FaultKind : std::uint8_t {
  Fails,         ///< with `error`, and nothing is done
  FailsOnwards,  ///< so do all calls of the kind after it: a full disk, a server that is gone
  Short,         ///< reads or writes less than was asked for, at least a byte
  Interrupted    ///< by a signal, once
};

/// One fault that is to come: the call with this number, from 0, of a kind of calls.
struct FileFault {
  FileCall call = FileCall::Read;
  FaultKind kind = FaultKind::Fails;
  int error = EIO;
  std::size_t number = static_cast<std::size_t>(-1);
};

struct FileCalls {
  bool watched = false;
  FileFault fault;
  std::size_t made[7] = {};
  bool struck = false;  ///< the fault has come
};
inline FileCalls fileCalls;

/// How often `run()` makes calls of a kind, where `fault` strikes.
inline std::size_t callsIn(const FileFault& fault, const auto& run) {
  fileCalls = {};
  fileCalls.fault = fault;
  fileCalls.watched = true;
  run();
  fileCalls.watched = false;
  return fileCalls.made[static_cast<std::size_t>(fault.call)];
}

/// What becomes of a call that is made now.
enum class Fate : std::uint8_t { Done, Failed, Shortened };
inline Fate fateOf(FileCall call) noexcept {
  if (!fileCalls.watched) return Fate::Done;
  const std::size_t number = fileCalls.made[static_cast<std::size_t>(call)]++;
  const FileFault& fault = fileCalls.fault;
  const bool onwards = fault.kind == FaultKind::FailsOnwards && number > fault.number;
  if (fault.call != call || (number != fault.number && !onwards)) return Fate::Done;
  fileCalls.struck = true;
  if (fault.kind == FaultKind::Short) return Fate::Shortened;
  errno = fault.kind == FaultKind::Interrupted ? EINTR : fault.error;
  return Fate::Failed;
}

/// Number of descriptors that the program has open.
[[nodiscard]] inline std::ptrdiff_t openFiles() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

inline std::size_t lengthFor(Fate fate, std::size_t size) noexcept {
  return fate == Fate::Shortened && size > 1 ? (size + 1) / 2 : size;
}

}  // namespace nearmiss::test
