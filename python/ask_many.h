// SPDX-License-Identifier: MIT
/// Many queries on several threads, without the GIL.
#pragma once

#include <nearmiss/time_budget.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "heard_clock.h"
#include "shapes.h"
#include "world_lock.h"

namespace nearmiss::python {

/// Answers the query with this index within a budget.
/// @throws Failure if its arguments are invalid
using Ask = std::function<void(std::size_t, const TimeBudget&)>;

/// Returns the number of threads: by default one per core.
/// @throws Failure unless the number is at least 1
std::size_t workerCount(std::optional<int> workers);

/// Calls ask(i, budget) for each index, without the GIL and interruptible by Ctrl-C. The calling
/// thread starts; others join it if the work takes longer than starting them. Results must not
/// depend on which thread answers.
/// @param name     of the items, for error messages
/// @param budget   seconds for each query
/// @param makeAsk  called on each thread, without the GIL; each result belongs to that thread
/// @param lock     held meanwhile if not null
/// @param share    called by the calling thread before others join it
/// @throws Failure for the lowest index that is refused
void askMany(std::size_t count, const char* name, std::optional<double> budget,
             std::optional<int> workers, const std::function<Ask()>& makeAsk,
             WorldLock* lock = nullptr, const std::function<void()>& share = {});

/// Returns a copy of the numbers, because others may write or free the array meanwhile.
/// @pre the GIL is held
std::unique_ptr<double[]> copyOf(const Vertices& numbers, std::size_t workers);

}  // namespace nearmiss::python
