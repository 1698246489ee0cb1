// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/worker_pool.h>
#include <nearmiss/detail/assertion.h>

#if !defined(NEARMISS_BARE)
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>
#endif

namespace nearmiss {
#if defined(NEARMISS_BARE)

struct WorkerPool::Threads {};

WorkerPool::WorkerPool(int) {}
WorkerPool::~WorkerPool() = default;
int WorkerPool::workers() const noexcept { return 1; }
void WorkerPool::runOnAll(Call call, const void* work) { call(work, 0); }

#else

namespace {

/// Number of polls for the next run before a thread sleeps, about 0.1 ms. The runs of a frame
/// follow each other sooner, and waking a thread takes as long as a small run.
constexpr int looks = 6'000;

/// Returns when `come` holds, or after a while.
void lookOutFor(const auto& come) noexcept {
  for (int look = 0; look < looks && !come(); ++look) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }
}

}  // namespace

struct WorkerPool::Threads {
  std::mutex mutex;  ///< guards the following members
  std::condition_variable begun, ended;
  Call call = nullptr;
  const void* work = nullptr;
  std::uint64_t runs = 0;              ///< number of runs so far, so that no thread joins one twice
  std::atomic<std::uint64_t> open{0};  ///< the current run; 0 once its caller has no more work
  std::atomic<int> busy{0};            ///< threads in the current run
  bool closing = false;
  std::exception_ptr thrown;
  /// True if each thread has its own core: waiting threads then do not delay working ones.
  bool roomy = false;
  std::vector<std::thread> threads;

  void serve(int worker);
  void keep(std::exception_ptr what) {
    const std::lock_guard lock(mutex);
    if (!thrown) thrown = std::move(what);
  }
};

void WorkerPool::Threads::serve(int worker) {
  std::uint64_t joined = 0;
  const auto called = [&] { return open != 0 && open != joined; };
  for (;;) {
    if (roomy) lookOutFor(called);
    std::unique_lock lock(mutex);
    begun.wait(lock, [&] { return closing || called(); });
    if (closing) return;
    joined = open;
    ++busy;
    const Call own = call;
    const void* const what = work;
    lock.unlock();
    try {
      own(what, worker);
    } catch (...) {
      keep(std::current_exception());
    }
    lock.lock();
    if (--busy == 0) ended.notify_one();
  }
}

WorkerPool::WorkerPool(int workers) : threads_(std::make_unique<Threads>()) {
  threads_->roomy = workers <= static_cast<int>(std::thread::hardware_concurrency());
  // If no further thread can be started, the others do more
  try {
    for (int worker = 1; worker < workers; ++worker)
      threads_->threads.emplace_back(&Threads::serve, threads_.get(), worker);
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(threads_->mutex);
    threads_->closing = true;
  }
  threads_->begun.notify_all();
  for (std::thread& thread : threads_->threads) thread.join();
}

int WorkerPool::workers() const noexcept { return 1 + static_cast<int>(threads_->threads.size()); }

void WorkerPool::runOnAll(Call call, const void* work) {
  Threads& all = *threads_;
  {
    const std::lock_guard lock(all.mutex);
    NEARMISS_ASSERT(all.open == 0);
    all.call = call;
    all.work = work;
    all.open = ++all.runs;
  }
  all.begun.notify_all();
  try {
    call(work, 0);
  } catch (...) {
    all.keep(std::current_exception());
  }
  // Do not wait for threads that still sleep
  {
    const std::lock_guard lock(all.mutex);
    all.open = 0;
  }
  const auto done = [&all] { return all.busy == 0; };
  if (all.roomy) lookOutFor(done);
  std::unique_lock lock(all.mutex);
  all.ended.wait(lock, done);
  if (all.thrown) std::rethrow_exception(std::exchange(all.thrown, nullptr));
}

#endif

}  // namespace nearmiss
