// SPDX-License-Identifier: MIT
#include "model/isolated_call.h"

#include <dirent.h>
#include <engine/base/atomic_file.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "model/guarded.h"

namespace nearmiss::engine {
namespace {

using std::chrono::steady_clock;

constexpr int exitDone = 0, exitNoMemory = 3, exitThrew = 4, exitMachineFull = 5;

/// First word from a child: the length of its result, or its exit code instead of one. The exit
/// status is not enough: it is unavailable if children are ignored or another thread waits for
/// them, and a crash may leave a truncated result.
using Announcement = std::uint64_t;
constexpr Announcement firstCode = ~Announcement{0xff};

[[noreturn]] void endWith(int code, int out) noexcept {
  const Announcement told = firstCode + static_cast<Announcement>(code);
  // If this fails, the exit code still says it
  (void)writeFully(out, {reinterpret_cast<const char*>(&told), sizeof told});
  ::_exit(code);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NEARMISS_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NEARMISS_SANITIZED
#endif
#ifdef NEARMISS_SANITIZED
constexpr bool memoryCanBeLimited = false;  // sanitizers reserve terabytes of address space
#else
constexpr bool memoryCanBeLimited = true;
#endif

/// Address space in use by this process, which includes the caller's because of fork.
std::size_t addressesInUse() noexcept {
  std::array<char, 64> text{};
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t n = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  std::size_t pages = 0;
  if (n > 0) std::from_chars(text.data(), text.data() + n, pages);
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Sets a limit. Returns false if the system's limit is lower, and keeps that.
bool limitTo(decltype(RLIMIT_AS) resource, std::size_t value) noexcept {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  const bool lowest = value <= limit.rlim_cur;
  if (lowest) limit.rlim_cur = static_cast<rlim_t>(value);
  ::setrlimit(resource, &limit);
  return lowest;
}

/// Raises a limit set by limitTo().
void raise(decltype(RLIMIT_AS) resource, std::size_t by) noexcept {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  if (limit.rlim_cur == RLIM_INFINITY) return;
  limit.rlim_cur = std::min(limit.rlim_cur + static_cast<rlim_t>(by), limit.rlim_max);
  ::setrlimit(resource, &limit);
}

/// Runs the child. Never returns, and does not run the parent's exit handlers.
[[noreturn]] void live(const std::function<std::vector<std::byte>()>& work, int out, pid_t parent,
                       const IsolationLimits& limits) noexcept {
  // The parent may be killed at any time, or already have been
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(exitThrew);
  // A crash of the child is a result: no message, no core file, no handlers
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  // Close the pipe ends of other children, whose readers would wait for this child
  constexpr int ownEnd = 3;
  if (out != ownEnd) ::dup2(out, ownEnd);
  ::close_range(ownEnd + 1, ~0u, 0);
  for (const int fatal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGXCPU})
    ::signal(fatal, SIG_DFL);
  ::signal(SIGINT, SIG_IGN);  // the parent decides what ctrl-C means
  const rlimit noCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  limitTo(RLIMIT_CPU, static_cast<std::size_t>(limits.processorTime.count()));
  bool ours = true;
  if (memoryCanBeLimited) ours = limitTo(RLIMIT_AS, addressesInUse() + limits.memoryBytes);
  try {
    const std::vector<std::byte> result = work();
    const std::string_view bytes(reinterpret_cast<const char*>(result.data()), result.size());
    const Announcement length = bytes.size();
    const bool told =
        writeFully(ownEnd, {reinterpret_cast<const char*>(&length), sizeof length}) == 0;
    ::_exit(told && writeFully(ownEnd, bytes) == 0 ? exitDone : exitThrew);
  } catch (const std::bad_alloc&) {
    endWith(ours ? exitNoMemory : exitMachineFull, ownEnd);
  } catch (...) {
    endWith(exitThrew, ownEnd);
  }
}

enum class Reading { Ended, Late, TooMuch, Cancelled };

/// Data received from a child.
class Received {
 public:
  /// Returns false if the result exceeds `most` bytes.
  bool add(std::span<const std::byte> more, std::size_t most) {
    const std::size_t head = std::min(more.size(), sizeof announced_ - headBytes_);
    std::memcpy(reinterpret_cast<char*>(&announced_) + headBytes_, more.data(), head);
    headBytes_ += head;
    more = more.subspan(head);
    if (more.size() > most - result_.size()) return false;
    result_.insert(result_.end(), more.begin(), more.end());
    return true;
  }
  [[nodiscard]] bool isWhole() const noexcept {
    return headBytes_ == sizeof announced_ && announced_ == result_.size();
  }
  /// The exit code that the child announced instead of a result.
  [[nodiscard]] std::optional<int> code() const noexcept {
    if (headBytes_ < sizeof announced_ || announced_ < firstCode) return std::nullopt;
    return static_cast<int>(announced_ - firstCode);
  }
  std::vector<std::byte> take() noexcept { return std::move(result_); }

 private:
  Announcement announced_ = 0;
  std::size_t headBytes_ = 0;  ///< received bytes of `announced_`
  std::vector<std::byte> result_;
};

/// Reads until the child closes its end or a limit of time or size is reached.
Reading readAll(int in, const IsolationLimits& limits, Received& received) {
  constexpr std::chrono::milliseconds glance{20};
  const auto end = steady_clock::now() + limits.wallTime;
  std::array<std::byte, 1 << 16> block;
  while (true) {
    if (limits.cancelled && *limits.cancelled) return Reading::Cancelled;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - steady_clock::now());
    if (left.count() <= 0) return Reading::Late;
    pollfd ready{in, POLLIN, 0};
    const auto patience = limits.cancelled ? std::min(left, glance) : left;
    const int count =
        ::poll(&ready, 1, static_cast<int>(std::min<long>(patience.count(), 1 << 30)));
    if (count == 0 || (count < 0 && errno == EINTR)) continue;
    if (count < 0) return Reading::Late;
    const ssize_t n = ::read(in, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Reading::Ended;
    if (!received.add(std::span(block).first(static_cast<std::size_t>(n)), limits.resultBytes))
      return Reading::TooMuch;
  }
}

/// A child process and the read end of its pipe. The destructor ends both.
class Child {
 public:
  Child(pid_t process, int in) noexcept : process_(process), in_(in) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (process_ > 0) end(true);
  }
  [[nodiscard]] int in() const noexcept { return in_; }
  /// Waits for the child to exit and returns its status, or `nullopt` if it is unavailable.
  std::optional<int> end(bool immediately) noexcept {
    ::close(in_);
    const pid_t process = std::exchange(process_, 0);
    if (immediately) ::kill(process, SIGKILL);
    int status = 0;
    pid_t ended = 0;
    do ended = ::waitpid(process, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 ? std::nullopt : std::optional(status);
  }

 private:
  pid_t process_;
  int in_;
};

Error noProcess(int error) {
  return {ErrorCode::OutOfMemory,
          "cannot start a process to read it: " + std::generic_category().message(error)};
}

Error tooMuchMemory(std::size_t bytes) {
  return {ErrorCode::TooLarge,
          fmt::format("reading it takes more than the {} MiB of memory that a file like it may use",
                      bytes >> 20)};
}

/// The error of a child that ended without a result. `code`: see Received::code().
Error faultOf(std::optional<int> status, std::optional<int> code, Reading reading,
              const IsolationLimits& limits) {
  if (reading == Reading::Cancelled) return {ErrorCode::Cancelled, "reading it was cancelled"};
  if (reading == Reading::TooMuch) return tooMuchMemory(limits.resultBytes);
  if (reading == Reading::Late)
    return {ErrorCode::BadFormat,
            fmt::format("reading it took more than {} s", limits.wallTime.count())};
  if (status && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGXCPU)
    return {ErrorCode::BadFormat,
            fmt::format("reading it took more than {} s of processor time, which is more than a "
                        "file like it may take",
                        limits.processorTime.count())};
  if (status && WIFSIGNALED(*status))
    return {ErrorCode::BadFormat, fmt::format("the reader of this format crashed on it ({})",
                                              ::strsignal(WTERMSIG(*status)))};
  if (code == exitNoMemory) return tooMuchMemory(limits.memoryBytes);
  if (code == exitMachineFull) return {ErrorCode::OutOfMemory, "not enough memory to read it"};
  if (!status && !code) return {ErrorCode::BadFormat, "the reader of this format crashed on it"};
  return {ErrorCode::BadFormat, "the reader of this format fails on it"};
}

}  // namespace

bool canIsolate() noexcept {
#ifdef NEARMISS_SANITIZED
  // Not std::filesystem: its iterator throws if memory runs out
  DIR* const tasks = ::opendir("/proc/self/task");
  if (!tasks) return false;
  int threads = 0;
  while (const dirent* entry = ::readdir(tasks)) threads += entry->d_name[0] != '.';
  ::closedir(tasks);
  return threads == 1;
#else
  return true;
#endif
}

void extendIsolation(std::size_t memoryBytes, std::chrono::seconds processorTime) noexcept {
  raise(RLIMIT_CPU, static_cast<std::size_t>(processorTime.count()));
  if (memoryCanBeLimited) raise(RLIMIT_AS, memoryBytes);
}

Result<std::vector<std::byte>> callIsolated(const std::function<std::vector<std::byte>()>& work,
                                            const IsolationLimits& limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return noProcess(errno);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) {
    const int error = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    return noProcess(error);
  }
  if (process == 0) {
    ::close(ends[0]);
    live(work, ends[1], parent, limits);
  }
  ::close(ends[1]);

  Child child(process, ends[0]);
  return guarded([&]() -> Result<std::vector<std::byte>> {
    Received received;
    const Reading reading = readAll(child.in(), limits, received);
    const auto status = child.end(reading != Reading::Ended);
    if (reading == Reading::Ended && received.isWhole()) return received.take();
    return faultOf(status, received.code(), reading, limits);
  });
}

}  // namespace nearmiss::engine
