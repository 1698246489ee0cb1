// SPDX-License-Identifier: MIT
#include "ask_many.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "unlocked.h"

namespace nearmiss::python {
namespace {

/// The queries of one call, which its threads take in chunks.
class Queries {
 public:
  Queries(std::size_t count, std::size_t workers)
      : count_(count),
        chunk_(std::clamp<std::size_t>(count / (16 * workers), 1, 256)),
        refusedAt_(count) {}

  /// Answers queries until none is left. Calls `pause` after each.
  /// @param budgetOf returns the budget of the next query
  void work(const Ask& ask, const auto& budgetOf, const auto& pause) noexcept {
    try {
      while (!stopped_) {
        const std::size_t first = next_.fetch_add(chunk_);
        if (first >= count_) return;
        const std::size_t end = std::min(first + chunk_, count_);
        std::size_t answered = 0;
        for (std::size_t i = first; i < end && !stopped_ && i < refusedAt_; ++i, ++answered) {
          try {
            ask(i, budgetOf());
          } catch (const Failure& failure) {
            refuse(i, failure.what());
            break;
          }
          pause();
          if (stopped_) break;
        }
        answered_ += answered;
      }
    } catch (...) {
      const std::lock_guard alone(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
      stopped_ = true;
    }
  }

  void stop() noexcept { stopped_ = true; }
  [[nodiscard]] const std::atomic<bool>& stopped() const noexcept { return stopped_; }
  [[nodiscard]] bool leftOver() const noexcept { return !stopped_ && next_ < count_; }

  /// A thread has ended its work.
  void end() noexcept {
    const std::lock_guard alone(mutex_);
    ++ended_;
    changed_.notify_all();
  }
  /// Waits a while for `threads` threads to end. Returns true if they have.
  bool awaitEnd(std::size_t threads) {
    constexpr std::chrono::milliseconds pause(50);
    std::unique_lock alone(mutex_);
    return changed_.wait_for(alone, pause, [&] { return ended_ == threads; });
  }

  /// @throws the exception of a thread, or Failure for a query that was refused
  void raise(const char* name) const {
    if (thrown_) std::rethrow_exception(thrown_);
    if (refusedAt_ < count_)
      throw Failure(std::string(name) + " " + std::to_string(refusedAt_) + ": " + refusal_);
  }
  [[nodiscard]] bool complete() const noexcept { return answered_ == count_; }

 private:
  /// Threads take chunks in ascending order and finish those before a refused query. The lowest
  /// index that is refused is therefore always found.
  void refuse(std::size_t i, const char* words) {
    const std::lock_guard alone(mutex_);
    if (i >= refusedAt_) return;
    refusal_ = words;
    refusedAt_ = i;
  }

  const std::size_t count_, chunk_;
  std::atomic<std::size_t> next_{0}, answered_{0}, refusedAt_;
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t ended_ = 0;
  std::string refusal_;
  std::exception_ptr thrown_;
};

/// Wall time of a thread that Python does not know. Ends when the calling thread stops it.
class StoppedClock final : public Clock {
 public:
  explicit StoppedClock(const std::atomic<bool>& stopped) : stopped_(stopped) {}
  [[nodiscard]] Duration now() const noexcept override {
    return stopped_ ? Duration::max() : wall_.now();
  }

 private:
  SteadyClock wall_;
  const std::atomic<bool>& stopped_;
};

/// The threads that help the calling one. Joined at the end of its scope.
class Helpers {
 public:
  Helpers(Queries& queries, std::optional<Clock::Duration> budget,
          const std::function<Ask()>& makeAsk)
      : queries_(queries), budget_(budget), makeAsk_(makeAsk) {}
  ~Helpers() {
    for (std::thread& thread : threads_) thread.join();
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  void start(std::size_t count) noexcept {
    try {
      threads_.reserve(count);
      while (threads_.size() < count) threads_.emplace_back([this] { work(); });
    } catch (const std::exception&) {
      // Without memory or threads for more helpers, the present threads do the work
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return threads_.size(); }

 private:
  void work() noexcept {
    StoppedClock clock(queries_.stopped());
    try {
      const Ask ask = makeAsk_();
      queries_.work(
          ask, [&] { return TimeBudget(clock, budget_.value_or(Clock::Duration::max())); }, [] {});
    } catch (const std::exception&) {
      // Without memory for a query of its own, this thread leaves the work to the others
    }
    queries_.end();
  }

  Queries& queries_;
  std::optional<Clock::Duration> budget_;
  const std::function<Ask()>& makeAsk_;
  std::vector<std::thread> threads_;
};

}  // namespace

std::size_t workerCount(std::optional<int> workers) {
  constexpr int most = 1024;
  if (!workers) return std::max(1u, std::thread::hardware_concurrency());
  if (*workers < 1 || *workers > most)
    throw Failure("workers is " + std::to_string(*workers) + ", but must be 1 to " +
                  std::to_string(most) + ", or None for one per core");
  return static_cast<std::size_t>(*workers);
}

void askMany(std::size_t count, const char* name, std::optional<double> budget,
             std::optional<int> workers, const std::function<Ask()>& makeAsk, WorldLock* lock) {
  // Starting a thread takes about this long
  constexpr std::chrono::microseconds alone(200);
  const std::size_t threads = std::min(workerCount(workers), std::max<std::size_t>(count, 1));
  HeardClock clock;
  static_cast<void>(clock.budget(budget));
  Queries queries(count, threads);
  {
    const Unlocked unlocked;
    std::unique_lock<WorldLock> held;
    if (lock) held = std::unique_lock(*lock);
    std::optional<Clock::Duration> each;
    if (budget)
      each = std::chrono::duration_cast<Clock::Duration>(std::chrono::duration<double>(*budget));
    Helpers helpers(queries, each, makeAsk);
    const auto begin = std::chrono::steady_clock::now();
    bool started = threads == 1;
    const auto pause = [&] {
      if (clock.interrupted()) queries.stop();
      if (started || std::chrono::steady_clock::now() - begin < alone) return;
      started = true;
      if (queries.leftOver()) helpers.start(threads - 1);
    };
    pause();
    queries.work(
        makeAsk(), [&] { return clock.budget(budget); }, pause);
    while (!queries.awaitEnd(helpers.size())) {
      static_cast<void>(clock.now());
      if (clock.interrupted()) queries.stop();
    }
  }
  // Python already has the exception of a signal
  clock.raiseIfInterrupted();
  queries.raise(name);
  clock.raiseUnless(queries.complete());
}

std::unique_ptr<double[]> copyOf(const Vertices& numbers, std::size_t workers) {
  constexpr std::size_t share = std::size_t{1} << 18;  // fewer are copied before a thread starts
  const auto size = static_cast<std::size_t>(numbers.size());
  std::unique_ptr<double[]> copy(new double[size]);
  const double* const from = numbers.data();
  const std::size_t parts = std::clamp<std::size_t>(size / share, 1, workers);
  std::vector<std::thread> threads;
  std::size_t first = 0;
  for (std::size_t part = 1; part < parts; ++part) {
    const std::size_t end = size / parts * part;
    try {
      threads.emplace_back(
          [first, end, from, to = copy.get()] { std::copy(from + first, from + end, to + first); });
    } catch (const std::exception&) {
      break;
    }
    first = end;
  }
  std::copy(from + first, from + size, copy.get() + first);
  for (std::thread& thread : threads) thread.join();
  return copy;
}

}  // namespace nearmiss::python
