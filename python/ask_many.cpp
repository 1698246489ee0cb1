// SPDX-License-Identifier: MIT
#include "ask_many.h"

#include <nearmiss/advanced/worker_pool.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

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

  [[nodiscard]] std::size_t usualChunk() const noexcept { return chunk_; }

  /// Answers queries until none is left, or until goesOn() is false at the end of a chunk. Calls
  /// `pause` after each query.
  /// @param budgetOf returns the budget of the next query
  void work(const Ask& ask, std::size_t chunk, const auto& budgetOf, const auto& pause,
            const auto& goesOn) noexcept {
    try {
      while (!stopped_ && goesOn()) {
        const std::size_t first = next_.fetch_add(chunk);
        if (first >= count_) return;
        const std::size_t end = std::min(first + chunk, count_);
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

  /// Called by each thread besides the calling one when it begins and ends.
  void beginHelp() noexcept {
    const std::lock_guard alone(mutex_);
    ++helping_;
  }
  void endHelp() noexcept {
    const std::lock_guard alone(mutex_);
    --helping_;
    changed_.notify_all();
  }
  /// Waits a while for the other threads to end. Returns true if they have.
  bool awaitHelp() {
    constexpr std::chrono::milliseconds pause(50);
    std::unique_lock alone(mutex_);
    return changed_.wait_for(alone, pause, [&] { return helping_ == 0; });
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
  std::size_t helping_ = 0;
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

/// Answers queries on a thread besides the calling one.
void help(Queries& queries, std::optional<Clock::Duration> budget,
          const std::function<Ask()>& makeAsk) noexcept {
  if (!queries.leftOver()) return;
  queries.beginHelp();
  StoppedClock clock(queries.stopped());
  try {
    queries.work(
        makeAsk(), queries.usualChunk(),
        [&] { return TimeBudget(clock, budget.value_or(Clock::Duration::max())); }, [] {},
        [] { return true; });
  } catch (const std::exception&) {
    // Without memory for a query of its own, this thread leaves the work to the others
  }
  queries.endHelp();
}

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
             std::optional<int> workers, const std::function<Ask()>& makeAsk, WorldLock* lock,
             const std::function<void()>& share) {
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
    const Ask ask = makeAsk();
    const auto pause = [&] {
      if (clock.interrupted()) queries.stop();
    };
    const auto work = [&](std::size_t chunk, const auto& goesOn) {
      queries.work(
          ask, chunk, [&] { return clock.budget(budget); }, pause, goesOn);
    };
    pause();
    if (threads > 1) {
      // Query by query, so that none waits when others can help
      const auto begin = std::chrono::steady_clock::now();
      bool first = true;
      work(1, [&] {
        return std::exchange(first, false) || std::chrono::steady_clock::now() - begin < alone;
      });
      if (queries.leftOver()) {
        if (share) share();
        WorkerPool pool(static_cast<int>(threads));
        pool.run([&](int worker) {
          if (worker > 0) return help(queries, each, makeAsk);
          work(queries.usualChunk(), [] { return true; });
          // Others may be in long queries: wait where signals are heard
          while (!queries.awaitHelp()) {
            static_cast<void>(clock.now());
            pause();
          }
        });
      }
    } else {
      work(queries.usualChunk(), [] { return true; });
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
  std::atomic<std::size_t> next{0};
  const auto copyParts = [&](int) {
    for (std::size_t part = next++; part < parts; part = next++)
      std::copy(from + size * part / parts, from + size * (part + 1) / parts,
                copy.get() + size * part / parts);
  };
  if (parts > 1)
    WorkerPool(static_cast<int>(parts)).run(copyParts);
  else
    copyParts(0);
  return copy;
}

}  // namespace nearmiss::python
