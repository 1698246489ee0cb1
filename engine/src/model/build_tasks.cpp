// SPDX-License-Identifier: MIT
#include "model/build_tasks.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "model/guarded.h"

namespace nearmiss::engine {
namespace {

struct TaskState {
  BuildProgress progress;
  std::optional<Error> error;
  bool done = false;
};

/// The state that the workers share.
struct Board {
  explicit Board(std::size_t count) : states(count) {}
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<TaskState> states;
  std::size_t next = 0;  ///< the first task not yet begun
  std::size_t finished = 0;
};

void work(std::span<const BuildTask> tasks, Board& board) {
  std::unique_lock lock(board.mutex);
  while (board.next < tasks.size()) {
    const std::size_t mine = board.next++;
    TaskState& state = board.states[mine];
    lock.unlock();
    std::optional<Error> error;
    if (!state.progress.cancelled) error = guarded([&] { return tasks[mine](state.progress); });
    lock.lock();
    state.error = std::move(error);
    state.done = true;
    // After an error begin nothing new
    if (state.error)
      for (std::size_t t = board.next; t < tasks.size(); ++t)
        board.states[t].progress.cancelled = true;
    ++board.finished;
    board.changed.notify_all();
  }
}

void show(const Board& board, BuildProgress& progress) {
  const auto open = std::find_if(board.states.begin(), board.states.end(),
                                 [](const TaskState& state) { return !state.done; });
  if (open == board.states.end()) return;
  progress.stage = open->progress.stage.load();
  progress.fraction = open->progress.fraction.load();
}

/// Without threads: one after the other, here.
std::optional<Error> workInTurn(std::span<const BuildTask> tasks, BuildProgress* progress) {
  BuildProgress unwatched;
  BuildProgress& shown = progress ? *progress : unwatched;
  for (const BuildTask& task : tasks) {
    if (shown.cancelled) return Error{ErrorCode::Cancelled, "the build was cancelled"};
    if (auto error = guarded([&] { return task(shown); })) return error;
  }
  return std::nullopt;
}

}  // namespace

int threadsFor(int jobs) noexcept {
  return jobs > 0 ? jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::optional<Error> runTasks(std::span<const BuildTask> tasks, int jobs, BuildProgress* progress) {
  constexpr auto glance = std::chrono::milliseconds(20);
  const auto wanted = std::min(static_cast<std::size_t>(threadsFor(jobs)), tasks.size());
  Board board(tasks.size());
  std::vector<std::jthread> workers;
  workers.reserve(wanted);
  try {
    while (workers.size() < wanted) workers.emplace_back([&] { work(tasks, board); });
  } catch (const std::exception&) {
    // Fewer threads than wanted do the same work
  }
  if (workers.empty()) return workInTurn(tasks, progress);

  // Pass progress on to the caller, and cancellation to the workers
  bool cancelled = false;
  std::unique_lock lock(board.mutex);
  while (board.finished < tasks.size()) {
    board.changed.wait_for(lock, glance);
    if (!progress) continue;
    show(board, *progress);
    if (!progress->cancelled || cancelled) continue;
    cancelled = true;
    for (TaskState& state : board.states) state.progress.cancelled = true;
  }
  lock.unlock();
  workers.clear();

  for (TaskState& state : board.states)
    if (state.error) return std::move(state.error);
  if (cancelled) return Error{ErrorCode::Cancelled, "the build was cancelled"};
  return std::nullopt;
}

}  // namespace nearmiss::engine
