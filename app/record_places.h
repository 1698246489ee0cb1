// SPDX-License-Identifier: MIT
/// The files that `run` and `fly` leave behind must have a place before anything begins.
#pragma once

#include <fmt/format.h>
#include <nearmiss/result.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "options.h"

namespace nearmiss::app {

/// The first file of `options` that cannot be written.
[[nodiscard]] inline std::optional<Error> faultOfPlaces(const Options& options) {
  for (const auto& file :
       {options.profile, options.summary, options.trace, options.calls, options.screenshot}) {
    if (file.empty()) continue;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    std::error_code failed;
    const bool present = std::filesystem::exists(file, failed);
    int fault = ::access(present ? file.c_str() : folder.c_str(), W_OK) == 0 ? 0 : errno;
    if (std::filesystem::is_directory(file, failed)) fault = EISDIR;
    if (fault != 0)
      return Error{ErrorCode::Unreadable, fmt::format("cannot write \"{}\": {}", file.string(),
                                                      std::generic_category().message(fault))};
  }
  return std::nullopt;
}

}  // namespace nearmiss::app
