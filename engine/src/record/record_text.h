// SPDX-License-Identifier: MIT
/// The spelling that the records share.
#pragma once

#include <engine/record/records.h>

#include <chrono>
#include <string>

namespace nearmiss::engine::detail {

/// A time in milliseconds, to the nanosecond.
[[nodiscard]] std::string milliseconds(std::chrono::nanoseconds time);

/// `# key: value` lines; what would end a line is written as a space.
void appendHead(const RecordHead& head, std::string& out);

}  // namespace nearmiss::engine::detail
