// SPDX-License-Identifier: MIT
/// Independent pieces of work shared out over threads, for builders: results go to places named by
/// the index, so that they are the same for any number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace nearmiss {

/// Calls work(index, worker) once for every index below `count`, 0 <= worker < workers; no two
/// calls with the same worker run at the same time. Returns when all are done. `work` must not
/// throw and must not depend on the order or the worker, but may keep scratch memory per worker.
void parallelFor(std::size_t count, int workers, const auto& work) {
  std::atomic<std::size_t> next{0};
  const auto serve = [&](int worker) {
    for (std::size_t i = next++; i < count; i = next++) work(i, worker);
  };
  std::vector<std::jthread> helpers;
  for (int worker = 1; worker < workers && static_cast<std::size_t>(worker) < count; ++worker)
    helpers.emplace_back(serve, worker);
  serve(0);
}

}  // namespace nearmiss
