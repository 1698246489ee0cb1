// SPDX-License-Identifier: MIT
/// Zip archives in memory.
#pragma once

#include <nearmiss/result.h>

#include <ctime>
#include <span>
#include <string>

namespace nearmiss::app::clash {

struct ZipEntry {
  std::string name;  ///< UTF-8, with '/' between folders; unique
  std::string contents;
};

/// Returns the archive. Errors: Unsupported, with libzip's message; OutOfMemory.
/// @param time of all entries
Result<std::string> zipOf(std::span<const ZipEntry> entries, std::time_t time);

}  // namespace nearmiss::app::clash
