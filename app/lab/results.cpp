// SPDX-License-Identifier: MIT
#include "lab/results.h"

#include <engine/record/atomic_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "console/complaint.h"

namespace nearmiss::app {

int prepareFolder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (std::filesystem::is_directory(folder, failed)) return Ok;
  complain(fmt::format("cannot make the folder \"{}\"", folder.string()));
  return Environment;
}

int writeResults(const std::filesystem::path& folder,
                 std::initializer_list<std::pair<std::string_view, std::string>> results) {
  for (const auto& [name, text] : results) {
    const auto written = engine::writeWhole(folder / name, text);
    if (!written) return complain(written.error(), Environment);
    fmt::print("written to {}\n", (folder / name).string());
  }
  return Ok;
}

Error experimentCancelled() { return {ErrorCode::Cancelled, "the experiment was cancelled"}; }

int complainOfNoResult() { return complain(experimentCancelled(), Interrupted); }

std::string cell(std::string_view format, const std::optional<double>& value, const char* nothing) {
  return value ? fmt::format(fmt::runtime(format), *value) : std::string(nothing);
}

}  // namespace nearmiss::app
