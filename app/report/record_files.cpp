// SPDX-License-Identifier: MIT
#include "report/record_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace nearmiss::app {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> tablesIn(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (at->path().extension() == ".csv" && !fs::is_directory(at->path()))
      files.push_back(at->path());
  if (failed)
    return Error{ErrorCode::Unreadable, fmt::format("cannot read the folder \"{}\": {}",
                                                    folder.string(), failed.message())};
  if (files.empty())
    return Error{ErrorCode::Unreadable,
                 fmt::format("the folder \"{}\" holds no .csv file", folder.string())};
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::vector<RecordPath>> recordFiles(std::span<const fs::path> runs) {
  std::vector<RecordPath> files;
  for (const fs::path& run : runs) {
    std::error_code failed;
    if (!fs::is_directory(run, failed)) {
      files.push_back({run, false});
      continue;
    }
    const auto found = tablesIn(run);
    if (!found) return found.error();
    for (const fs::path& file : *found) files.push_back({file, true});
  }
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      std::error_code failed;
      if (fs::equivalent(files[i].file, files[k].file, failed))
        return Error{ErrorCode::Mismatch,
                     fmt::format("\"{}\" is given twice", files[i].file.string())};
    }
  return files;
}

}  // namespace nearmiss::app
