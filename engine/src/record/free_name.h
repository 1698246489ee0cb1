// SPDX-License-Identifier: MIT
/// Unused file names.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace nearmiss::engine {

/// Returns `file`, or a variant with a number if that exists.
[[nodiscard]] inline std::filesystem::path freeName(const std::filesystem::path& file) {
  std::error_code failed;
  std::filesystem::path name = file;
  for (int n = 2; std::filesystem::exists(name, failed); ++n)
    name = file.parent_path() /
           fmt::format("{}-{}{}", file.stem().string(), n, file.extension().string());
  return name;
}

}  // namespace nearmiss::engine
