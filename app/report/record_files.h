// SPDX-License-Identifier: MIT
/// Which files a report is made of.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <span>
#include <vector>

namespace nearmiss::app {

struct RecordPath {
  std::filesystem::path file;
  bool fromFolder = false;  ///< found, not named: what is no record may be left out
};

/// The files named, and of a folder its *.csv by name. Errors: Unreadable for a folder that cannot
/// be read or holds none; Mismatch for a file that is there twice.
[[nodiscard]] Result<std::vector<RecordPath>> recordFiles(
    std::span<const std::filesystem::path> runs);

}  // namespace nearmiss::app
