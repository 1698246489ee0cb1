// SPDX-License-Identifier: MIT
/// The spelling that the records share.
#pragma once

#include <chrono>
#include <string>

namespace nearmiss::engine::detail {

/// A time in milliseconds, to the nanosecond.
[[nodiscard]] std::string milliseconds(std::chrono::nanoseconds time);

}  // namespace nearmiss::engine::detail
