// SPDX-License-Identifier: MIT
/// Zip archives in memory.
#pragma once

#include <nearmiss/result.h>

#include <ctime>
#include <span>
#include <string>

namespace nearmiss::app::clash {

struct ZipEntry {
  std::string name;  ///< UTF-8, with '/' between folders; no two alike
  std::string contents;
};

/// The archive. Errors: Unsupported, with what libzip says; OutOfMemory.
/// @param time of all entries
Result<std::string> zipOf(std::span<const ZipEntry> entries, std::time_t time);

}  // namespace nearmiss::app::clash
