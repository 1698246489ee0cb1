// SPDX-License-Identifier: MIT
#include "isolated_call.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <system_error>

namespace nearmiss::engine {
namespace {

using std::chrono::steady_clock;

constexpr int exitDone = 0, exitNoMemory = 3, exitThrew = 4;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NEARMISS_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NEARMISS_SANITIZED
#endif
#ifdef NEARMISS_SANITIZED
constexpr bool memoryCanBeLimited = false;  // sanitizers reserve terabytes of addresses
#else
constexpr bool memoryCanBeLimited = true;
#endif

bool writeAll(int descriptor, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

/// The child's life; never returns, and runs nothing that the parent left for its own end.
[[noreturn]] void live(const std::function<std::vector<std::byte>()>& work, int out,
                       const IsolationLimits& limits) noexcept {
  // A crash of the child is an answer, not an event: no noise, no core file, no handlers
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  // Keep no end of another child's pipe: its reader would wait for this one as well
  constexpr int ownEnd = 3;
  if (out != ownEnd) ::dup2(out, ownEnd);
  ::close_range(ownEnd + 1, ~0u, 0);
  for (const int fatal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGXCPU})
    ::signal(fatal, SIG_DFL);
  ::signal(SIGINT, SIG_IGN);  // the parent decides what ctrl-C means
  const rlimit noCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  const auto seconds = static_cast<rlim_t>(limits.processorTime.count());
  const rlimit time{seconds, seconds + 1};
  ::setrlimit(RLIMIT_CPU, &time);
  if (memoryCanBeLimited) {
    const rlimit memory{limits.memoryBytes, limits.memoryBytes};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  try {
    const std::vector<std::byte> result = work();
    ::_exit(writeAll(ownEnd, result) ? exitDone : exitThrew);
  } catch (const std::bad_alloc&) {
    ::_exit(exitNoMemory);
  } catch (...) {
    ::_exit(exitThrew);
  }
}

/// Reads until the child closes its end; false when time or room is up.
bool readAll(int in, steady_clock::time_point end, std::size_t most,
             std::vector<std::byte>& result) {
  std::array<std::byte, 1 << 16> block;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - steady_clock::now()).count();
    pollfd ready{in, POLLIN, 0};
    const int count = ::poll(&ready, 1, static_cast<int>(std::clamp<long>(left, 0, 1 << 30)));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    const ssize_t n = ::read(in, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    if (result.size() + static_cast<std::size_t>(n) > most) return false;
    result.insert(result.end(), block.begin(), block.begin() + n);
  }
}

int waitFor(pid_t child) noexcept {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Error noProcess() {
  return {ErrorCode::Unreadable,
          "no process can be started to read it: " + std::generic_category().message(errno)};
}

}  // namespace

Result<std::vector<std::byte>> callIsolated(const std::function<std::vector<std::byte>()>& work,
                                            const IsolationLimits& limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return noProcess();
  const pid_t child = ::fork();
  if (child < 0) {
    const Error error = noProcess();
    ::close(ends[0]);
    ::close(ends[1]);
    return error;
  }
  if (child == 0) {
    ::close(ends[0]);
    live(work, ends[1], limits);
  }
  ::close(ends[1]);

  std::vector<std::byte> result;
  const bool whole =
      readAll(ends[0], steady_clock::now() + limits.wallTime, limits.resultBytes, result);
  ::close(ends[0]);
  if (!whole) ::kill(child, SIGKILL);
  const int status = waitFor(child);
  const bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  if (!whole || late)
    return Error{ErrorCode::BadFormat,
                 fmt::format("reading it took more than {} s",
                             late ? limits.processorTime.count() : limits.wallTime.count())};
  if (WIFEXITED(status) && WEXITSTATUS(status) == exitDone) return result;
  if (WIFEXITED(status) && WEXITSTATUS(status) == exitNoMemory)
    return Error{ErrorCode::TooLarge, "not enough memory for what it claims to hold"};
  if (WIFSIGNALED(status))
    return Error{ErrorCode::BadFormat,
                 fmt::format("the reader of this format breaks off on it ({})",
                             ::strsignal(WTERMSIG(status)))};
  return Error{ErrorCode::BadFormat, "the reader of this format fails on it"};
}

}  // namespace nearmiss::engine
