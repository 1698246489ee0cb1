// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>
#include <nearmiss/worker_pool.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace nearmiss {

#if defined(NEARMISS_BARE)

struct WorkerPool::Threads {};

WorkerPool::WorkerPool(int) {}
WorkerPool::~WorkerPool() = default;
int WorkerPool::workers() const noexcept { return 1; }
void WorkerPool::runOnAll(Call call, const void* work) { call(work, 0); }

#else

struct WorkerPool::Threads {
  std::mutex mutex;
  std::condition_variable begun, ended;
  Call call = nullptr;  ///< of the current run; null once its caller has no more to do
  const void* work = nullptr;
  std::uint64_t run = 0;  ///< counts them, so that nobody joins one twice
  int busy = 0;           ///< threads that have joined the current run
  bool closing = false;
  std::exception_ptr thrown;
  std::vector<std::thread> threads;

  void serve(int worker);
  void keep(std::exception_ptr what) {
    const std::lock_guard lock(mutex);
    if (!thrown) thrown = std::move(what);
  }
};

void WorkerPool::Threads::serve(int worker) {
  std::uint64_t joined = 0;
  std::unique_lock lock(mutex);
  for (;;) {
    begun.wait(lock, [&] { return closing || (call && run != joined); });
    if (closing) return;
    joined = run;
    ++busy;
    const Call own = call;
    lock.unlock();
    try {
      own(work, worker);
    } catch (...) {
      keep(std::current_exception());
    }
    lock.lock();
    if (--busy == 0) ended.notify_one();
  }
}

WorkerPool::WorkerPool(int workers) : threads_(std::make_unique<Threads>()) {
  // Where there is no further thread, the others have more to do
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
    NEARMISS_ASSERT(all.call == nullptr);
    all.call = call;
    all.work = work;
    ++all.run;
  }
  all.begun.notify_all();
  try {
    call(work, 0);
  } catch (...) {
    all.keep(std::current_exception());
  }
  // Whoever sleeps still is not waited for
  std::unique_lock lock(all.mutex);
  all.call = nullptr;
  all.ended.wait(lock, [&all] { return all.busy == 0; });
  if (all.thrown) std::rethrow_exception(std::exchange(all.thrown, nullptr));
}

#endif

}  // namespace nearmiss
